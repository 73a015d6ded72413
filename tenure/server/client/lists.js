// Lists of a form: the entries of a file, and the records of a field, each as a card that is filled when it is opened.
import { isMapping, keyOf, label, make, makeButton, makeGroup, makeRemove } from './elements.js';
import { makeFields, makePart } from './fields.js';
import { makePairs } from './links.js';

const DATES = ['date', 'period', 'term', 'start'];

/** The name of an entry: the value of its main field, else its first text. */
const nameEntry = (form, entry) => {
  const { pages, papers } = form.page.facts(),
    key = entry.fields.key?.value ?? entry.path.at(-1);
  if (form.file === 'content/publications.yaml' && typeof key === 'string') return papers[key] ?? key;
  if (entry.name) return pages[entry.name] ?? label(entry.name);
  if (entry.reason) return `${entry.path.at(-1) ?? 'Text'}`;
  const values = [entry.fields[entry.main], entry.fields.title, ...Object.values(entry.fields)];
  const found = values.map(field => (isMapping(field?.value) ? Object.values(field.value)[0] : field?.value));
  const name = String(found.find(value => typeof value === 'string' && value) ?? 'New entry').split('\n')[0];
  return entry.isNamed ? (pages[name] ?? label(name)) : name;
};

/** The buttons that move an item of a list: those of its card, and those in it; the focus stays on the button. */
const makeMoves = (form, name, path, at, length) => {
  if (length < 2) return [[], []];
  const makeMove = (sign, where, to) => {
    const isPossible = to >= 0 && to < length && to !== at;
    const move = () => {
      const [old, next] = [at, to].map(place => keyOf([...path, place]));
      if (form.open.delete(old)) form.open.add(next);
      form.focusNext(`${next} ${where}`);
      form.edit(true, 'moveItem', [...path, at], to);
    };
    const button = makeButton(sign, `Move ${name} ${where}`, move);
    button.dataset.at = `${keyOf([...path, at])} ${where}`;
    return Object.assign(button, { disabled: !isPossible });
  };
  return [
    [makeMove('↑', 'up', at - 1), makeMove('↓', 'down', at + 1)],
    [makeMove('⤒', 'to the top', 0), makeMove('⤓', 'to the end', length - 1)],
  ];
};

/** A card with an entry: its name and its moves, and its fields and tools once it is open. */
const makeCard = (form, entry, properties, makeTools, makeSteps) => {
  const at = keyOf(entry.path),
    date = DATES.map(key => entry.fields[key]?.value).find(Boolean) ?? '';
  const name = make('span', { className: 'name' }, nameEntry(form, entry));
  const card = make(
    'details',
    { open: form.open.has(at), 'data-card': at },
    make(
      'summary',
      { 'data-at': `card ${at}` },
      name,
      make('span', { className: 'date' }, isMapping(date) ? '' : String(date)),
    ),
  );
  const main = keyOf([...entry.path, entry.fields[entry.main]?.key || entry.main]);
  card.addEventListener('change', ({ target }) => {
    const input = /** @type {HTMLInputElement} */ (target);
    if (input.dataset.at === main) name.replaceChildren(input.value || 'New entry');
  });
  const fill = () => {
    if (!card.open || card.querySelector('.fields')) return;
    card.append(makeFields(form, entry, properties), tools);
  };
  const moves = make('p', { className: 'moves' }),
    tools = make('p', { className: 'tools' });
  const drawTools = () => {
    const [outside, inside] = makeSteps(name.textContent);
    moves.replaceChildren(...outside);
    tools.replaceChildren(...inside, ...makeTools(name.textContent));
  };
  drawTools();
  form.toolDrawers.push(drawTools);
  card.ontoggle = () => {
    form.keepOpen(at, card.open);
    fill();
  };
  fill();
  return make('li', {}, card, moves);
};
const makeBlank = (path, main) => ({ path, line: 0, main, fields: {}, others: [], isBlank: true });
const makeAdd = (text, at, onclick) =>
  make('button', { type: 'button', className: 'add', 'data-at': at, onclick }, text);

/** The entries of a file. @param {any} form @param {any} source what readForm returns @param {Record<string, any>} properties */
export const makeEntries = (form, source, properties) => {
  const added = Array.from({ length: form.blanks }, (_, at) =>
    makeBlank([...source.at, form.size + at], source.main),
  );
  const cards = [...source.entries, ...added].map((entry, at) => {
    const isWritten = () => at < form.size;
    const remove = name => {
      form.focusNext('add');
      if (isWritten()) return form.remove(source.at, entry.path, name);
      form.blanks -= 1;
      return form.show(form.file);
    };
    return makeCard(
      form,
      entry,
      properties,
      name => [makeRemove(`Remove ${name}`, () => remove(name), 'Remove')],
      name => makeMoves(form, name, source.at, at, source.list && isWritten() ? form.size : 0),
    );
  });
  const list = make('ol', { className: 'cards entries' }, ...cards);
  if (!source.list) return list;
  const words = 'It is saved as soon as you have written something in it.';
  const help = make('p', { className: 'help', hidden: !added.length }, words);
  form.toolDrawers.push(() => {
    help.hidden = !form.blanks;
  });
  return make('div', {}, list, help, makeAdd(`Add a ${form.noun}`, 'add', form.addEntry));
};

/** The definition of a record in a schema: its fields, its main field, and whether this may be the key of the others. */
const findRecord = (form, schema) => {
  const name = JSON.stringify(schema.anyOf ?? '').match(/#\/definitions\/(\w+)/)?.[1] ?? '';
  const { properties = {}, ...record } = form.schema.definitions[name] ?? {};
  const shown = Object.entries(properties).filter(([, value]) => value['x-control'] || value.title);
  return { ...record, properties: Object.fromEntries(shown) };
};

/** The records of a field, each as a group of its own fields. @param {any} control */
export const makeRecords = control => {
  const { form, schema, words, path, at, value, records = [], isList, name } = control;
  const { properties, 'x-main': main = '', 'x-named': isNamed, examples } = findRecord(form, schema);
  if (!Object.keys(properties).length) return makePairs(control);
  if (examples || name === 'pages') properties[main] = { ...properties[main], 'x-pages': true };
  const isItems = Array.isArray(value),
    isKeyed = isMapping(value) && records.some(record => 'name' in record);
  const nested = records.map(record => ({ ...record, isNested: true, isNamed }));

  // One record is a group; several are cards.
  if (!isItems && !isKeyed && (nested.length || !isList || name === 'affiliation')) {
    const [record] = nested.length ? nested : [{ ...makeBlank(path, main), isNested: true, above: control }];
    if (record.reason)
      return makePart({ ...words, help: record.reason }, record.text, part =>
        form.edit(true, 'setPart', path, part),
      );
    const another = isList && nested.length && !form.open.has(`${at} another`);
    const add = () => {
      form.open.add(`${at} another`);
      form.show(form.file);
    };
    const second = { ...makeBlank(path, main), isNested: true, above: control };
    const more =
      form.open.has(`${at} another`) && nested.length ? [makeFields(form, second, properties)] : [];
    const button = another ? [makeAdd(`Add another`, `${at} add`, add)] : [];
    return makeGroup(words, makeFields(form, record, properties), ...more, ...button);
  }

  const cards = nested.map((record, number) =>
    makeCard(
      form,
      record,
      properties,
      shown => [
        makeRemove(
          `Remove ${shown}`,
          () => {
            form.focusNext(`${at} add`);
            form.remove(path, isItems ? [...path, number] : record.path, shown);
          },
          'Remove',
        ),
      ],
      shown => makeMoves(form, shown, path, number, isItems ? nested.length : 0),
    ),
  );
  const place = [...path, nested.length];
  const isAdding = form.open.has(`${at} another`);
  const blank = { ...makeBlank(place, main), isNested: true, above: control };
  if (isAdding) cards.push(make('li', {}, makeFields(form, blank, properties)));
  const add = () => {
    form.open.add(`${at} another`);
    form.focusNext(keyOf([...blank.path, main]));
    form.show(form.file);
  };
  const button = isKeyed || isAdding ? [] : [makeAdd(`Add to “${words.title}”`, `${at} add`, add)];
  return makeGroup(words, make('ol', { className: 'cards' }, ...cards), ...button);
};

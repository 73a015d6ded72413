// The fields of an entry: a control for each kind of value, a group for a record, and a text for what has no control.
import { acceptDrop, isMapping, isTexts, keyOf, label, make, makeField, makeRemove } from './elements.js';
import { makeLinks, makePairs } from './links.js';
import { makeRecords } from './lists.js';
import { listLanguages, makeText, makeTranslations } from './texts.js';

/** The lists of the site from which a field chooses. @type {Record<string, string>} */
const KNOWN = {
  advisors: 'people',
  by: 'people',
  head: 'people',
  people: 'people',
  preprint_of: 'papers',
  publications: 'papers',
  tag: 'tags',
  tags: 'tags',
};
const hasChooser = /^(slides|pdf|cv)$/;
const isTrue = value => /^(true|yes|on)$/i.test(value);

/** One item a line; in a list of short words also with commas. @param {any} control */
const makeLines = ({ value, schema, at, put, lang }) => {
  const lines = isTexts(value) ? value : [value].filter(Boolean);
  const hasCommas = schema['x-commas'] && !(Array.isArray(value) && lines.some(line => /[,;]/.test(line)));
  const save = () => {
    const items = input.value
      .split(hasCommas ? /[\n,;]/ : '\n')
      .map(line => line.trim())
      .filter(Boolean);
    // One line stays a text if it was one: "Ada", and not a list.
    const wasText =
      typeof value === 'string' || (value === undefined && schema['x-control'] === 'list:email');
    value = items.length === 1 && wasText ? items[0] : items;
    return put(items.length ? value : null);
  };
  const input = make('textarea', {
    value: lines.join(hasCommas ? ', ' : '\n'),
    rows: hasCommas ? 1 : Math.max(2, lines.length),
    placeholder: hasCommas ? 'with commas between them' : 'one a line',
    'data-at': at,
    lang: lang ?? '',
    onchange: save,
  });
  return input;
};

/** A box for each item, which offers what the site knows, and one for the next item. @param {any} control */
const makeItems = ({ value, at, put, known, words }) => {
  const items = isTexts(value) ? value : [value].filter(Boolean);
  const boxes = [...items, ''].map((item, number) =>
    make('input', {
      value: item,
      list: `known-${known}`,
      'aria-label': `${words.title} ${number + 1}`,
      'data-at': `${at}\u001f${number}`,
      'data-whole': 'yes',
      onchange: () => save(),
    }),
  );
  const save = () => {
    const typed = boxes
      .flatMap(box => box.value.split(','))
      .map(item => item.trim())
      .filter(Boolean);
    return put(typed.length ? typed : null, true);
  };
  return make('div', { className: 'items' }, ...boxes);
};

/** @param {any} control */
const makeCheckbox = ({ value, schema, at, put }) => {
  const box = make('input', {
    type: 'checkbox',
    checked: value === undefined ? schema.default === true : isTrue(value),
    'data-at': at,
    onchange: () => put(box.checked === (schema.default === true) ? null : String(box.checked)),
  });
  return box;
};

/** @param {any} control */
const makeChoice = ({ value, schema, at, put }) => {
  const choices = (schema.anyOf ?? []).flatMap(part => part.enum ?? []);
  const others = new Set([...choices.filter(text => text !== schema.default), ...(value ? [value] : [])]);
  const select = make(
    'select',
    { 'data-at': at, onchange: () => put(select.value || null) },
    make('option', { value: '' }, schema.default ? `${label(schema.default)} (as by default)` : ''),
    ...[...others].map(text => make('option', { value: text }, label(String(text)))),
  );
  select.value = value ?? '';
  return select;
};

/** @param {any} control */
const makePicture = ({ form, name, value, at, put, words }) => {
  const isVideo = /\.(mp4|webm)$/i.test(value ?? ''),
    address = value && !isVideo && form.page.showPicture(value);
  const input = make('input', {
    type: 'file',
    accept: name === 'file' ? 'image/*,video/mp4,video/webm' : 'image/*',
    'data-at': at,
    onchange: () => input.files?.[0] && takeFile(form, 'images', input.files[0], put),
  });
  const image = address ? [make('img', { src: address, alt: '' })] : [];
  const remove = value
    ? [make('span', {}, value), makeRemove(`Remove: ${words.title}`, () => put(null, true))]
    : [];
  return make('div', { className: 'picture' }, ...image, input, ...remove);
};
/** Keep a file in the site, and name it in a field. */
const takeFile = (form, folder, file, put) =>
  form.tryTo(async () => put(await form.page.addFile(folder, file), true));
/** A field for the name of a PDF, with the choice of one. */
export const addChooser = (input, take) => {
  const chooser = make('input', {
    type: 'file',
    accept: '.pdf',
    'aria-label': 'Choose a PDF',
    onchange: () => chooser.files?.[0] && take(chooser.files[0]),
  });
  return make('div', { className: 'chosen' }, input, chooser);
};

/** YAML that no control shows: its text, and why it is a text. */
export const makePart = (words, text, save) => {
  const input = make('textarea', {
    value: text,
    spellcheck: false,
    className: 'source',
    'data-at': words.at,
    'data-whole': 'yes',
    onchange: () => save(input.value),
  });
  return makeField(words, input);
};

/** A page that had another path: who has its old address can be led to the new one. */
const offerRedirect = (form, input, old, path) => {
  const byName = `/${form.file.replace(/^.*\/|\.\w+$/g, '')}/`,
    [from, to] = [old || byName, path || byName];
  const field = input.closest('.field');
  field?.querySelector('.redirect')?.remove();
  if (from === to) return;
  const add = () =>
    form.tryTo(async () => {
      await form.page.edit('setValue', 'site.yaml', '', ['redirects', from], to);
      note.remove();
    });
  const button = make(
    'button',
    { type: 'button', 'aria-label': `Add a redirect from ${from}`, onclick: add },
    'Lead readers from there to here',
  );
  const note = make('p', { className: 'help redirect' }, `This page was at ${from}. `, button);
  field?.append(note);
};

/** A box of a text, of lines or of an item, by the kind of a field. @param {any} control */
const makeBox = control => {
  const { isList, kind, known, value, form, name, put } = control;
  if (isList || kind === 'points') return known ? makeItems(control) : makeLines(control);
  const input = makeText(control);
  const folder = name === 'pdf' ? 'papers' : 'files';
  return hasChooser.test(name) && typeof value !== 'object'
    ? addChooser(input, file => takeFile(form, folder, file, put))
    : input;
};

/** The field of an entry; null if it has no control and no value. */
const makeControl = (form, entry, name, schema) => {
  const { key, value, records, text } = entry.fields[name] ?? {},
    path = [...entry.path, key || name],
    at = keyOf(path);
  const type = schema['x-control'] ?? 'text',
    kind = type.replace('list:', '');
  const words = { title: schema.title ?? label(name), help: schema['x-help'] ?? schema.description, at };
  const { languages } = form.page.facts();
  const control = {
    form,
    entry,
    name,
    schema,
    kind,
    words,
    path,
    at,
    value,
    records,
    isList: type !== kind,
    isTranslated: isMapping(value) && Object.keys(value).every(code => languages.includes(code)),
    known: KNOWN[name] ?? (name === 'name' && schema['x-pages'] ? 'pages' : undefined),
    put: (typed, draws = false) => form.write(entry, name, typed, draws),
  };
  if (name === 'path' && form.file.startsWith('content/pages/'))
    Object.assign(control, { onWritten: (...changed) => offerRedirect(form, ...changed) });

  const isText = value === undefined || typeof value === 'string';
  // A Markdown file has a file for each language.
  const isFile = form.file.endsWith('.md') && !control.isTranslated;
  const spoken = (entry.isLine && !entry.isNested) || isFile ? [] : listLanguages(control);
  const isTextOrList = isText || isTexts(value);
  if (entry.isLine && !entry.isNested) return makeField(words, makeText({ ...control, kind: 'text' }));
  if (spoken.length && kind !== 'record') return makeTranslations(control, spoken, makeBox);
  if (kind === 'record' && !control.isTranslated) return makeRecords(control);
  if (kind === 'pairs') return makePairs(control);
  if (kind === 'links' && (!value || typeof value === 'object')) return makeLinks(control);
  if ((kind === 'picture' || name === 'file') && (!value || (isText && form.page.showPicture(value))))
    return makeField(words, makePicture(control));
  if (kind === 'checkbox' && isText) return makeField(words, makeCheckbox(control));
  if (kind === 'choice' && !control.isList && isText) return makeField(words, makeChoice(control));
  if (control.isList || kind === 'points' ? isTextOrList : isText) return makeField(words, makeBox(control));
  return makePart({ ...words, help: `${words.help}; as it is written in the file` }, text ?? '', part =>
    form.edit(true, 'setPart', path, part),
  );
};

/** What is dropped on an entry: a picture, or the PDF of a talk. @param {any} form @param {HTMLElement} box */
const takeDrops = (form, box, entry, properties) => {
  acceptDrop(box, dropped => {
    const isPdf = /\.pdf$/i.test(dropped.name),
      isPicture = name => properties[name]['x-control'] === 'picture';
    const name = isPdf ? 'slides' : (Object.keys(properties).find(isPicture) ?? '');
    const put = value => form.write(entry, name, value, true);
    if (name in properties) takeFile(form, isPdf ? 'files' : 'images', dropped, put);
    else
      form.page.say(
        isPdf ? 'A PDF belongs to a talk or a paper; drop it there.' : 'This entry has no picture.',
      );
  });
};

/** The fields that an entry does not show, now that it has others. */
const isHidden = (form, entry, name, schema) => {
  const hasPeriod = 'start' in entry.fields || 'end' in entry.fields,
    hasValue = name in entry.fields;
  const isOfGroup = !/^(group|centre|project)$/.test(entry.fields.kind?.value ?? '');
  return (
    (/^(start|end)$/.test(name) && !hasPeriod) ||
    (schema['x-control'] === 'period' && hasPeriod && !hasValue) ||
    (schema['x-group'] && isOfGroup && !hasValue) ||
    (/^(theme|schema)$/.test(name) && form.file === 'site.yaml') ||
    (name === 'name' && 'name' in entry) ||
    (name === 'key' && form.file === 'content/publications.yaml' && typeof entry.path.at(-1) === 'string')
  );
};

/**
 * The fields of an entry: those of its kind and those that have a value, then the others; `body` is the text of a Markdown file.
 * @param {any} form @param {any} entry @param {Record<string, any>} properties @param {HTMLElement} [body]
 */
export const makeFields = (form, entry, properties, body) => {
  const box = make('div', { className: 'fields' }),
    more = make('div', { className: 'fields' });
  entry.isLine ??= Object.values(entry.fields).some(field => field.key === null);
  const at = keyOf(entry.path);
  if (entry.reason) {
    const help = `This is ${entry.reason}, so it has no fields here; as it is written in the file`;
    const save = part => form.edit(true, 'setPart', entry.path, part);
    box.append(makePart({ title: 'Text', help, at }, entry.text ?? '', save));
    return box;
  }
  takeDrops(form, box, entry, properties);
  for (const [name, schema] of Object.entries(properties)) {
    if (isHidden(form, entry, name, schema)) continue;
    const control = makeControl(form, entry, name, schema);
    const isOwn = schema['x-own'] && (!body || !/^(about|pages)$/.test(form.folder) || name === 'title');
    const place = keyOf([...entry.path, name]);
    const isFirst =
      form.firstFields.get(place) ?? Boolean(name in entry.fields || name === entry.main || isOwn);
    form.firstFields.set(place, isFirst);
    (isFirst && !(body && form.folder === 'about') ? box : more).append(control);
  }
  if (body) {
    const title = box.querySelector(`[data-field="title"]`);
    if (title) title.after(body);
    else box.prepend(body);
  }
  for (const { key, text } of entry.others) {
    const path = [...entry.path, key ?? ''];
    const words = { title: label(String(key ?? '')), help: 'as it is written in the file', at: keyOf(path) };
    box.append(makePart(words, text ?? '', part => form.edit(true, 'setPart', path, part)));
  }
  if (more.childElementCount) box.append(makeMore(form, at, more));
  return box;
};

/** The fields that are shown by a click. */
const makeMore = (form, at, fields) => {
  const details = make(
    'details',
    { className: 'more', open: form.open.has(`${at} more`) },
    make('summary', { 'data-at': `more ${at}` }, 'More fields'),
    fields,
  );
  details.ontoggle = () => form.keepOpen(`${at} more`, details.open);
  return details;
};

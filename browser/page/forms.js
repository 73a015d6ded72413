// The form of a source: the fields of its JSON Schema beside the values that Python reads. A change writes one value, by its place.

/**
 * @typedef {(string | number)[]} Path the keys and positions that lead to a value
 * @typedef {{key: string | null, value: any, line: number, end: number}} Value a value as it is written, its key (null for a bare text), and its lines
 * @typedef {{path: Path, main: string, fields: Record<string, Value>, others: string[]}} Entry
 * @typedef {{schema: string, main: string, list: boolean, at: Path, entries: Entry[], body: string | null}} Form
 * @typedef {{file: string, line: number, level: string, message: string, hint: string, edits: any[]}} Problem
 * @typedef {object} Page what the form asks of the page
 * @property {(name: string, ...values: any[]) => Promise<any>} call a function of engine.py
 * @property {(path: string) => string} readText
 * @property {(changes: Record<string, Uint8Array<ArrayBuffer>>) => void} write
 * @property {(file: string) => Problem[]} findProblems
 * @property {(problem: Problem) => void} repair
 * @property {(file: File) => Promise<string>} addPicture draws a picture again, keeps it, and returns its name
 * @property {(name: string) => string} showPicture the address of a picture of the site, or ""
 * @property {(doi: string) => Promise<string>} askDoi the BibTeX of a DOI
 * @property {(words: string) => void} goTo opens the text at these words
 * @property {(text: string) => void} say
 */

const SINGULAR = { education: 'degree', experience: 'position', projects: 'project', talks: 'talk', awards: 'award', service: 'service', teaching: 'course', news: 'news', people: 'person' };
const LISTS = ['education', 'experience', 'projects', 'talks', 'awards', 'teaching', 'service', 'news', 'people'];
const SITE_FIELDS = ['title', 'url', 'description', 'language', 'pages'];
const LONG = /summary|description|tagline|text|note|footer|interests/;

const label = key => (key[0].toUpperCase() + key.slice(1)).replaceAll('_', ' ');
const keyOf = path => path.join('\u0000');
const isTexts = value => Array.isArray(value) && value.every(item => typeof item === 'string');
/** @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {Record<string, any>} [values] @param {...(Node | string)} children */
const make = (tag, values = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(values)) {
    if (name in element) Object.assign(element, { [name]: value });
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
};
const makeButton = (text, title, onclick) => make('button', { type: 'button', title, 'aria-label': title, onclick }, text);

/**
 * The form in an element.
 * @param {HTMLElement} parent
 * @param {Page} page
 */
export const createForm = (parent, page) => {
  let file = '', schemas = null, open = new Set([0]), showsMore = new Set(), blanks = 0, size = 0, count = 0, written = '', queue = Promise.resolve();

  /** Change the source; the form is drawn again only if its entries have changed, so that nobody loses what is being typed. */
  const edit = (draws, name, ...values) => {
    const edited = file;
    queue = queue.then(() => writeEdit(edited, draws, name, values));
    return queue;
  };
  const writeEdit = async (edited, draws, name, values) => {
    try {
      page.write(await page.call(name, edited, page.readText(edited), ...values));
    } catch (error) {
      page.say(/** @type {Error} */ (error).message);
      draws = true;
    }
    if (edited !== file) return undefined;
    written = page.readText(file);
    if (draws) return show(file);
    const { entries } = /** @type {Form} */ (await page.call('readForm', edited, written));
    if (edited !== file) return undefined;
    if (entries.length < size) return show(file);
    blanks -= entries.length - size;
    size = entries.length;
    return showProblems(entries);
  };
  const setValue = (path, value) => edit(false, 'setValue', path, value === '' ? null : value);
  const replaceValue = (path, value) => edit(true, 'setValue', path, value === '' ? null : value);

  /** Show the problems of each field below it, with the repair if there is one. @param {Entry[]} entries */
  const showProblems = entries => {
    parent.querySelectorAll('p.problem').forEach(old => old.remove());
    const problems = page.findProblems(file);
    for (const entry of entries) {
      for (const { key, line, end } of Object.values(entry.fields)) {
        const field = parent.querySelector(`[data-at="${CSS.escape(keyOf(key ? [...entry.path, key] : entry.path))}"]`)?.closest('.field');
        for (const problem of problems.filter(other => other.line >= line && other.line <= Math.max(line, end - 1))) {
          const repair = problem.edits.length ? [makeButton('Repair', 'Repair this', () => page.repair(problem))] : [];
          field?.append(make('p', { className: `problem ${problem.level}` }, `${problem.message}: ${problem.hint} `, ...repair));
        }
      }
    }
  };

  /** A row with a label, the control and the help. @param {string} name @param {string} help @param {HTMLElement} control */
  const makeField = (name, help, control) => {
    const id = `field-${count += 1}`, labelled = control.querySelector('input, textarea') ?? control;
    labelled.id = id;
    labelled.setAttribute('aria-describedby', `${id}-help`);
    return make('div', { className: 'field' }, make('label', { htmlFor: id }, label(name)), control, make('p', { id: `${id}-help`, className: 'help' }, help));
  };

  const makeText = (path, value, control, name) => {
    const isLong = control === 'markdown' && LONG.test(name);
    const input = make(isLong ? 'textarea' : 'input', { value: value ?? '', 'data-at': keyOf(path), onchange: () => setValue(path, input.value.trim()) });
    if (!isLong) input.setAttribute('type', { email: 'email', number: 'number', url: 'text' }[control] ?? 'text');
    if (control !== 'date' && control !== 'period') return input;
    input.setAttribute('placeholder', control === 'date' ? '2024-05' : '2021 - present');
    const output = make('output', { className: 'reading' });
    const explain = async () => { output.textContent = input.value ? await page.call('readDate', input.value) : ''; };
    input.addEventListener('input', explain);
    explain();
    return make('div', { className: 'pair' }, input, output);
  };

  const makeLines = (path, value) => {
    const lines = isTexts(value) ? value : [value].filter(Boolean);
    const save = () => {
      const items = input.value.split('\n').map(line => line.trim()).filter(Boolean);
      // One line stays a text if it was one: "Ada", and not a list.
      value = items.length === 1 && typeof value === 'string' ? items[0] : items;
      setValue(path, items.length ? value : null);
    };
    const input = make('textarea', { value: lines.join('\n'), rows: Math.max(2, lines.length), placeholder: 'one a line', 'data-at': keyOf(path), onchange: save });
    return input;
  };

  const makeLinks = (path, value, schema) => {
    const listRows = (mapping, at) => Object.entries(mapping).map(([key, url]) => [key, url, [...at, key]]);
    const listItemRows = (item, at) => (typeof item === 'string' ? [['', item, at]] : listRows(item, at));
    const rows = Array.isArray(value) ? value.flatMap((item, at) => listItemRows(item, [...path, at])) : listRows(value ?? {}, path);
    const box = make('div', { className: 'rows', role: 'group' });
    for (const [key, url, at] of rows) {
      const input = make('input', { value: url, 'aria-label': `address of ${key || url}`, 'data-at': keyOf(at), onchange: () => setValue(at, input.value.trim()) });
      box.append(make('span', { className: 'service' }, key || '–'), input, makeButton('✕', `Remove ${key || url}`, () => replaceValue(at, null)));
    }
    const list = make('datalist', { id: `services-${count += 1}` }, ...Object.keys(schema.properties ?? {}).map(name => make('option', { value: name })));
    const name = make('input', { placeholder: 'service', 'aria-label': 'service or label of a new link', 'data-at': `${keyOf(path)}+name` });
    name.setAttribute('list', list.id);
    const url = make('input', { placeholder: 'name or address', 'aria-label': 'address of the new link', 'data-at': `${keyOf(path)}+url` });
    const add = () => name.value && url.value && (Array.isArray(value) ? replaceValue([...path, value.length], { [name.value.trim()]: url.value.trim() }) : replaceValue([...path, name.value.trim()], url.value.trim()));
    url.addEventListener('change', add);
    box.append(name, url, makeButton('+', 'Add the link', add), list);
    return box;
  };

  const makePicture = (path, value) => {
    const take = async files => { if (files?.[0]) await replaceValue(path, await page.addPicture(files[0])); };
    const input = make('input', { type: 'file', accept: 'image/*', 'data-at': keyOf(path), onchange: () => take(input.files) });
    const address = value && page.showPicture(value);
    const box = make('div', { className: 'picture' }, ...address ? [make('img', { src: address, alt: '' })] : [], input, ...value ? [make('span', {}, value), makeButton('✕', 'Remove the picture', () => replaceValue(path, null))] : []);
    box.ondragover = event => event.preventDefault();
    box.ondrop = event => { event.preventDefault(); take(event.dataTransfer?.files); };
    return box;
  };

  // Pages, and the sections of a page: each has a name, alone or with settings below it, which stay as they are.
  const makeOrder = (path, items, what) => {
    const list = make('ol', { className: 'order' });
    items.forEach((item, at) => {
      const key = typeof item === 'string' ? item : Object.keys(item)[0], name = key === 'path' ? `path ${item.path}` : key;
      const sections = item?.sections ?? item?.[key]?.sections, inner = item?.sections ? [...path, at, 'sections'] : [...path, at, key, 'sections'];
      const row = make('li', {}, make('span', {}, label(name)),
        makeButton('↑', `Move ${name} up`, () => at && edit(true, 'moveItem', [...path, at], at - 1)), makeButton('↓', `Move ${name} down`, () => at < items.length - 1 && edit(true, 'moveItem', [...path, at], at + 1)),
        makeButton('✕', `Remove ${name}`, () => replaceValue([...path, at], null)));
      if (Array.isArray(sections)) row.append(makeOrder(inner, sections, 'section'));
      list.append(row);
    });
    const input = make('input', { 'aria-label': `name of a new ${what}`, placeholder: `add a ${what}: talks`, 'data-at': `${keyOf(path)}+`, onchange: () => input.value.trim() && replaceValue([...path, items.length], input.value.trim()) });
    input.setAttribute('list', 'collections');
    list.append(make('li', {}, input));
    return list;
  };

  const makeControl = (name, schema, path, value) => {
    const control = schema['x-control'] ?? (/^(start|end)$/.test(name) ? 'date' : 'text'), kind = control.replace('list:', '');
    const help = schema.description ?? '', choices = (schema.anyOf ?? []).flatMap(part => part.enum ?? part.items?.enum ?? []);
    if (kind === 'links' && (!value || typeof value === 'object')) return makeField(name, help, makeLinks(path, value, schema));
    if (name === 'pages' && Array.isArray(value)) return makeField(name, help, makeOrder(path, value, 'page'));
    if (kind === 'picture' && (!value || typeof value === 'string')) return makeField(name, help, makePicture(path, value));
    if (kind === 'checkbox') {
      const box = make('input', { type: 'checkbox', checked: /^(true|yes|on)$/i.test(value ?? ''), 'data-at': keyOf(path), onchange: () => setValue(path, String(box.checked)) });
      return makeField(name, help, box);
    }
    if (kind === 'choice' && control === kind && (!value || typeof value === 'string')) {
      const select = make('select', { 'data-at': keyOf(path), onchange: () => setValue(path, select.value) }, ...['', ...new Set([...choices, ...value ? [value] : []])].map(text => make('option', { value: text }, text)));
      select.value = value ?? '';
      return makeField(name, help, select);
    }
    const takesLines = control.startsWith('list:') || kind === 'points';
    if (takesLines && (!value || typeof value === 'string' || isTexts(value)) && kind !== 'record') return makeField(name, help, makeLines(path, value));
    if ((!value && kind !== 'record') || typeof value === 'string' || (kind === 'record' && !value && name === 'affiliation')) {
      return makeField(name, help, makeText(path, value, kind, name));
    }
    return value && make('div', { className: 'field' }, make('span', { className: 'label' }, label(name)), makeButton('written in the text', `Show ${name} in the text`, () => page.goTo(`${String(path.at(-1))}:`)), make('p', { className: 'help' }, help));
  };

  /** The fields of an entry: those of its kind and those that have a value, then the others. @param {Entry} entry @param {Record<string, any>} properties @param {string} schema */
  const makeFields = (entry, properties, schema) => {
    const box = make('div', { className: 'fields' }), more = make('div', { className: 'fields' }), hasPeriod = 'start' in entry.fields || 'end' in entry.fields;
    for (const [name, description] of Object.entries(properties).sort((a, b) => Number(b[1]['x-own'] ?? false) - Number(a[1]['x-own'] ?? false))) {
      const isRange = name === 'start' || name === 'end';
      if ((isRange && !hasPeriod) || (description['x-control'] === 'period' && hasPeriod && !entry.fields[name]) || name === 'draft') continue;
      const { key, value } = entry.fields[name] ?? {}, isBare = entry.main in entry.fields && !entry.fields[entry.main].key;
      // A bare text becomes an entry with keys by the first other value: "- A prize" -> "- title: A prize" with its date.
      const path = isBare ? entry.path : [...entry.path, key || name];
      const control = isBare && name !== entry.main
        ? makeField(name, description.description ?? '', make('input', { 'data-at': keyOf([...entry.path, name]), onchange: event => replaceValue(entry.path, { [entry.main]: entry.fields[entry.main].value, [name]: event.target.value.trim() }) }))
        : makeControl(name, description, path, value);
      const isFirst = value !== undefined || name === entry.main || (schema === 'site' ? SITE_FIELDS.includes(name) : description['x-own']);
      if (!control) continue;
      (isFirst ? box : more).append(control);
    }
    for (const key of entry.others) box.append(make('p', { className: 'help' }, `“${key}” is written in the text. `, makeButton('show', `Show ${key} in the text`, () => page.goTo(`${key}:`))));
    if (more.childElementCount) {
      const details = make('details', { open: showsMore.has(keyOf(entry.path)) }, make('summary', {}, 'More fields'), more);
      details.ontoggle = () => details.open ? showsMore.add(keyOf(entry.path)) : showsMore.delete(keyOf(entry.path));
      box.append(details);
    }
    return box;
  };

  const nameEntry = entry => {
    const value = entry.fields[entry.main]?.value ?? Object.values(entry.fields).find(field => typeof field.value === 'string')?.value;
    return typeof value === 'string' && value ? value.split('\n')[0] : 'New entry';
  };

  const makeCards = (form, properties) => {
    const noun = SINGULAR[form.schema] ?? 'entry', list = make('ol', { className: 'cards' });
    const added = Array.from({ length: blanks }, (_, at) => ({ path: [...form.at, size + at], main: form.main, fields: {}, others: [] }));
    [...form.entries, ...added].forEach((entry, at) => {
      const name = nameEntry(entry), date = ['date', 'period', 'term', 'start'].map(key => entry.fields[key]?.value).find(Boolean) ?? '';
      const card = make('details', { open: open.has(at) }, make('summary', {}, make('span', { className: 'name' }, name), make('span', { className: 'date' }, String(date))));
      card.addEventListener('change', ({ target }) => {
        const input = /** @type {HTMLInputElement} */ (target);
        if (input.dataset.at === keyOf([...entry.path, entry.fields[entry.main]?.key || entry.main])) card.querySelector('.name')?.replaceChildren(input.value || 'New entry');
      });
      const fill = () => {
        if (!card.open || card.querySelector('.fields')) return;
        const tools = make('p', { className: 'tools' });
        if (form.list && at < size) {
          tools.append(makeButton('↑', `Move ${name} up`, () => at && edit(true, 'moveItem', entry.path, at - 1)), makeButton('↓', `Move ${name} down`, () => at < size - 1 && edit(true, 'moveItem', entry.path, at + 1)));
        }
        tools.append(makeButton('Remove', `Remove ${name}`, () => {
          if (at < size) return replaceValue(entry.path, null);
          blanks -= 1;
          return show(file);
        }));
        card.append(makeFields(entry, properties, form.schema), tools);
      };
      card.ontoggle = () => { if (card.open) open.add(at); else open.delete(at); fill(); };
      fill();
      list.append(make('li', {}, card));
    });
    if (!form.list) return list;
    return make('div', {}, list, make('button', { type: 'button', className: 'add', 'data-at': 'add', onclick: addEntry }, `Add a ${noun}`));
  };

  const makePapers = papers => {
    const box = make('div', { className: 'fields' }), doi = make('input', { placeholder: '10.1145/3297858.3304013', 'data-at': 'doi' });
    const paste = make('textarea', { rows: 5, placeholder: '@article{…}', 'data-at': 'bibtex' });
    const append = text => {
      page.write({ [file]: new TextEncoder().encode(`${page.readText(file).trimEnd()}\n\n${text.trim()}\n`.trimStart()) });
      show(file);
    };
    const ask = async () => {
      try { append(await page.askDoi(doi.value.trim())); } catch (error) { page.say(/** @type {Error} */ (error).message); }
    };
    box.append(makeField('DOI', 'the page asks doi.org for the BibTeX of this paper, when you press the button', make('div', { className: 'pair' }, doi, makeButton('Ask doi.org', 'Ask doi.org for this paper', ask))));
    box.append(makeField('BibTeX', 'paste entries from a publisher, DBLP or Google Scholar', make('div', { className: 'pair' }, paste, makeButton('Add', 'Add the entries', () => paste.value.trim() && append(paste.value)))));
    const list = make('ol', { className: 'cards' });
    for (const { key, title, year, selected } of papers) {
      const check = make('input', { type: 'checkbox', checked: selected, 'aria-label': `Selected: ${title}`, 'data-at': `selected-${key}`, onchange: () => setAddition(key, 'selected', check.checked ? 'true' : null) });
      list.append(make('li', { className: 'paper' }, make('label', { title: 'on the home page' }, check, ' selected'), make('span', { className: 'name' }, title), make('span', { className: 'date' }, year), makeButton('text', `Show ${title} in the text`, () => page.goTo(`{${key},`))));
    }
    return make('div', {}, box, list);
  };
  const setAddition = async (key, field, value) => {
    const additions = 'content/publications.yaml';
    try {
      page.write(await page.call('setAddition', additions, page.readText(additions), key, field, value));
    } catch (error) { page.say(/** @type {Error} */ (error).message); }
  };

  const makeBody = form => {
    const input = make('textarea', { value: form.body.trim(), rows: 14, 'data-at': 'body', onchange: () => edit(false, 'setBody', input.value) });
    return makeField('text', 'Markdown: **bold**, [a link](https://…), a list with hyphens', input);
  };

  /** Show the form of a file; where it cannot have one, say why. @param {string} path */
  const show = async path => {
    if (path !== file) { open = new Set([0]); showsMore = new Set(); blanks = 0; size = 0; }
    file = path;
    written = page.readText(path);
    let entries = /** @type {Entry[]} */ ([]);
    const box = make('form', { onsubmit: event => event.preventDefault(), 'aria-label': `Form of ${path}` });
    try {
      schemas ??= await (await fetch('schemas.json')).json();
      if (path.endsWith('.bib')) box.append(makePapers(await page.call('papers', path)));
      else {
        const form = /** @type {Form} */ (await page.call('readForm', path, page.readText(path))), properties = findProperties(schemas[form.schema]);
        entries = form.entries;
        size = form.entries.length;
        if (typeof form.body === 'string') box.append(makeFields(form.entries[0], properties, form.schema), makeBody(form));
        else box.append(['site', 'profile', 'counts'].includes(form.schema) ? makeFields(form.entries[0], properties, form.schema) : makeCards(form, properties));
      }
    } catch (error) {
      box.append(make('p', { className: 'help' }, `This file has no form: ${/** @type {Error} */ (error).message}`));
    }
    if (path !== file) return;
    box.append(make('datalist', { id: 'collections' }, ...[...LISTS, 'publications', 'about', 'cv'].map(name => make('option', { value: name }))));
    const focused = parent.contains(document.activeElement) && /** @type {HTMLElement} */ (document.activeElement).dataset.at;
    parent.replaceChildren(box);
    showProblems(entries);
    if (focused) /** @type {HTMLElement | null} */ (parent.querySelector(`[data-at="${CSS.escape(focused)}"]`))?.focus();
  };
  /** Begin an entry of the list: it is written with its first value. */
  const addEntry = async () => {
    await queue;
    if (!parent.querySelector('.add')) return;
    open.add(size + blanks);
    blanks += 1;
    await show(file);
    /** @type {HTMLElement | null | undefined} */ (parent.querySelector('.cards > li:last-child')?.querySelector('input, textarea'))?.focus();
  };
  /** After a build, or another change of the file: show its problems, and other values than the form has written. */
  const refresh = async () => {
    if (page.readText(file) !== written) return show(file);
    if (/^(site\.yaml|content\/)/.test(file)) showProblems((await page.call('readForm', file, written)).entries);
  };
  return { show, refresh, addEntry, finish: () => queue };
};

/** The properties of the entries of a schema: of a list, or of a mapping. @param {any} schema */
const findProperties = schema => {
  if (schema.properties) return schema.properties;
  const reference = JSON.stringify(schema.anyOf).match(/#\/definitions\/(\w+)/);
  return reference ? schema.definitions[reference[1]].properties : {};
};

/** What can be added to a site: its name and its file. @param {string[]} paths @returns {[string, string][]} */
export const listNewFiles = paths => {
  const lists = LISTS.filter(name => !paths.some(path => path.startsWith(`content/${name}.y`) || path.startsWith(`content/${name}/`)));
  const page = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(number => `content/pages/page-${number}.md`).find(path => !paths.includes(path)) ?? '';
  return [
    ...paths.includes('content/about.md') ? [] : [/** @type {[string, string]} */ (['A text about you', 'content/about.md'])],
    ...lists.map(name => /** @type {[string, string]} */ ([label(name), `content/${name}.yaml`])),
    ...paths.some(path => path.endsWith('.bib')) ? [] : [/** @type {[string, string]} */ (['Publications', 'bib/publications.bib'])],
    ['A page', page],
  ];
};

// The form of a source: the fields of its JSON Schema beside the values that Python reads. A change writes one value, by its place.

/**
 * @typedef {(string | number)[]} Path the keys and positions that lead to a value
 * @typedef {{key: string | null, value: any, line: number, end: number, text?: string}} Value a value, its key (null in an entry of one line), its lines, and its YAML if it is no text
 * @typedef {{path: Path, line: number, main: string, fields: Record<string, Value>, others: Value[], reason?: string, text?: string}} Entry
 * @typedef {{schema: string, main: string, list: boolean, at: Path, entries: Entry[], body: string | null}} Form
 * @typedef {{file: string, line: number, level: string, message: string, hint: string, edits: any[]}} Problem
 * @typedef {object} Page what the form asks of the page
 * @property {(name: string, ...values: any[]) => Promise<any>} call asks what is in no source: "schemas", "papers", "readDate", "findDoi"
 * @property {(name: string, file: string, ...values: any[]) => Promise<any>} read reads a source: a name of FORM_READS in form_calls.py
 * @property {(name: string, file: string, base: string, ...values: any[]) => Promise<void>} edit changes a source: a name of FORM_EDITS, and the version that the values are of, "" for the last
 * @property {(file: string) => string} version another text for each text of a source
 * @property {() => string[]} listFiles the names of all sources
 * @property {(file: string) => Problem[]} findProblems
 * @property {(problem: Problem) => void} repair
 * @property {(folder: string, file: File, name?: string) => Promise<string>} addFile keeps a picture or a PDF in a folder of content/, and returns its name
 * @property {(name: string) => string} showPicture the address of a picture of the site, or ""
 * @property {(doi: string) => Promise<string>} askDoi the BibTeX of a DOI
 * @property {(text: string) => void} say
 */

const SINGULAR = {
  education: 'degree',
  experience: 'position',
  projects: 'project',
  talks: 'talk',
  awards: 'award',
  service: 'service',
  teaching: 'course',
  news: 'news',
  people: 'person',
};
const LISTS = [
  'education',
  'experience',
  'projects',
  'talks',
  'awards',
  'teaching',
  'service',
  'news',
  'people',
];
const SITE_FIELDS = ['title', 'url', 'description', 'language', 'pages'];
const PAPER_FIELDS = ['title', 'author', 'year', 'doi', 'url', 'pdf', 'abstract', 'note'];
const PAPER_HELPS = {
  title: 'as in the .bib file; {braces} keep capitals',
  author: 'Ada Lovelace and Charles Babbage',
  doi: '10.1145/3297858.3304013',
  pdf: 'choose the PDF or drop it here, or write a file or an address',
};
const ADDITIONS = 'content/publications.yaml';
const LONG = /summary|description|tagline|text|note|footer|interests/;

const label = key => (key[0].toUpperCase() + key.slice(1)).replaceAll('_', ' ');
const keyOf = path => path.join('\u0000');
const isTexts = value => Array.isArray(value) && value.every(item => typeof item === 'string');
/** The service of an address: "github" of "https://github.com/ada"; "" if it has none. @param {string} url @param {string[]} services */
const findService = (url, services) => {
  if (!URL.canParse(url)) return '';
  const parts = new URL(url).hostname.replace(/^www\./, '').split('.');
  return services.find(name => parts.includes(name)) ?? parts.join('.');
};
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
const makeButton = (text, title, onclick) =>
  make('button', { type: 'button', title, 'aria-label': title, 'data-at': title, onclick }, text);

/**
 * The form in an element.
 * @param {HTMLElement} parent
 * @param {Page} page
 */
export const createForm = (parent, page) => {
  let file = '',
    schemas = null,
    open = new Set([0]),
    showsMore = new Set(),
    blanks = 0,
    size = 0,
    count = 0,
    written = '',
    queue = Promise.resolve();
  /** What gets the focus when the form is drawn again, if it has not left the control that had it. */
  let focused = '',
    focusOrigin = '';
  /** How often a form was drawn, and the text of each before it was drawn again. */
  let drawing = 0;
  /** @type {string[]} */
  const drawnVersions = [];
  /** The control in which something is typed that is not written yet. */
  let typing = '';
  /** @type {Entry[]} */
  let entries = [];
  /** Draw the tools of each open card again, when an entry was added. @type {(() => void)[]} */
  let toolDrawers = [];
  /** The papers that are shown. */
  let papers = '';
  /** Read the fields of a paper into its card, by its key. @type {Map<string, () => Promise<void>>} */
  let paperFillers = new Map();
  parent.addEventListener('input', ({ target }) => {
    typing = /** @type {HTMLElement} */ (target).dataset.at ?? '';
  });
  parent.addEventListener('change', () => {
    typing = '';
  });

  /** Change the source; the form is drawn again only if its entries have changed, so that nobody loses what is being typed. */
  const edit = (draws, name, ...values) => {
    const edited = file,
      from = drawing;
    const done = queue.then(() => writeEdit(edited, from, draws, name, values));
    queue = done.then(() => {});
    return done;
  };
  /** Returns whether the edit was possible. */
  const writeEdit = async (edited, from, draws, name, values) => {
    let reason = '';
    try {
      // Of a form that was drawn again meanwhile, the positions are those of the text before.
      await page.edit(name, edited, from === drawing ? '' : drawnVersions[from], ...values);
    } catch (error) {
      reason = /** @type {Error} */ (error).message;
      page.say(reason);
    }
    if (edited !== file) return !reason;
    if (draws || reason) await show(file);
    else await keepForm(edited);
    const typed = values.at(-1);
    if (reason && typed && typeof typed === 'string' && name !== 'addPaper')
      parent.querySelector('form')?.prepend(makePart('not written', reason, typed, 'refused', () => {}));
    return !reason;
  };
  /** Keep the form after a change of a value, and what depends on its entries. */
  const keepForm = async edited => {
    written = page.version(file);
    if (file.endsWith('.bib')) return undefined;
    const form = /** @type {Form} */ (await page.read('readForm', edited));
    if (edited !== file) return undefined;
    if (form.entries.length < size) return show(file);
    blanks -= form.entries.length - size;
    size = form.entries.length;
    ({ entries } = form);
    for (const drawTools of toolDrawers) drawTools();
    return showProblems();
  };
  const setValue = (path, value) => edit(false, 'setValue', path, value === '' ? null : value);
  const replaceValue = (path, value) => edit(true, 'setValue', path, value === '' ? null : value);
  /** Set a field of an entry; in an entry of one line, what was read from it becomes fields too. */
  const setField = (entry, name, value) => {
    const { key } = entry.fields[name] ?? {},
      isLine = Object.values(entry.fields).some(field => !field.key);
    return isLine
      ? edit(true, 'setItemField', entry.path, name, value)
      : replaceValue([...entry.path, key || name], value);
  };

  /** Show the problems of each field below it, and all others above the form; with the repair if there is one. */
  const showProblems = () => {
    parent.querySelectorAll('p.problem').forEach(old => old.remove());
    const lines = new Map();
    for (const entry of entries) {
      for (const { key, line, end } of [...Object.values(entry.fields), ...entry.others]) {
        const at = keyOf(key ? [...entry.path, key] : entry.path);
        const field = parent.querySelector(`[data-at="${CSS.escape(at)}"]`)?.closest('.field');
        const length = field ? Math.max(1, end - line) : 0;
        for (let number = 0; number < length; number += 1) lines.set(line + number, field);
      }
    }
    for (const problem of page.findProblems(file)) {
      const field = lines.get(problem.line),
        place = field ? '' : `Line ${problem.line}: `;
      const repair = problem.edits.length
        ? [makeButton('Repair', 'Repair this', () => page.repair(problem))]
        : [];
      const note = make(
        'p',
        { className: `problem ${problem.level}` },
        `${place}${problem.message}: ${problem.hint} `,
        ...repair,
      );
      if (field) field.append(note);
      else parent.querySelector('form')?.prepend(note);
    }
  };

  /** A row with a label, the control and the help. @param {string} name @param {string} help @param {HTMLElement} control */
  const makeField = (name, help, control) => {
    const id = `field-${(count += 1)}`,
      labelled = control.querySelector('input, textarea') ?? control;
    labelled.id = id;
    labelled.setAttribute('aria-describedby', `${id}-help`);
    return make(
      'div',
      { className: 'field' },
      make('label', { htmlFor: id }, label(name)),
      control,
      make('p', { id: `${id}-help`, className: 'help' }, help),
    );
  };

  const makeText = (path, value, control, name) => {
    const isLong = control === 'markdown' && LONG.test(name);
    const input = make(isLong ? 'textarea' : 'input', {
      value: value ?? '',
      'data-at': keyOf(path),
      onchange: async () => {
        const isPath = name === 'path' && file.startsWith('content/pages/'),
          old = value;
        value = input.value.trim();
        await setValue(path, value);
        if (isPath) offerRedirect(input, old, value);
      },
    });
    if (!isLong)
      input.setAttribute('type', { email: 'email', number: 'number', url: 'text' }[control] ?? 'text');
    if (control !== 'date' && control !== 'period') return input;
    input.setAttribute('placeholder', control === 'date' ? '2024-05' : '2021 - present');
    const output = make('output', { className: 'reading' });
    const explain = async () => {
      output.textContent = input.value
        ? await page.call('readDate', input.value).catch(error => error.message)
        : '';
    };
    input.addEventListener('input', explain);
    explain();
    return make('div', { className: 'pair' }, input, output);
  };

  /** A page that had another path: who has its old address can be led to the new one. */
  const offerRedirect = (input, old, path) => {
    const byName = `/${file.replace(/^.*\/|\.\w+$/g, '')}/`,
      [from, to] = [old || byName, path || byName];
    const field = input.closest('.field');
    field?.querySelector('.redirect')?.remove();
    if (from === to) return;
    const add = async () => {
      try {
        await page.edit('setValue', 'site.yaml', '', ['redirects', from], to);
        note.remove();
      } catch (error) {
        page.say(/** @type {Error} */ (error).message);
      }
    };
    const text = `This page was at ${from}. `;
    const note = make(
      'p',
      { className: 'help redirect' },
      text,
      makeButton('Lead readers from there to here', `Add a redirect from ${from}`, add),
    );
    field?.append(note);
  };

  const makeLines = (path, value) => {
    const lines = isTexts(value) ? value : [value].filter(Boolean);
    const save = () => {
      const items = input.value
        .split('\n')
        .map(line => line.trim())
        .filter(Boolean);
      // One line stays a text if it was one: "Ada", and not a list.
      value = items.length === 1 && typeof value === 'string' ? items[0] : items;
      setValue(path, items.length ? value : null);
    };
    const input = make('textarea', {
      value: lines.join('\n'),
      rows: Math.max(2, lines.length),
      placeholder: 'one a line',
      'data-at': keyOf(path),
      onchange: save,
    });
    return input;
  };

  /** YAML that no control shows: its text, and why it is a text. */
  const makePart = (name, reason, text, at, save) => {
    const input = make('textarea', {
      value: text,
      spellcheck: false,
      className: 'source',
      'data-at': at,
      onchange: () => save(input.value),
    });
    return makeField(name, reason, input);
  };

  const makeLinks = (path, value, schema) => {
    const listRows = (mapping, at) => Object.entries(mapping).map(([key, url]) => [key, url, [...at, key]]);
    const listItemRows = (item, at) => (typeof item === 'string' ? [['', item, at]] : listRows(item, at));
    const rows = Array.isArray(value)
      ? value.flatMap((item, at) => listItemRows(item, [...path, at]))
      : listRows(value ?? {}, path);
    const box = make('div', { className: 'rows', role: 'group' });
    for (const [key, url, at] of rows) {
      const input = make('input', {
        value: url,
        'aria-label': `address of ${key || url}`,
        'data-at': keyOf(at),
        onchange: () => setValue(at, input.value.trim()),
      });
      box.append(
        make('span', { className: 'service' }, key || '–'),
        input,
        makeButton('✕', `Remove ${key || url}`, () => replaceValue(at, null)),
      );
    }
    const list = make(
      'datalist',
      { id: `services-${(count += 1)}` },
      ...Object.keys(schema.properties ?? {}).map(name => make('option', { value: name })),
    );
    const name = make('input', {
      placeholder: 'service',
      'aria-label': 'service or label of a new link',
      'data-at': `${keyOf(path)}+name`,
    });
    name.setAttribute('list', list.id);
    const url = make('input', {
      placeholder: 'name or address',
      'aria-label': 'address of the new link',
      'data-at': `${keyOf(path)}+url`,
    });
    const guess = () => findService(url.value.trim(), Object.keys(schema.properties ?? {}));
    const add = () =>
      (name.value ||= guess()) &&
      url.value &&
      (Array.isArray(value)
        ? replaceValue([...path, value.length], { [name.value.trim()]: url.value.trim() })
        : replaceValue([...path, name.value.trim()], url.value.trim()));
    url.addEventListener('change', add);
    box.append(name, url, makeButton('+', 'Add the link', add), list);
    return box;
  };

  const makePicture = (entry, name, value) => {
    const at = keyOf([...entry.path, name]),
      address = value && page.showPicture(value);
    const input = make('input', {
      type: 'file',
      accept: 'image/*',
      'data-at': at,
      onchange: () => input.files?.[0] && takeFile(entry, name, 'images', input.files[0]),
    });
    const image = address ? [make('img', { src: address, alt: '' })] : [];
    const remove = value
      ? [make('span', {}, value), makeButton('✕', 'Remove the picture', () => setField(entry, name, null))]
      : [];
    return make('div', { className: 'picture' }, ...image, input, ...remove);
  };
  /** Keep a file in the site, and name it in a field. */
  const takeFile = async (entry, name, folder, dropped) => {
    try {
      await setField(entry, name, await page.addFile(folder, dropped));
    } catch (error) {
      page.say(/** @type {Error} */ (error).message);
    }
  };
  /** A field for the name of a PDF, with the choice of one. */
  const addChooser = (input, take) => {
    const chooser = make('input', {
      type: 'file',
      accept: '.pdf',
      'aria-label': 'Choose a PDF',
      onchange: () => chooser.files?.[0] && take(chooser.files[0]),
    });
    return make('div', { className: 'rows' }, input, chooser);
  };
  /** What is dropped on an entry: a picture, or the PDF of a talk. @param {HTMLElement} box @param {Entry} entry */
  const takeDrops = (box, entry, properties) => {
    box.ondragover = event => event.preventDefault();
    box.ondrop = event => {
      const dropped = event.dataTransfer?.files[0];
      if (!dropped) return;
      event.preventDefault();
      event.stopPropagation();
      const isPdf = /\.pdf$/i.test(dropped.name),
        isPicture = name => properties[name]?.['x-control'] === 'picture';
      const name = isPdf ? 'slides' : (Object.keys(properties).find(isPicture) ?? '');
      if (name in properties) takeFile(entry, name, isPdf ? 'files' : 'images', dropped);
      else
        page.say(isPdf ? 'A PDF belongs to a talk or a paper; drop it there.' : 'This entry has no picture.');
    };
  };

  /** The buttons that move an item of a list; the focus stays on the button. */
  const makeMoves = (name, path, at, length) => {
    const makeMove = (sign, where, to) => {
      const move = () => {
        if (to < 0 || to >= length || to === at) return;
        if (open.delete(at)) open.add(to);
        focusNext(`${keyOf([...path, to])} ${where}`);
        edit(true, 'moveItem', [...path, at], to);
      };
      return Object.assign(makeButton(sign, `Move ${name} ${where}`, move), {
        disabled: to < 0 || to >= length || to === at,
      });
    };
    const moves = [
      makeMove('⤒', 'to the top', at ? 0 : -1),
      makeMove('↑', 'up', at - 1),
      makeMove('↓', 'down', at + 1),
    ];
    for (const button of moves)
      button.dataset.at = `${keyOf([...path, at])} ${button.title.slice(name.length + 6)}`;
    return moves;
  };

  // Pages, and the sections of a page: each has a name, alone or with settings below it, which stay as they are.
  const makeOrder = (path, items, what) => {
    const list = make('ol', { className: 'order' });
    items.forEach((item, at) => {
      const key = typeof item === 'string' ? item : Object.keys(item)[0],
        name = key === 'path' ? `path ${item.path}` : key;
      const sections = item?.sections ?? item?.[key]?.sections,
        inner = item?.sections ? [...path, at, 'sections'] : [...path, at, key, 'sections'];
      const row = make(
        'li',
        {},
        make('span', {}, label(name)),
        ...makeMoves(name, path, at, items.length),
        makeButton('✕', `Remove ${name}`, () => replaceValue([...path, at], null)),
      );
      if (Array.isArray(sections)) row.append(makeOrder(inner, sections, 'section'));
      list.append(row);
    });
    const input = make('input', {
      'aria-label': `name of a new ${what}`,
      placeholder: `add a ${what}: talks`,
      'data-at': `${keyOf(path)}+`,
      onchange: () => input.value.trim() && replaceValue([...path, items.length], input.value.trim()),
    });
    input.setAttribute('list', 'collections');
    list.append(make('li', {}, input));
    return list;
  };

  /** The control of a field; null if none can show its value. @param {Entry} entry */
  const makeControl = (entry, name, schema, path, value) => {
    const control = schema['x-control'] ?? (/^(start|end)$/.test(name) ? 'date' : 'text'),
      kind = control.replace('list:', '');
    const help = schema.description ?? '',
      choices = (schema.anyOf ?? []).flatMap(part => part.enum ?? part.items?.enum ?? []);
    if (kind === 'links' && (!value || typeof value === 'object'))
      return makeField(name, help, makeLinks(path, value, schema));
    if (name === 'pages' && Array.isArray(value))
      return makeField(name, help, makeOrder(path, value, 'page'));
    if (kind === 'picture' && (!value || typeof value === 'string'))
      return makeField(name, help, makePicture(entry, name, value));
    if (kind === 'checkbox') {
      const box = make('input', {
        type: 'checkbox',
        checked: /^(true|yes|on)$/i.test(value ?? String(name === 'menu')),
        'data-at': keyOf(path),
        onchange: () => setValue(path, String(box.checked)),
      });
      return makeField(name, help, box);
    }
    if (kind === 'choice' && control === kind && (!value || typeof value === 'string')) {
      const select = make(
        'select',
        { 'data-at': keyOf(path), onchange: () => setValue(path, select.value) },
        ...['', ...new Set([...choices, ...(value ? [value] : [])])].map(text =>
          make('option', { value: text }, text),
        ),
      );
      select.value = value ?? '';
      return makeField(name, help, select);
    }
    const takesLines = control.startsWith('list:') || kind === 'points';
    if (takesLines && (!value || typeof value === 'string' || isTexts(value)) && kind !== 'record')
      return makeField(name, help, makeLines(path, value));
    if (
      (!value && kind !== 'record') ||
      typeof value === 'string' ||
      (kind === 'record' && !value && name === 'affiliation')
    ) {
      const input = makeText(path, value, kind, name);
      const take = chosen => takeFile(entry, name, 'files', chosen);
      return makeField(name, help, name === 'slides' ? addChooser(input, take) : input);
    }
    return null;
  };

  /** The fields of an entry: those of its kind and those that have a value, then the others. @param {Entry} entry @param {Record<string, any>} properties @param {string} schema */
  const makeFields = (entry, properties, schema) => {
    const box = make('div', { className: 'fields' }),
      more = make('div', { className: 'fields' }),
      hasPeriod = 'start' in entry.fields || 'end' in entry.fields;
    const isLine = Object.values(entry.fields).some(field => !field.key);
    takeDrops(box, entry, properties);
    if (entry.reason)
      return make(
        'div',
        { className: 'fields' },
        makePart(
          'text',
          `This is ${entry.reason}, so it has no fields here; as it is written in the file`,
          entry.text ?? '',
          keyOf(entry.path),
          part => edit(true, 'setPart', entry.path, part),
        ),
      );
    for (const [name, description] of Object.entries(properties).sort(
      (a, b) => Number(b[1]['x-own'] ?? false) - Number(a[1]['x-own'] ?? false),
    )) {
      const isRange = name === 'start' || name === 'end';
      if (
        (isRange && !hasPeriod) ||
        (description['x-control'] === 'period' && hasPeriod && !entry.fields[name]) ||
        name === 'draft' ||
        (schema === 'site' && name === 'theme')
      )
        continue;
      const { key, value, text } = entry.fields[name] ?? {},
        path = [...entry.path, key || name];
      const help = description.description ?? '',
        at = keyOf(isLine && key === null ? entry.path : path);
      let control = isLine
        ? makeField(
            name,
            help,
            make('input', {
              value: value ?? '',
              'data-at': at,
              onchange: event => setField(entry, name, event.target.value.trim()),
            }),
          )
        : makeControl(entry, name, description, path, value);
      if (!control && value)
        control = makePart(name, `${help}; as it is written in the file`, text ?? '', at, part =>
          edit(true, 'setPart', path, part),
        );
      const isFirst =
        value !== undefined ||
        name === entry.main ||
        (schema === 'site' ? SITE_FIELDS.includes(name) : description['x-own']);
      if (!control) continue;
      (isFirst ? box : more).append(control);
    }
    for (const { key, text } of entry.others) {
      const path = [...entry.path, key ?? ''];
      box.append(
        makePart(key ?? '', 'as it is written in the file', text ?? '', keyOf(path), part =>
          edit(true, 'setPart', path, part),
        ),
      );
    }
    if (more.childElementCount) {
      const details = make(
        'details',
        { open: showsMore.has(keyOf(entry.path)) },
        make('summary', { 'data-at': `more ${keyOf(entry.path)}` }, 'More fields'),
        more,
      );
      details.ontoggle = () =>
        details.open ? showsMore.add(keyOf(entry.path)) : showsMore.delete(keyOf(entry.path));
      box.append(details);
    }
    return box;
  };

  const nameEntry = entry => {
    if (entry.reason) return `${entry.path.at(-1) ?? 'Text'}`;
    const value =
      entry.fields[entry.main]?.value ??
      Object.values(entry.fields).find(field => typeof field.value === 'string')?.value;
    return typeof value === 'string' && value ? value.split('\n')[0] : 'New entry';
  };

  const makeCards = (form, properties) => {
    const noun = SINGULAR[form.schema] ?? 'entry',
      list = make('ol', { className: 'cards' });
    const added = Array.from({ length: blanks }, (_, at) => ({
      path: [...form.at, size + at],
      line: 0,
      main: form.main,
      fields: {},
      others: [],
    }));
    [...form.entries, ...added].forEach((entry, at) => {
      const name = nameEntry(entry),
        date = ['date', 'period', 'term', 'start'].map(key => entry.fields[key]?.value).find(Boolean) ?? '';
      const card = make(
        'details',
        { open: open.has(at) },
        make(
          'summary',
          { 'data-at': `card ${keyOf(entry.path)}` },
          make('span', { className: 'name' }, name),
          make('span', { className: 'date' }, String(date)),
        ),
      );
      card.addEventListener('change', ({ target }) => {
        const input = /** @type {HTMLInputElement} */ (target);
        if (input.dataset.at === keyOf([...entry.path, entry.fields[entry.main]?.key || entry.main]))
          card.querySelector('.name')?.replaceChildren(input.value || 'New entry');
      });
      const fill = () => {
        if (!card.open || card.querySelector('.fields')) return;
        const tools = make('p', { className: 'tools' });
        const remove = () => {
          focusNext('add');
          if (at < size) return replaceValue(entry.path, null);
          blanks -= 1;
          return show(file);
        };
        const drawTools = () => {
          const shown = card.querySelector('.name')?.textContent ?? '';
          const moves = form.list && at < size ? makeMoves(shown, form.at, at, size) : [];
          tools.replaceChildren(...moves, makeButton('Remove', `Remove ${shown}`, remove));
        };
        drawTools();
        toolDrawers.push(drawTools);
        card.append(makeFields(entry, properties, form.schema), tools);
      };
      card.ontoggle = () => {
        if (card.open) open.add(at);
        else open.delete(at);
        fill();
      };
      fill();
      list.append(make('li', {}, card));
    });
    if (!form.list) return list;
    return make(
      'div',
      {},
      list,
      make(
        'button',
        { type: 'button', className: 'add', 'data-at': 'add', onclick: addEntry },
        `Add a ${noun}`,
      ),
    );
  };

  const makePapers = listed => {
    const box = make('div', { className: 'fields' }),
      doi = make('input', { placeholder: '10.1145/3297858.3304013', 'data-at': 'doi' });
    const paste = make('textarea', {
      rows: 5,
      placeholder: '@article{…}',
      spellcheck: false,
      'data-at': 'bibtex',
    });
    const ask = async () => {
      try {
        if (await edit(true, 'addPaper', await page.askDoi(doi.value.trim()))) clear('doi');
      } catch (error) {
        page.say(/** @type {Error} */ (error).message);
      }
    };
    const add = async () => {
      if (paste.value.trim() && (await edit(true, 'addPaper', paste.value))) clear('bibtex');
    };
    const clear = at => Object.assign(parent.querySelector(`[data-at=${at}]`) ?? {}, { value: '' });
    box.append(
      makeField(
        'DOI',
        'doi.org is asked for the BibTeX of this paper when you press the button',
        make('div', { className: 'pair' }, doi, makeButton('Ask doi.org', 'Ask doi.org for this paper', ask)),
      ),
      makeField(
        'BibTeX',
        'paste one entry from a publisher, DBLP or Google Scholar',
        make('div', { className: 'pair' }, paste, makeButton('Add', 'Add the entry', add)),
      ),
    );
    return make('div', {}, box, make('ol', { className: 'cards' }, ...listed.map(makePaper)));
  };
  const makePaper = ({ key, title, year, selected, preprints }) => {
    const check = make('input', {
      type: 'checkbox',
      checked: selected,
      'aria-label': `Selected: ${title}`,
      'data-at': `selected-${key}`,
      onchange: () => setAddition(key, 'selected', check.checked ? 'true' : null),
    });
    const card = make(
      'details',
      { 'data-key': key },
      make(
        'summary',
        { 'data-at': `card ${key}` },
        make('span', { className: 'name' }, title),
        make('span', { className: 'date' }, year),
      ),
    );
    const fill = () => fillPaper(card, { key, title, preprints });
    paperFillers.set(key, fill);
    card.ontoggle = () => card.open && !card.dataset.filled && fill();
    return make(
      'li',
      { className: 'paper' },
      make('label', { className: 'selected', title: 'on the home page' }, check, ' selected'),
      card,
    );
  };
  /** The fields of a paper as its entry has them, and those of the preprint that is shown with it. */
  const fillPaper = async (card, { key, title, preprints }) => {
    card.dataset.filled = 'yes';
    const box = await makePaperFields(file, key);
    written = page.version(file);
    for (const preprint of preprints) {
      const found = await findPaper(preprint);
      if (found)
        box.append(
          make(
            'fieldset',
            {},
            make('legend', {}, `Preprint ${preprint}`),
            await makePaperFields(found, preprint),
          ),
        );
    }
    const remove = makeButton('Remove', `Remove ${title}`, () => edit(true, 'removePaper', key));
    card.append(box, make('p', { className: 'tools' }, remove));
  };
  /** The .bib file with an entry; "" if there is none. */
  const findPaper = async key => {
    for (const path of page.listFiles().filter(name => name.endsWith('.bib'))) {
      if (await page.read('readPaper', path, key).catch(() => null)) return path;
    }
    return '';
  };
  /** The fields of an entry, and those that are often missing; each is changed at its place. */
  const makePaperFields = async (path, key) => {
    const box = make('div', { className: 'fields' });
    const change = async (name, value) => {
      if (path === file) return edit(false, 'setPaperField', key, name, value);
      try {
        return await page.edit('setPaperField', path, '', key, name, value);
      } catch (error) {
        return page.say(/** @type {Error} */ (error).message);
      }
    };
    const takePdf = async chosen => {
      try {
        await change('pdf', await page.addFile('papers', chosen, key));
        await show(file);
      } catch (error) {
        page.say(/** @type {Error} */ (error).message);
      }
    };
    try {
      const fields = await page.read('readPaper', path, key);
      for (const name of new Set([...Object.keys(fields), ...PAPER_FIELDS])) {
        const isLong = /abstract|author|title|note/.test(name),
          value = fields[name] ?? '';
        const input = make(isLong ? 'textarea' : 'input', {
          value,
          'data-at': keyOf([key, name]),
          onchange: () => change(name, input.value.trim()),
        });
        box.append(
          makeField(name, PAPER_HELPS[name] ?? '', name === 'pdf' ? addChooser(input, takePdf) : input),
        );
      }
    } catch (error) {
      const text = await page.read('readText', path);
      box.append(
        makePart(
          'text',
          `This entry has no fields here: ${/** @type {Error} */ (error).message}`,
          text,
          keyOf([key]),
          changed => edit(true, 'setText', changed),
        ),
      );
    }
    box.ondragover = event => event.preventDefault();
    box.ondrop = event => {
      const dropped = event.dataTransfer?.files[0];
      if (!dropped) return;
      event.preventDefault();
      event.stopPropagation();
      takePdf(dropped);
    };
    return box;
  };
  const setAddition = async (key, field, value) => {
    try {
      await page.edit('setAddition', ADDITIONS, '', key, field, value);
    } catch (error) {
      page.say(/** @type {Error} */ (error).message);
    }
  };

  const makeBody = form => {
    const input = make('textarea', {
      value: form.body.trim(),
      rows: 14,
      'data-at': 'body',
      onchange: () => edit(false, 'setBody', input.value),
    });
    return makeField('text', 'Markdown: **bold**, [a link](https://…), a list with hyphens', input);
  };

  const makeForm = async path => {
    if (path.endsWith('.bib')) {
      const listed = await page.call('papers', path);
      [entries, size, papers] = [[], 0, JSON.stringify(listed)];
      return makePapers(listed);
    }
    const form = /** @type {Form} */ (await page.read('readForm', path)),
      properties = findProperties(schemas[form.schema]);
    ({ entries } = form);
    size = entries.length;
    const fields = entries.length === 1 && makeFields(entries[0], properties, form.schema);
    if (fields && typeof form.body === 'string')
      return make('div', { className: 'fields' }, fields, makeBody(form));
    return fields && ['site', 'profile', 'counts'].includes(form.schema)
      ? fields
      : makeCards(form, properties);
  };

  /** Show the form of a file; where it cannot have one, its text, and why. @param {string} path */
  const show = async path => {
    if (path !== file) {
      open = new Set([0]);
      showsMore = new Set();
      blanks = 0;
      typing = '';
    }
    const isSame = path === file;
    file = path;
    toolDrawers = [];
    paperFillers = new Map();
    const box = make('form', { onsubmit: event => event.preventDefault(), 'aria-label': `Form of ${path}` });
    try {
      schemas ??= await page.call('schemas');
      box.append(await makeForm(path));
    } catch (error) {
      [entries, size] = [[], 0];
      const reason = `This file has no form: ${/** @type {Error} */ (error).message}`,
        text = await page.read('readText', path).catch(() => null);
      box.append(
        text === null
          ? make('p', { className: 'help' }, reason)
          : makePart('text', reason, text, 'text', changed => edit(true, 'setText', changed)),
      );
    }
    const opened = parent.querySelector('details[open][data-key]')?.getAttribute('data-key') ?? '';
    await paperFillers.get(opened)?.(); // so that its fields are there for the focus
    if (path !== file) return;
    drawnVersions[drawing] = written;
    drawing += 1;
    written = page.version(path);
    box.append(
      make(
        'datalist',
        { id: 'collections' },
        ...[...LISTS, 'publications', 'about', 'cv'].map(name => make('option', { value: name })),
      ),
    );
    const { activeElement } = document;
    if (findFocus() && findFocus() !== focusOrigin) focused = '';
    focused ||= findFocus();
    for (const at of isSame ? ['bibtex', 'doi'] : []) {
      const { value = '' } = /** @type {any} */ (parent.querySelector(`[data-at=${at}]`) ?? {});
      Object.assign(box.querySelector(`[data-at=${at}]`) ?? {}, { value }); // is not written yet
    }
    parent.replaceChildren(box);
    if (opened) Object.assign(box.querySelector(`[data-key="${CSS.escape(opened)}"]`) ?? {}, { open: true });
    showProblems();
    const target = focused && /** @type {any} */ (parent.querySelector(`[data-at="${CSS.escape(focused)}"]`));
    target?.focus?.();
    if (target && typing === focused && 'value' in target) keepTyping(target, activeElement);
    if (target && 'value' in target) keepSelection(target, activeElement);
    focused = '';
  };
  /** Put what is being typed into the new control; a browser sends "change" only for what was typed into this one. */
  const keepTyping = (control, old) => {
    control.value = old.value;
    const save = () => typing === control.dataset.at && control.dispatchEvent(new Event('change', { bubbles: true }));
    control.addEventListener('blur', save, { once: true });
  };
  const keepSelection = (control, old) => {
    if (Number.isInteger(old?.selectionStart)) control.setSelectionRange?.(old.selectionStart, old.selectionEnd);
  };
  /** The place of the control with the focus; "" if it is outside the form. */
  const findFocus = () => {
    const { activeElement } = document;
    return (parent.contains(activeElement) && /** @type {HTMLElement} */ (activeElement).dataset.at) || '';
  };
  const focusNext = at => {
    focused = at;
    focusOrigin = findFocus();
  };
  /** Begin an entry of the list: it is written with its first value. */
  const addEntry = async () => {
    await queue;
    if (!parent.querySelector('.add')) return;
    open.add(size + blanks);
    blanks += 1;
    await show(file);
    /** @type {HTMLElement | null | undefined} */ (
      parent.querySelector('.cards > li:last-child')?.querySelector('input, textarea')
    )?.focus();
  };
  /** Show the form of a file with one entry open. @param {string} path @param {{line?: number, key?: string}} entry */
  const showEntry = async (path, { line = 0, key = '' }) => {
    await queue;
    await show(path);
    if (!line && !key) return;
    const at = key ? -1 : entries.findLastIndex(entry => entry.line <= line);
    const cards = /** @type {NodeListOf<any>} */ (parent.querySelectorAll('.cards > li > details'));
    cards.forEach((card, number) => {
      card.open = key ? card.dataset.key === key : number === Math.max(at, 0);
    });
    const chosen = [...cards].find(card => card.open);
    chosen?.scrollIntoView({ block: 'start' });
    chosen?.querySelector('summary').focus({ preventScroll: true });
  };
  /** After a build, or another change of the file: show its problems, and other values than the form has written. */
  const refresh = () => {
    queue = queue.then(async () => {
      const hasOtherPapers =
        file.endsWith('.bib') && JSON.stringify(await page.call('papers', file)) !== papers;
      if (file && (hasOtherPapers || page.version(file) !== written)) await show(file);
      else showProblems();
    });
    return queue;
  };
  return { show, showEntry, refresh, addEntry, finish: () => queue };
};

/** The properties of the entries of a schema: of a list, or of a mapping. @param {any} schema */
const findProperties = schema => {
  if (schema.properties) return schema.properties;
  const reference = JSON.stringify(schema.anyOf).match(/#\/definitions\/(\w+)/);
  return reference ? schema.definitions[reference[1]].properties : {};
};

/** What can be added to a site: its name and its file. @param {string[]} paths @returns {[string, string][]} */
export const listNewFiles = paths => {
  const lists = LISTS.filter(
    name => !paths.some(path => path.startsWith(`content/${name}.y`) || path.startsWith(`content/${name}/`)),
  );
  const page =
    [1, 2, 3, 4, 5, 6, 7, 8, 9]
      .map(number => `content/pages/page-${number}.md`)
      .find(path => !paths.includes(path)) ?? '';
  return [
    ...(paths.includes('content/about.md')
      ? []
      : [/** @type {[string, string]} */ (['A text about you', 'content/about.md'])]),
    ...lists.map(name => /** @type {[string, string]} */ ([label(name), `content/${name}.yaml`])),
    ...(paths.some(path => path.endsWith('.bib'))
      ? []
      : [/** @type {[string, string]} */ (['Publications', 'bib/publications.bib'])]),
    ['A page', page],
  ];
};

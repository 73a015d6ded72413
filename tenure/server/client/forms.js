// The form of a source: the fields of its JSON Schema beside the values that Python reads. A change writes one value, by its place.
import { isMapping, keyOf, make, makeButton, makeChoices, makeField } from './elements.js';
import { makeFields, makePart } from './fields.js';
import { makeEntries } from './lists.js';
import { explainProblem } from './panels.js';
import { makePapers } from './papers.js';
import { addMarkButtons, nameLanguage } from './texts.js';

/**
 * @typedef {import('./elements.js').Path} Path
 * @typedef {{key: string | null, value: any, line: number, column?: number, end: number, text?: string, records?: Entry[]}} Value a value, its key (null in an entry of one line), its lines, its YAML if it is no text, and the records in it
 * @typedef {{path: Path, line: number, column?: number, end?: number, main: string, name?: string, fields: Record<string, Value>, others: Value[], reason?: string, text?: string}} Entry
 * @typedef {{schema: string, main: string, list: boolean, at: Path, entries: Entry[], body: string | null}} Source
 * @typedef {{file: string, line: number, column?: number, level: string, code?: string, message: string, hint: string, edits: any[]}} Problem
 * @typedef {{names: Record<string, string>, languages: string[], people: Record<string, string>, papers: Record<string, string>, tags: Record<string, string>, pages: Record<string, string>}} Facts what the last build knows
 * @typedef {object} Page what the form asks of the page
 * @property {(name: string, ...values: any[]) => Promise<any>} call asks what is in no source: "schemas", "papers", and TEXT_CALLS of form_calls.py
 * @property {(name: string, file: string, ...values: any[]) => Promise<any>} read reads a source: a name of FORM_READS in form_calls.py
 * @property {(name: string, file: string, base: string, ...values: any[]) => Promise<void>} edit changes a source: a name of FORM_EDITS, and the version that the values are of, "" for the last
 * @property {(file: string) => string} version another text for each text of a source
 * @property {() => string[]} listFiles the names of all sources
 * @property {() => Facts} facts
 * @property {(file: string) => Promise<any>} open opens the form of another source
 * @property {(file: string) => Problem[]} findProblems
 * @property {(problem: Problem) => void} repair
 * @property {(problem: Problem) => string} [explain] the address of what a problem means
 * @property {(folder: string, file: File, name?: string) => Promise<string>} addFile keeps a picture or a PDF in a folder of content/, and returns its name
 * @property {(name: string) => string} showPicture the address of a picture of the site, or ""
 * @property {(text: string) => void} say
 * @property {(name: string) => void} sayRemoved
 */

const NOUNS = {
  education: 'degree',
  experience: 'position',
  projects: 'project',
  talks: 'talk',
  awards: 'award',
  service: 'role',
  teaching: 'course',
  news: 'news item',
  people: 'person',
  coauthors: 'co-author',
  publications: 'paper',
};
/** The description of a picture, by the field of the picture. @type {Record<string, string>} */
const DESCRIPTIONS = { image: 'image_alt', photo: 'photo_alt', file: 'alt' };
/** The controls in which one types. */
const TYPED = 'textarea, input:not([type=checkbox], [type=file])';
/** The facts before the first build. @type {Facts} */
export const NO_FACTS = { names: {}, languages: ['en'], people: {}, papers: {}, tags: {}, pages: {} };

/**
 * The form in an element.
 * @param {HTMLElement} parent
 * @param {Page} page
 */
export const createForm = (parent, page) => {
  let schemas = null,
    written = '',
    queue = Promise.resolve();
  /** What gets the focus when the form is drawn again, if it has not left the control that had it. */
  let focused = '',
    focusOrigin = '';
  /** The place of the control with the focus; "" if it is outside the form. */
  const findFocus = () => {
    const { activeElement } = document;
    return (parent.contains(activeElement) && /** @type {HTMLElement} */ (activeElement).dataset.at) || '';
  };
  /** How often a form was drawn, and the text of each before it was drawn again. */
  let drawing = 0;
  /** @type {string[]} */
  const drawnVersions = [];
  /** The control in which something is typed that is not written yet. */
  let typing = '';
  /** @type {Entry[]} */
  let entries = [];
  /** The papers that are shown, and the languages for which there are boxes. */
  let papers = '',
    languages = '';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let typingTimer;
  /** The text with which each control was written last: one that is left without another text is not written again. @type {WeakMap<EventTarget, string>} */
  const writtenTexts = new WeakMap();
  /** The number of changes that are being written. */
  let pendingEdits = 0;
  /** Write what is typed and not yet complete only when one leaves it: "{On W", an empty text, a part of a list. */
  const canWriteTyped = ({ value, dataset }) =>
    value.trim() && !dataset.kept && !dataset.whole && value.split('{').length === value.split('}').length;
  const writeTyped = () => {
    const { activeElement } = /** @type {any} */ (document);
    if (typing && findFocus() === typing && canWriteTyped(activeElement))
      activeElement.dispatchEvent(new Event('change', { bubbles: true }));
  };
  parent.addEventListener('input', ({ target }) => {
    const input = /** @type {HTMLInputElement} */ (target);
    if (!input.matches(TYPED)) return;
    typing = input.dataset.at ?? '';
    writtenTexts.delete(input);
    clearTimeout(typingTimer);
    typingTimer = setTimeout(writeTyped, 1000);
  });
  addEventListener('beforeunload', event => {
    if (pendingEdits || (typing && findFocus() === typing)) event.preventDefault();
  });
  /** Whether a form is being replaced: a browser then says that its focused control has changed, which nobody has left. */
  let isReplacing = false;
  parent.addEventListener(
    'change',
    event => {
      const input = /** @type {HTMLInputElement} */ (event.target);
      if (isReplacing || writtenTexts.get(input) === input.value) return event.stopImmediatePropagation();
      typing = '';
      if (input.matches(TYPED)) writtenTexts.set(input, input.value);
      return undefined;
    },
    true,
  );

  /** A press ends in the form in which it began: one that is drawn meanwhile waits. */
  let released = Promise.resolve(),
    release = () => {};
  const hold = () => {
    release();
    released = new Promise(resolve => {
      release = resolve;
    });
  };
  parent.addEventListener('pointerdown', ({ button, target }) => {
    // A browser does not say that the list of a choice was left.
    const isChoice = /** @type {HTMLElement} */ (target).closest('select');
    if (button === 0 && !isChoice) hold();
  });
  parent.addEventListener('keydown', ({ key, repeat, target }) => {
    const isTyping = /** @type {HTMLElement} */ (target).matches(TYPED);
    if (key === ' ' && !repeat && !isTyping) hold();
  });
  // The click comes after these.
  for (const name of ['pointerup', 'pointercancel', 'contextmenu', 'keyup', 'blur'])
    addEventListener(name, () => setTimeout(release));

  /** Change the source; the form is drawn again only if its entries have changed, so that nobody loses what is being typed. */
  const edit = (draws, name, ...values) => {
    const edited = form.file,
      from = drawing;
    pendingEdits += 1;
    // Of an entry that is moved or removed, the place is then that of another.
    if (entries.some(({ path }) => path.length && Array.isArray(values[0]) && keyOf(path) === keyOf(values[0])))
      form.firstFields.clear();
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
      // A value that is set moves no other: what was typed in the same drawing is an edit of the new text.
      if (name === 'setValue' && values[1] !== null && edited === form.file) written = page.version(edited);
    } catch (error) {
      reason = /** @type {Error} */ (error).message;
      page.say(reason);
    } finally {
      pendingEdits -= 1;
    }
    if (edited !== form.file) return !reason;
    // A form that was drawn before the edit was written has the value before.
    if (draws || reason || from !== drawing) await show(form.file);
    else await keepForm(edited);
    const typed = values.at(-1);
    if (reason && typed && typeof typed === 'string' && name !== 'addPaper') {
      const words = { title: 'Not written', help: reason, at: 'refused' };
      parent.querySelector('form')?.prepend(makePart(words, typed, () => {}));
    }
    return !reason;
  };
  /** Keep the form after a change of a value, and what depends on its entries. */
  const keepForm = async edited => {
    written = page.version(form.file);
    if (form.file.endsWith('.bib') || form.isText) return undefined;
    const source = /** @type {Source} */ (await page.read('readForm', edited));
    if (edited !== form.file || form.isText) return undefined;
    if (source.entries.length < form.size) return show(form.file);
    form.blanks -= source.entries.length - form.size;
    form.size = source.entries.length;
    ({ entries } = source);
    for (const drawTools of form.toolDrawers) drawTools();
    return showProblems();
  };
  const setValue = (path, value) => edit(false, 'setValue', path, value);
  const replaceValue = (path, value) => edit(true, 'setValue', path, value);

  /** Write a field of an entry; an entry of one line gets fields with it, and one that is new is written with it. */
  const write = (entry, name, value, draws) => {
    if (entry.above) return writeFirst(entry, name, value);
    const keys = Object.keys(entry.fields);
    if (entry.fields[name]) entry.fields[name].value = value;
    // A page or a CV without its last setting is its name alone: an item of the list, or a key.
    if (value === null && entry.isNamed && entry.name && keys.join() === name)
      return typeof entry.path.at(-2) === 'number'
        ? replaceValue(entry.path.slice(0, -1), entry.name)
        : edit(true, 'setPart', entry.path, '{}');
    if (!entry.isLine) {
      const path = [...entry.path, entry.fields[name]?.key || name];
      return draws ? replaceValue(path, value) : setValue(path, value);
    }
    if (!entry.isNested) return edit(true, 'setItemField', entry.path, name, value);
    const isTranslated = isMapping(value);
    if (name === entry.main) return setValue(entry.path, isTranslated ? { [name]: value } : value);
    const { value: text } = entry.fields[entry.main];
    if (value === null) return undefined;
    return replaceValue(
      entry.path,
      entry.isNamed ? { [text]: { [name]: value } } : { [entry.main]: text, [name]: value },
    );
  };
  /** Write a record with its first field: alone, or after those that the field has. */
  const writeFirst = ({ above, main }, name, value) => {
    if (value === null) return undefined;
    const record = name === main && !isMapping(value) ? value : { [name]: value };
    form.open.delete(`${above.at} another`);
    form.open.add(keyOf([...above.path, [above.value ?? []].flat().length]));
    if (Array.isArray(above.value)) return replaceValue([...above.path, above.value.length], record);
    if (above.value !== undefined) return above.put([above.value, record], true);
    return above.put(above.isList && above.name !== 'affiliation' ? [record] : record, true);
  };
  /** Do something, and say why it does not work. */
  const tryTo = async action => {
    try {
      return await action();
    } catch (error) {
      return page.say(/** @type {Error} */ (error).message);
    }
  };

  /** What the parts of the form share. */
  const form = {
    parent,
    page,
    file: '',
    /** Whether the text of the file is shown, and not its fields. */
    isText: false,
    /** The kind of text of a Markdown file: "about", "pages", "projects". */
    folder: '',
    /** @type {any} */
    schema: {},
    noun: 'entry',
    /** The places of the cards and of the other fields that are open. */
    open: new Set(),
    /** Whether each field is one of the first, as it was when the file was opened: a field that is filled stays in its place. @type {Map<string, boolean>} */
    firstFields: new Map(),
    /** The fields of each paper in the order in which they were first shown. @type {Map<string, string[]>} */
    paperFields: new Map(),
    /** The entries that are not written yet, and the number of the others. */
    blanks: 0,
    size: 0,
    /** Read the fields of a paper into its card, by its key. @type {Map<string, () => Promise<void>>} */
    paperFillers: new Map(),
    /** Say what gets the focus when the form is drawn again, if it has not left the control that has it. */
    focusNext: at => {
      focused = at;
      focusOrigin = findFocus();
    },
    /** Draw the tools of each open card again, when an entry was added. @type {(() => void)[]} */
    toolDrawers: [],
    edit,
    setValue,
    replaceValue,
    write,
    tryTo,
    show: path => show(path),
    addEntry: () => addEntry(),
    keepVersion: () => {
      written = page.version(form.file);
    },
    /** Remove an entry of a list whose cards are then closed, and say so. */
    remove: async (listPath, path, name) => {
      for (const at of form.open) if (at.startsWith(keyOf(listPath))) form.open.delete(at);
      if (await replaceValue(path, null)) page.sayRemoved(name);
    },
    keepOpen: (at, isOpen) => {
      if (isOpen) form.open.add(at);
      else form.open.delete(at);
    },
  };

  /** The fields, the cards and what is in them, with their lines, in the order of the file. @param {Entry[]} listed @returns {{at: string, name: string, line: number, column?: number, end?: number}[]} */
  const listPlaces = listed =>
    listed.flatMap(entry => [
      { ...entry, at: keyOf(entry.path), name: '' },
      ...Object.entries(
        /** @type {Record<string, Value>} */ ({
          ...entry.fields,
          ...Object.fromEntries(entry.others.map((other, at) => [at, other])),
        }),
      )
        .map(([name, value]) => ({ ...value, at: keyOf([...entry.path, value.key || name]), name }))
        .flatMap(value => [value, ...listPlaces(value.records ?? [])]),
    ]);
  /** Whether a problem is in a place; of several in one line, the last that begins before it is meant. */
  const isIn = (problem, { line, column = 1, end = line }) =>
    problem.line >= line &&
    problem.line < Math.max(line + 1, end) &&
    (problem.line > line || problem.column >= column);
  /** The places that a problem is in, the innermost last. */
  const findPlaces = problem =>
    listPlaces(entries)
      .toSorted((a, b) => a.line - b.line || (a.column ?? 1) - (b.column ?? 1))
      .filter(place => isIn(problem, place));
  /** The field or the card of a place, if it is drawn. */
  const findField = ({ at }) =>
    parent.querySelector(`[data-field="${CSS.escape(at)}"], [data-card="${CSS.escape(at)}"]`);
  /** The place of the description of a picture; that of another place is itself. */
  const findDescription = place => {
    const [name, path] = [DESCRIPTIONS[place.name], place.at.split('\u001f')];
    return name ? { ...place, name, at: keyOf([...path.slice(0, -1), name]) } : place;
  };
  /** The places that a problem is in, and what is to be written because of it, the innermost last. */
  const findProblemPlaces = problem => {
    const places = findPlaces(problem);
    return problem.code === 'missing-alt' ? [...places, ...places.slice(-1).map(findDescription)] : places;
  };
  /** Open what hides the field of a problem, and go to it. */
  const showField = problem => {
    /** @type {any} */
    let field = null;
    for (const place of findProblemPlaces(problem)) {
      field = findField(place) ?? field;
      if (!field?.matches('details')) continue;
      field.open = true;
      field.ontoggle();
    }
    let box = field?.closest('details:not([open])');
    while (box) {
      box.open = true;
      box = field.closest('details:not([open])');
    }
    field?.scrollIntoView({ block: 'center' });
    field?.querySelector('input, textarea, select, summary')?.focus({ preventScroll: true });
  };
  /** Show each problem below its field, or in its card, else above the form; with the repair if there is one. */
  const showProblems = () => {
    parent.querySelectorAll('p.problem').forEach(old => old.remove());
    const titles = form.isText ? {} : listTitles(form.schema);
    for (const problem of page.findProblems(form.file)) {
      const places = findProblemPlaces(problem).toReversed();
      const field = places.map(findField).find(Boolean);
      const named = places.find(({ name }) => titles[name]);
      const isText = form.isText || !entries.length;
      const line = isText ? `Line ${problem.line}: ` : '';
      const place = named ? `“${titles[named.name]}”: ` : line;
      const [message, hint] = isText ? [problem.message, problem.hint] : explainProblem(problem);
      const repair = problem.edits.length
        ? [' ', makeButton('Repair', 'Repair this', () => page.repair(problem))]
        : [];
      const help = { href: page.explain?.(problem), target: '_blank' };
      const more = page.explain ? [make('a', help, 'What this means')] : [];
      const note = make(
        'p',
        { className: `problem ${problem.level}` },
        field && field.dataset.field === named?.at ? '' : place,
        nameFields(hint ? `${message}: ${hint} ` : `${message} `, titles),
        ...more,
        ...repair,
      );
      if (!field) parent.querySelector('form')?.prepend(note);
      else if (field.matches('details')) field.after(note);
      else field.append(note);
    }
  };

  const makeBody = source => {
    const input = make('textarea', {
      value: source.body.trim(),
      rows: 14,
      'data-at': 'body',
      onchange: () => edit(false, 'setBody', input.value),
    });
    return makeField(
      { title: 'Text', help: 'An empty line begins a paragraph.' },
      addMarkButtons(form, input),
    );
  };
  /** The text in the other languages of the site: "about.md" and "about.de.md". */
  const makeVersions = path => {
    const [stem, own = ''] = path.replace(/\.(md|markdown)$/, '').split(/\.(?=[A-Za-z-]+$)/),
      [main, ...others] = page.facts().languages;
    const shown = own ? [main] : others;
    const buttons = shown.map(lang => {
      const other = own ? `${stem}.md` : `${stem}.${lang}.md`,
        isThere = page.listFiles().includes(other);
      const openOther = () =>
        tryTo(async () => {
          if (!isThere) await page.edit('setText', other, '', await page.read('readText', path));
          await page.open(other);
        });
      const text = isThere
        ? `Open the ${nameLanguage(lang)} text`
        : `Add a translation into ${nameLanguage(lang)}`;
      return make('button', { type: 'button', lang, onclick: openOther }, text);
    });
    return make('p', { className: 'tools versions' }, ...buttons);
  };

  const makeForm = async (path, isSame) => {
    if (path.endsWith('.bib')) {
      const listed = await page.call('papers', path);
      form.schema = {};
      [entries, form.size, papers] = [findPapers(listed), 0, nameListed(listed)];
      return makePapers(form, listed);
    }
    const source = /** @type {Source} */ (await page.read('readForm', path)),
      properties = findProperties(schemas[source.schema]);
    ({ entries } = source);
    form.schema = schemas[source.schema];
    form.size = entries.length;
    if (!isSame && form.size === 1) form.open.add(keyOf(entries[0].path));
    form.noun = NOUNS[source.schema] ?? 'new entry';
    form.folder = /^content\/about\./.test(path) ? 'about' : source.schema;
    if (typeof source.body === 'string') {
      const fields = makeFields(form, entries[0], properties, makeBody(source));
      return make('div', {}, fields, makeVersions(path));
    }
    return ['site', 'profile', 'counts'].includes(source.schema)
      ? makeFields(form, entries[0], properties)
      : makeEntries(form, source, properties);
  };

  /** Show the form of a file; where it cannot have one, its text, and why. @param {string} path @param {boolean} [isText] whether only its text is shown */
  const show = async (path, isText = path === form.file && form.isText) => {
    const isSame = path === form.file && isText === form.isText;
    if (!isSame) {
      form.open = new Set();
      form.firstFields = new Map();
      form.paperFields = new Map();
      form.blanks = 0;
      typing = '';
    }
    form.file = path;
    form.isText = isText;
    form.toolDrawers = [];
    form.paperFillers = new Map();
    const box = make('form', { onsubmit: event => event.preventDefault(), 'aria-label': `Form of ${path}` });
    try {
      schemas ??= await page.call('schemas');
      if (isText) await showText(box, path, 'the text of the file, as it is');
      else box.append(await makeForm(path, isSame));
    } catch (error) {
      [entries, form.size] = [[], 0];
      await showText(box, path, `This file has no form: ${/** @type {Error} */ (error).message}`);
    }
    const opened = parent.querySelector('details[open][data-key]')?.getAttribute('data-key') ?? '';
    await form.paperFillers.get(opened)?.(); // so that its fields are there for the focus
    await released;
    if (path !== form.file) return;
    languages = page.facts().languages.join();
    drawnVersions[drawing] = written;
    drawing += 1;
    written = page.version(path);
    const { people, papers: known, tags, pages } = page.facts();
    for (const [name, values] of Object.entries({ people, papers: known, tags, pages }))
      box.append(makeChoices(`known-${name}`, values));
    replaceForm(box, isSame);
  };
  /** Put a new form in the place of the old one; what is being typed, the open paper and the focus stay. */
  const replaceForm = (box, isSame) => {
    const { activeElement } = document,
      opened = parent.querySelector('details[open][data-key]')?.getAttribute('data-key');
    if (findFocus() && findFocus() !== focusOrigin) focused = '';
    focused ||= findFocus();
    // What is not written yet.
    for (const { dataset, value } of isSame
      ? /** @type {any} */ (parent.querySelectorAll('[data-kept]'))
      : [])
      Object.assign(box.querySelector(`[data-at="${CSS.escape(dataset.at)}"]`) ?? {}, { value });
    // What was opened while the new form was made: what is typed in it stays only if it is shown.
    for (const { dataset } of isSame
      ? /** @type {any} */ (parent.querySelectorAll('details.more[open] > summary'))
      : []) {
      const summary = box.querySelector(`[data-at="${CSS.escape(dataset.at)}"]`);
      Object.assign(summary?.parentElement ?? {}, { open: true });
    }
    const { dataset, value, selectionStart, selectionEnd } = /** @type {any} */ (activeElement ?? {});
    isReplacing = true;
    parent.replaceChildren(box);
    isReplacing = false;
    if (!isSame) parent.scrollTop = 0;
    if (opened && isSame)
      Object.assign(box.querySelector(`[data-key="${CSS.escape(opened)}"]`) ?? {}, { open: true });
    showProblems();
    const target = focused && /** @type {any} */ (parent.querySelector(`[data-at="${CSS.escape(focused)}"]`));
    target?.focus?.();
    const isOld = target && 'value' in target && dataset?.at === focused;
    const isWaiting = pendingEdits > 0 && writtenTexts.get(activeElement) === value;
    const isSameText = dataset?.at && value?.trim() === target?.value;
    const isTyped = isOld && (typing === focused || isWaiting || isSameText);
    if (isTyped && target.matches(TYPED)) {
      target.value = value;
      // A browser does not say that such a control has changed.
      const leave = () =>
        typing === target.dataset.at && target.dispatchEvent(new Event('change', { bubbles: true }));
      target.addEventListener('blur', leave);
      target.addEventListener('keydown', ({ key }) => key === 'Enter' && target.matches('input') && leave());
    }
    if (isOld && typeof selectionEnd === 'number') target.setSelectionRange?.(selectionStart, selectionEnd);
    focused = '';
  };
  /** Put the text of a file into a form. */
  const showText = async (box, path, reason) => {
    const text = await page.read('readText', path).catch(() => null);
    const save = changed => edit(true, 'setText', changed);
    const words = { title: 'Text', help: reason, at: 'text' };
    box.append(text === null ? make('p', { className: 'help' }, reason) : makePart(words, text, save));
  };
  /** Begin an entry of the list: it is written with its first value. */
  const addEntry = async () => {
    await queue;
    if (!parent.querySelector('[data-at=add]')) return;
    form.blanks += 1;
    const source = /** @type {Source} */ (await page.read('readForm', form.file));
    form.open.add(keyOf([...source.at, form.size + form.blanks - 1]));
    await show(form.file);
    /** @type {HTMLElement | null | undefined} */ (
      parent.querySelector('.entries > li:last-child')?.querySelector('input, textarea')
    )?.focus();
  };
  /** Show the form of a file with one entry open, and the box of a language. @param {string} path @param {{line?: number, column?: number, key?: string, language?: string, field?: string}} entry a column is that of a problem, whose field is shown */
  const showEntry = async (path, { line = 0, column = 0, key = '', language = '', field = '' }) => {
    await queue;
    await show(path, false);
    const at = key ? -1 : entries.findLastIndex(entry => entry.line <= line);
    const cards = /** @type {NodeListOf<any>} */ (parent.querySelectorAll('.entries > li > details'));
    if (line || key) {
      cards.forEach((card, number) => {
        card.open = key ? card.dataset.key === key : number === Math.max(at, 0);
        card.ontoggle();
      });
    }
    const chosen = [...cards].find(card => card.open && (line || key));
    chosen?.scrollIntoView({ block: 'start' });
    chosen?.querySelector('summary').focus({ preventScroll: true });
    const spoken = language && (chosen ?? parent).querySelector(`[lang="${CSS.escape(language)}"]`);
    if (spoken && !path.endsWith(`.${language}.md`)) spoken.focus();
    const isShown = problem => problem.line === line && problem.column === column;
    if (column) showField(page.findProblems(path).find(isShown) ?? { line, column });
    const shown = field && parent.querySelector(`[data-field="${CSS.escape(field)}"]`);
    if (!shown) return;
    shown.scrollIntoView({ block: 'start' });
    shown.querySelector('summary, input, select, button')?.focus({ preventScroll: true });
  };
  /** After a build, or another change of the file: show its problems, and other values than the form has written. */
  const refresh = () => {
    queue = queue.then(async () => {
      const listed = form.file.endsWith('.bib') ? await page.call('papers', form.file) : null;
      if (listed) entries = findPapers(listed);
      const hasOtherPapers = listed && nameListed(listed) !== papers;
      const isOld = languages !== page.facts().languages.join() || page.version(form.file) !== written;
      if (form.file && (hasOtherPapers || isOld)) await show(form.file);
      else showProblems();
    });
    return queue;
  };
  return { show, showEntry, refresh, addEntry, findFile: () => form.file, finish: () => queue };
};

/** What a list of papers shows, which other lines do not change. */
const nameListed = listed => JSON.stringify(listed.map(paper => ({ ...paper, line: 0 })));
/** The lines of papers, for their problems. @returns {Entry[]} */
const findPapers = listed => {
  const inOrder = listed.toSorted((a, b) => a.line - b.line);
  return inOrder.map(({ key, line }, at) => {
    const end = inOrder[at + 1]?.line ?? line + 100;
    return { path: [key], line, end, main: '', fields: {}, others: [] };
  });
};

/** The labels of the fields of a schema by their names. @param {any} schema @returns {Record<string, string>} */
const listTitles = schema => {
  const records = [...Object.values(schema.definitions ?? {}), { properties: findProperties(schema) }];
  const fields = records.flatMap(({ properties = {} }) => Object.entries(properties));
  return Object.fromEntries(fields.map(([name, { title }]) => [name, title]));
};
/** A text about fields with their labels: 'image_alt: …, or ""' -> '“Picture description”: …, or ""'. */
const nameFields = (text, titles) =>
  text.replace(/"([a-z_]+)"|\b([a-z]+_[a-z_]+)\b(?=:)/g, (all, quoted, name) => {
    const title = titles[quoted ?? name];
    return title ? `“${title}”` : all;
  });

/** The properties of the entries of a schema: of a list, or of a mapping. @param {any} schema */
const findProperties = schema => {
  if (schema.properties) return schema.properties;
  const reference = JSON.stringify(schema.anyOf ?? '').match(/#\/definitions\/(\w+)/);
  return reference ? schema.definitions[reference[1]].properties : {};
};

// Texts of a form: one line or a text area with buttons that write Markdown, and a box for each language of the site.
import { isTexts, make, makeButton, makeField, makeGroup } from './elements.js';

const LONG = /summary|description|text|note|footer|intro|caption/;
const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' });
/** The name of a language: "de" -> "German". @param {string} code */
export const nameLanguage = code => {
  try {
    return languageNames.of(code) ?? code;
  } catch {
    return code;
  }
};

/** What stands on both sides of the selection, and the word in its place if nothing is selected. */
const MARKS = {
  Bold: ['B', '**', 'bold'],
  Italic: ['I', '*', 'italic'],
};

/** Replace a part of a text, as if it was typed: Ctrl+Z takes it back. Then a part of the new text is selected. */
const replacePart = (input, [start, end], text, from = 0, to = text.length) => {
  input.focus();
  input.setSelectionRange(start, end);
  if (!document.execCommand('insertText', false, text)) input.setRangeText(text, start, end);
  input.setSelectionRange(start + from, start + to);
  input.dispatchEvent(new Event('change', { bubbles: true }));
};
/** The selection without the blanks at its ends. @param {HTMLTextAreaElement} input @returns {[number, number]} */
const findWords = ({ value, selectionStart: start, selectionEnd: end }) => {
  const chosen = value.slice(start, end),
    words = chosen.trim();
  const from = words ? start + chosen.indexOf(words) : start;
  return [from, from + words.length];
};
/** Put signs around the selection, or in the place of the selection if it is empty. */
const surround = (input, before, after, word) => {
  const [start, end] = findWords(input),
    chosen = input.value.slice(start, end) || word;
  replacePart(input, [start, end], before + chosen + after, before.length, before.length + chosen.length);
};
/** Make the selection bold or italic, or take this away: of "***a***", one star on each side is that of italic. */
const toggleStars = (input, stars, word) => {
  const countStars = (text, pattern) => text.match(pattern)[0].length;
  const { value } = input;
  let [start, end] = findWords(input);
  const chosen = value.slice(start, end),
    inside = Math.min(countStars(chosen, /^\**/), countStars(chosen, /\**$/));
  if (2 * inside < chosen.length) [start, end] = [start + inside, end - inside];
  const around = Math.min(countStars(value.slice(0, start), /\**$/), countStars(value.slice(end), /^\**/));
  const isMarked = stars.length === 1 ? around % 2 : around > 1;
  input.setSelectionRange(start, end);
  if (isMarked) replacePart(input, [start - stars.length, end + stars.length], value.slice(start, end));
  else surround(input, stars, stars, word);
};
/** Ask for the address of a link around the selection, or take the link away. */
const toggleLink = input => {
  const { value } = input,
    [start, end] = findWords(input);
  const target = value[start - 1] === '[' && value.slice(end).match(/^\]\([^)\n]*\)/);
  if (target) return replacePart(input, [start - 1, end + target[0].length], value.slice(start, end));
  const url = prompt('Address of the link', 'https://')?.trim() ?? '';
  input.focus();
  return /^(https?:\/\/)?$/.test(url) ? undefined : surround(input, '[', `](${url})`, 'text of the link');
};
/** Make the lines of the selection a list, or lines again. */
const toggleList = input => {
  const { value, selectionEnd: end } = input,
    start = value.lastIndexOf('\n', input.selectionStart - 1) + 1;
  const chosen = value.slice(start, end) || 'an item';
  const isList = chosen.split('\n').every(line => line.startsWith('- '));
  replacePart(input, [start, end], isList ? chosen.replace(/^- /gm, '') : chosen.replace(/^/gm, '- '));
};

/** A text area with buttons for bold, italic, a link, a list and a picture. @param {any} form @param {HTMLTextAreaElement} input */
export const addMarkButtons = (form, input) => {
  const chooser = make('input', {
    type: 'file',
    accept: 'image/*',
    hidden: true,
    onchange: () =>
      form.tryTo(async () => {
        const [file] = chooser.files ?? [];
        if (file) surround(input, '![', `](${await form.page.addFile('images', file)})`, 'what the picture shows');
      }),
  });
  const buttons = Object.entries(MARKS).map(([title, [sign, stars, word]]) =>
    makeButton(sign, title, () => toggleStars(input, stars, word)),
  );
  const link = makeButton('Link', 'Link', () => toggleLink(input)),
    list = makeButton('List', 'List', () => toggleList(input));
  const picture = makeButton('Picture', 'Picture', () => chooser.click());
  return make(
    'div',
    { className: 'marked' },
    make('p', { className: 'marks' }, ...buttons, link, list, picture),
    input,
    chooser,
  );
};

/** A line, or a text area for a long text. @param {any} control */
export const makeText = control => {
  const { form, name, schema, at, put, kind, known } = control;
  let { value } = control;
  const isLong = kind === 'markdown' && LONG.test(name);
  const input = make(isLong ? 'textarea' : 'input', {
    value: value ?? '',
    'data-at': at,
    list: known && `known-${known}`,
    lang: control.lang ?? '',
    // The address of a page, and the first field of a record, are written when one leaves the field.
    'data-whole': control.onWritten || control.entry.above ? 'yes' : undefined,
    onchange: async () => {
      const old = value;
      value = input.value.trim();
      if (name === 'language' && value) input.value = value = await form.page.call('readLanguage', value);
      await put(value || null);
      control.onWritten?.(input, old, value);
    },
  });
  if (typeof schema.default === 'string') input.setAttribute('placeholder', schema.default);
  if (isLong) return addMarkButtons(form, /** @type {HTMLTextAreaElement} */ (input));
  if (/^(image_)?alt$/.test(name) && !at.endsWith(`\u001f${control.lang}`)) return addDecoration(control, input);
  input.setAttribute('type', kind === 'number' ? 'number' : 'text');
  return kind === 'date' || kind === 'period' ? addReading(form, input, name) : input;
};

/** The description of a picture, which may be empty on purpose. */
const addDecoration = ({ value, at, put }, input) => {
  const box = make('input', {
    type: 'checkbox',
    checked: value === '',
    'data-at': `${at} decoration`,
    onchange: () => put(box.checked ? '' : null, true),
  });
  return make(
    'div',
    { className: 'items' },
    input,
    ...(value ? [] : [make('label', { className: 'check' }, box, ' Only decoration: it needs no description')]),
  );
};

/** A date as it is typed, with how it is read beside it. */
const addReading = (form, input, name) => {
  input.setAttribute('placeholder', name === 'period' ? '2021 - present' : '2024-05');
  const output = make('output', { className: 'reading' });
  const explain = async () => {
    output.textContent = input.value
      ? await form.page.call('readDate', input.value).catch(error => error.message)
      : '';
  };
  input.addEventListener('input', explain);
  explain();
  return make('div', { className: 'pair' }, input, output);
};

const UNTRANSLATED = /^(id|path|language|url|ror|key|server|site|repo|look|accent|name|kind)$/;
const LISTS = /^(interests|features)$/;
/** The languages in which a field may be written: () for one. @param {any} control @returns {string[]} */
export const listLanguages = ({ form, name, kind, value, path, isList, isTranslated }) => {
  const { languages } = form.page.facts();
  if (isTranslated) return [...new Set([...languages, ...Object.keys(value)])];
  const isName = UNTRANSLATED.test(name) && !(name === 'name' && path[0] === 'affiliation');
  const isText = /^(markdown|text)$/.test(kind) && !isList && !isName;
  const isPlain = value === undefined || typeof value === 'string' || isTexts(value);
  return languages.length > 1 && (isText || LISTS.test(name)) && isPlain ? languages : [];
};

/** A box for each language; a single text becomes a mapping only with the second. @param {any} control @param {string[]} languages @param {(control: any) => HTMLElement} makeBox */
export const makeTranslations = (control, languages, makeBox) => {
  const { form, value, isTranslated, path, put, words } = control;
  const [main] = languages;
  let single = value,
    isMapping = isTranslated;
  const boxes = languages.map(lang => {
    const own = isTranslated ? value[lang] : lang === main ? value : undefined;
    const write = text => {
      if (isMapping) return form.setValue([...path, lang], text);
      if (lang === main) {
        single = text;
        return put(text);
      }
      if (!text) return undefined;
      isMapping = true;
      return put({ ...(single ? { [main]: single } : {}), [lang]: text }, true);
    };
    const at = lang === main && !isTranslated ? control.at : `${control.at}\u001f${lang}`;
    return makeField(
      { title: nameLanguage(lang) },
      makeBox({ ...control, value: own, put: write, at, lang }),
    );
  });
  return makeGroup(words, ...boxes);
};

// Texts of a form: one line or a text area with buttons that write Markdown, and a box for each language of the site.
import { make, makeButton, makeField, makeGroup } from './elements.js';

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

/** What stands around the selection, or in its place if nothing is selected: before, after, and a word. */
const MARKS = {
  Bold: ['B', '**', '**', 'bold'],
  Italic: ['I', '*', '*', 'italic'],
  Link: ['Link', '[', '](https://)', 'text of the link'],
  List: ['List', '- ', '', 'an item'],
};

/** A text area with buttons for bold, italic, a link, a list and a picture. @param {any} form @param {HTMLTextAreaElement} input */
export const addMarkButtons = (form, input) => {
  const insert = (before, after, word) => {
    const { selectionStart: start, selectionEnd: end, value } = input;
    const isList = before === '- ',
      chosen = value.slice(start, end) || word;
    const lead = isList && start && value[start - 1] !== '\n' ? '\n' : '';
    const marked = isList ? chosen.replace(/^/gm, before) : `${before}${chosen}${after}`;
    input.setRangeText(lead + marked, start, end);
    const from = start + lead.length + before.length;
    input.focus();
    input.setSelectionRange(from, from + marked.length - before.length - after.length);
    input.dispatchEvent(new Event('change', { bubbles: true }));
  };
  const chooser = make('input', {
    type: 'file',
    accept: 'image/*',
    hidden: true,
    onchange: () =>
      form.tryTo(async () => {
        const [file] = chooser.files ?? [];
        if (file) insert('![', `](${await form.page.addFile('images', file)})`, 'what the picture shows');
      }),
  });
  const buttons = Object.entries(MARKS).map(([title, [sign, before, after, word]]) =>
    makeButton(sign, title, () => insert(before, after, word)),
  );
  const picture = makeButton('Picture', 'Picture', () => chooser.click());
  return make(
    'div',
    { className: 'marked' },
    make('p', { className: 'marks' }, ...buttons, picture),
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
      await put(value || null);
      control.onWritten?.(input, old, value);
    },
  });
  if (typeof schema.default === 'string') input.setAttribute('placeholder', schema.default);
  if (isLong) return addMarkButtons(form, /** @type {HTMLTextAreaElement} */ (input));
  input.setAttribute('type', kind === 'number' ? 'number' : 'text');
  return kind === 'date' || kind === 'period' ? addReading(form, input, kind) : input;
};

/** A date as it is typed, with how it is read beside it. */
const addReading = (form, input, kind) => {
  input.setAttribute('placeholder', kind === 'date' ? '2024-05' : '2021 - present');
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
/** The languages in which a field may be written: () for one. @param {any} control @returns {string[]} */
export const listLanguages = ({ form, name, kind, value, isList, isTranslated }) => {
  const { languages } = form.page.facts();
  if (isTranslated) return [...new Set([...languages, ...Object.keys(value)])];
  const isText = /^(markdown|text)$/.test(kind) && !isList && !UNTRANSLATED.test(name);
  return languages.length > 1 && isText && (value === undefined || typeof value === 'string')
    ? languages
    : [];
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

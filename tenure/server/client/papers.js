// The papers of a .bib file: one is added by BibTeX or by its DOI, and each has the fields of its entry.
import { acceptDrop, keyOf, label, make, makeButton, makeField, makeRemove } from './elements.js';
import { addChooser, makePart } from './fields.js';

const PAPER_FIELDS = ['title', 'author', 'year', 'doi', 'url', 'pdf', 'abstract', 'note'];
const NAMES_HELP = 'one a line: “Ada Lovelace” or “Lovelace, Ada”';
const PAPER_TITLES = { abbr: 'Short name of the venue', booktitle: 'Conference or book' };
const PAPER_HELPS = {
  title: 'as in the .bib file; {braces} keep capitals',
  author: NAMES_HELP,
  editor: NAMES_HELP,
  doi: '10.1145/3297858.3304013',
  pdf: 'choose the PDF or drop it here, or write a file or an address',
};
const ADDITIONS = 'content/publications.yaml';

/** The kinds of papers that can be written by hand, and where each has appeared. @type {Record<string, [string, string]>} */
const KINDS = {
  article: ['Article in a journal', 'journal'],
  inproceedings: ['Paper at a conference', 'booktitle'],
  misc: ['Preprint', 'howpublished'],
  book: ['Book', 'publisher'],
  phdthesis: ['Thesis', 'school'],
  techreport: ['Report', 'institution'],
};
/** The fields of a paper without BibTeX, which become an entry. @param {any} form @param {any[]} listed */
const makeByHand = (form, listed) => {
  const kind = make(
    'select',
    { 'data-at': 'hand-kind', 'data-kept': 'yes' },
    ...Object.entries(KINDS).map(([value, [text]]) => make('option', { value }, text)),
  );
  const [title, authors, year, venue] = ['title', 'authors', 'year', 'venue'].map(name =>
    make(name === 'authors' ? 'textarea' : 'input', { 'data-at': `hand-${name}`, 'data-kept': 'yes' }),
  );
  const add = () =>
    form.tryTo(async () => {
      const author = await form.page.call('writeNames', authors.value),
        last = author.split(' and ')[0].replace(/,.*|.*\s/g, '');
      const stem = (await form.page.call('makeSlug', `${last}${year.value}`)) || 'paper',
        isTaken = key => listed.some(paper => paper.key === key);
      const key = ['', ...'bcdefghijklmnopqrstuvwxyz'].map(sign => stem + sign).find(one => !isTaken(one));
      const fields = { title: title.value, author, year: year.value, [KINDS[kind.value][1]]: venue.value };
      const lines = Object.entries(fields).filter(([, value]) => value.trim());
      const text = lines.map(([name, value]) => `  ${name} = {${value.trim()}}`).join(',\n');
      if (!(await form.edit(true, 'addPaper', `@${kind.value}{${key},\n${text}\n}\n`))) return;
      for (const { value: old, dataset } of form.parent.querySelectorAll('input[data-at^=hand], textarea[data-at^=hand]'))
        if (old) form.parent.querySelector(`[data-at=${dataset.at}]`).value = '';
    });
  const rows = {
    'Kind of paper': kind,
    'Title of the paper': title,
    'Names of the authors': authors,
    'Year of publication': year,
    'Journal, conference or publisher': venue,
  };
  const fields = Object.entries(rows).map(([name, control]) =>
    makeField({ title: name, help: control === authors ? NAMES_HELP : '' }, control),
  );
  const details = make(
    'details',
    { className: 'more', open: form.open.has('by hand') },
    make('summary', { 'data-at': 'by hand' }, 'Write a paper by hand'),
    make('div', { className: 'fields' }, ...fields, makeButton('Add the paper', 'Add the paper', add)),
  );
  details.ontoggle = () => form.keepOpen('by hand', details.open);
  return details;
};

/** Ask doi.org for the BibTeX of a paper. */
const askDoi = async (form, doi) => {
  const response = await fetch(await form.page.call('findDoi', doi), {
    headers: { accept: 'application/x-bibtex' },
  });
  if (!response.ok) throw new Error(`doi.org does not know ${doi} (${response.status})`);
  return response.text();
};

/** @param {any} form @param {any[]} listed what `papers` returns */
export const makePapers = (form, listed) => {
  const doi = make('input', { placeholder: '10.1145/3297858.3304013', 'data-at': 'doi', 'data-kept': 'yes' });
  const paste = make('textarea', {
    rows: 4,
    placeholder: '@article{…}',
    spellcheck: false,
    'data-at': 'bibtex',
    'data-kept': 'yes',
  });
  const clear = at => Object.assign(form.parent.querySelector(`[data-at=${at}]`) ?? {}, { value: '' });
  const ask = () =>
    form.tryTo(async () => {
      if (await form.edit(true, 'addPaper', await askDoi(form, doi.value.trim()))) clear('doi');
    });
  const add = async () => {
    if (paste.value.trim() && (await form.edit(true, 'addPaper', paste.value))) clear('bibtex');
  };
  const makePair = (input, text, title, run) =>
    make('div', { className: 'pair' }, input, makeButton(text, title, run));
  const box = make(
    'div',
    { className: 'fields' },
    makeField(
      { title: 'DOI', help: 'doi.org is asked for the BibTeX of this paper when you press the button' },
      makePair(doi, 'Ask doi.org', 'Ask doi.org for this paper', ask),
    ),
    makeField(
      { title: 'BibTeX', help: 'paste one entry or several from a publisher, DBLP or Google Scholar' },
      makePair(paste, 'Add', 'Add the entries', add),
    ),
    makeByHand(form, listed),
  );
  const cards = listed.map(paper => makePaper(form, paper));
  return make('div', {}, box, make('ol', { className: 'cards entries' }, ...cards));
};

const makePaper = (form, { key, title, year, selected, preprints }) => {
  const check = make('input', {
    type: 'checkbox',
    checked: selected,
    'aria-label': `Selected: ${title}`,
    'data-at': `selected-${key}`,
    onchange: () =>
      form.tryTo(() =>
        form.page.edit('setAddition', ADDITIONS, '', key, 'selected', check.checked ? 'true' : null),
      ),
  });
  const card = make(
    'details',
    { 'data-key': key, 'data-card': key },
    make(
      'summary',
      { 'data-at': `card ${key}` },
      make('span', { className: 'name' }, title),
      make('span', { className: 'date' }, year),
    ),
  );
  const fill = () => fillPaper(form, card, { key, title, preprints });
  form.paperFillers.set(key, fill);
  card.ontoggle = () => card.open && !card.dataset.filled && fill();
  return make(
    'li',
    { className: 'paper' },
    make('label', { className: 'selected', title: 'on the home page' }, check, ' selected'),
    card,
  );
};
/** The fields of a paper as its entry has them, and those of the preprint that is shown with it. */
const fillPaper = async (form, card, { key, title, preprints }) => {
  card.dataset.filled = 'yes';
  const box = await makePaperFields(form, form.file, key);
  form.keepVersion();
  for (const preprint of preprints) {
    const found = await findPaper(form, preprint);
    const legend = make('legend', {}, `Preprint ${preprint}`);
    if (found) box.append(make('fieldset', {}, legend, await makePaperFields(form, found, preprint)));
  }
  const remove = makeRemove(`Remove ${title}`, () => form.edit(true, 'removePaper', key), 'Remove');
  card.append(box, make('p', { className: 'tools' }, remove));
};
/** The .bib file with an entry; "" if there is none. */
const findPaper = async (form, key) => {
  for (const path of form.page.listFiles().filter(name => name.endsWith('.bib'))) {
    if (await form.page.read('readPaper', path, key).catch(() => null)) return path;
  }
  return '';
};
/** The fields of an entry, and those that are often missing; each is changed at its place. */
const makePaperFields = async (form, path, key) => {
  const box = make('div', { className: 'fields' });
  const change = (name, value) =>
    path === form.file
      ? form.edit(false, 'setPaperField', key, name, value)
      : form.tryTo(() => form.page.edit('setPaperField', path, '', key, name, value));
  const takePdf = chosen =>
    form.tryTo(async () => {
      await change('pdf', await form.page.addFile('papers', chosen, key));
      await form.show(form.file);
    });
  try {
    const fields = await form.page.read('readPaper', path, key);
    const shown = form.paperFields.get(key) ?? [];
    const names = [...new Set([...shown, ...Object.keys(fields), ...PAPER_FIELDS])];
    form.paperFields.set(key, names);
    for (const name of names) {
      const isLong = /abstract|author|editor|title|note/.test(name),
        at = keyOf([key, name]);
      const input = make(isLong ? 'textarea' : 'input', {
        value: fields[name] ?? '',
        'data-at': at,
        onchange: () => change(name, input.value.trim()),
      });
      const words = { title: PAPER_TITLES[name] ?? label(name), help: PAPER_HELPS[name], at };
      box.append(makeField(words, name === 'pdf' ? addChooser(input, takePdf) : input));
    }
  } catch (error) {
    const help = `This entry has no fields here: ${/** @type {Error} */ (error).message}`;
    const save = text => form.edit(true, 'setText', text);
    box.append(makePart({ title: 'Text', help, at: key }, await form.page.read('readText', path), save));
  }
  acceptDrop(box, takePdf);
  return box;
};

// Links of a form: a row for each, and one box for a pasted address, whose service is recognised.
import { isMapping, keyOf, make, makeGroup, makeRemove } from './elements.js';

/** The rows of links: label, address and place. @param {any} value @param {import('./elements.js').Path} path */
const listRows = (value, path) => {
  const listPairs = (mapping, at) => Object.entries(mapping).map(([key, url]) => [key, url, [...at, key]]);
  if (!Array.isArray(value)) return listPairs(value ?? {}, path);
  return value.flatMap((item, at) =>
    isMapping(item) ? listPairs(item, [...path, at]) : [['', item, [...path, at]]],
  );
};

/** @param {any} control */
export const makeLinks = ({ form, value, path, at, put, words }) => {
  const rows = listRows(value, path);
  const add = (key, url) => {
    if (value === undefined) return put({ [key]: url }, true);
    return Array.isArray(value)
      ? form.replaceValue([...path, value.length], { [key]: url })
      : form.replaceValue([...path, key], url);
  };
  const rename = (old, place, url) => async event => {
    const key = event.target.value.trim();
    if (!key || key === old) return;
    if (!old) await form.replaceValue(place, { [key]: url });
    else if (await form.setValue(place, null)) await add(key, url);
  };
  const box = make('div', { className: 'rows' });
  for (const [key, url, place] of rows) {
    const name = make('input', {
      value: key,
      placeholder: 'name',
      'data-whole': 'yes',
      'aria-label': `name of ${url}`,
      onchange: rename(key, place, url),
    });
    const input = make('input', {
      value: url,
      'aria-label': `address of ${key || url}`,
      'data-at': keyOf(place),
      onchange: () => form.setValue(place, input.value.trim() || null),
    });
    box.append(
      name,
      input,
      makeRemove(`Remove ${key || url}`, () => form.replaceValue(place, null)),
    );
  }
  return makeGroup(words, box, makePasted(rows, at, words, form, add));
};

/** The box for a pasted address; what cannot be read as one stays in it. */
const makePasted = (rows, at, words, form, add) => {
  const found = make('output', { className: 'reading' });
  const readAddress = text => (text ? form.page.call('readAddress', text) : Promise.resolve(null));
  const explain = () =>
    readAddress(input.value).then(
      address => (found.textContent = address?.label ?? ''),
      () => (found.textContent = ''),
    );
  /** The form may have been drawn again meanwhile. */
  const clear = () => {
    const shown = form.parent.querySelector(`[data-at="${CSS.escape(`${at}+`)}"]`);
    Object.assign(shown ?? input, { value: '' });
  };
  const take = () =>
    readAddress(input.value).then(
      address => {
        clear();
        return address && add(nameLink(address.service, rows), address.url);
      },
      error => (found.textContent = error.message),
    );
  const input = make('input', {
    placeholder: 'Paste an address',
    'aria-label': `Paste an address: ${words.title}`,
    'data-at': `${at}+`,
    'data-kept': 'yes',
    oninput: explain,
    onchange: take,
  });
  return make('div', { className: 'pair' }, input, found);
};
/** The name of a new link; a second one to a service has a number. */
const nameLink = (name, rows) => {
  const taken = new Set(rows.map(([key]) => key));
  let number = 2;
  while (taken.has(`${name} ${number}`)) number += 1;
  return taken.has(name) ? `${name} ${number}` : name;
};

/** A mapping from old addresses to new ones, or from names to texts. @param {any} control */
export const makePairs = ({ form, value, path, at, put, words }) => {
  const box = make('div', { className: 'rows' });
  for (const [key, text] of Object.entries(value ?? {})) {
    const place = [...path, key];
    const input = make('input', {
      value: text,
      'aria-label': key,
      'data-at': keyOf(place),
      onchange: () => form.setValue(place, input.value.trim() || null),
    });
    box.append(
      make('span', { className: 'service' }, key),
      input,
      makeRemove(`Remove ${key}`, () => form.replaceValue(place, null)),
    );
  }
  const makeBox = (name, end) =>
    make('input', {
      'aria-label': `${name}: ${words.title}`,
      placeholder: name,
      'data-at': at + end,
      'data-whole': 'yes',
      onchange: () => add(),
    });
  const from = makeBox('from', '+from'),
    to = makeBox('to', '+to');
  const add = () => {
    const [key, text] = [from.value.trim(), to.value.trim()];
    if (!key || !text) return undefined;
    return value ? form.replaceValue([...path, key], text) : put({ [key]: text }, true);
  };
  box.append(from, to);
  return makeGroup(words, box);
};

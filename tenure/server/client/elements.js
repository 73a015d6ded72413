// The elements of forms: a labelled field, a group of fields, buttons, and the places of values.

/** @typedef {(string | number)[]} Path the keys and positions that lead to a value */

/** A place as one text. CSS.escape() would lose a NUL. @param {Path} path */
export const keyOf = path => path.join('\u001f');
export const isTexts = value => Array.isArray(value) && value.every(item => typeof item === 'string');
export const isMapping = value => Boolean(value) && typeof value === 'object' && !Array.isArray(value);

/** Take a file that is dropped on an element. @param {HTMLElement} box @param {(dropped: File) => void} take */
export const acceptDrop = (box, take) => {
  box.ondragover = event => event.preventDefault();
  box.ondrop = event => {
    const dropped = event.dataTransfer?.files[0];
    if (!dropped) return;
    event.preventDefault();
    event.stopPropagation();
    take(dropped);
  };
};

/** The label of a key without words of its own: "page_range" -> "Page range", "doi" -> "DOI". @param {string} key */
export const label = key =>
  /^(doi|url|pdf|isbn|issn|abstract)$/.test(key) && key.length < 5
    ? key.toUpperCase()
    : (key[0].toUpperCase() + key.slice(1)).replace(/[_-]/g, ' ');

/** @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {Record<string, any>} [values] @param {...(Node | string)} children */
export const make = (tag, values = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(values)) {
    if (name in element && name !== 'list') Object.assign(element, { [name]: value });
    else if (value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
};
export const makeButton = (text, title, onclick) =>
  make('button', { type: 'button', title, 'aria-label': title, 'data-at': title, onclick }, text);
/** The button that removes something. @param {string} title @param {() => any} onclick */
export const makeRemove = (title, onclick, text = '✕') =>
  Object.assign(makeButton(text, title, onclick), { className: 'remove' });

let count = 0;
/** A row with a label, the control and the help; problems of the place `at` are shown in it. @param {{title: string, help?: string, at?: string}} words @param {HTMLElement} control */
export const makeField = ({ title, help = '', at = '' }, control) => {
  const id = `field-${(count += 1)}`;
  const labelled = control.matches('input, textarea, select')
    ? control
    : (control.querySelector('textarea, input') ?? control);
  labelled.id = id;
  if (help) labelled.setAttribute('aria-describedby', `${id}-help`);
  return make(
    'div',
    { className: 'field', 'data-field': at },
    make('label', { htmlFor: id }, title),
    control,
    ...(help ? [make('p', { id: `${id}-help`, className: 'help' }, help)] : []),
  );
};

/** Several controls under one name. @param {{title: string, help?: string, at?: string}} words @param {...(Node | string)} children */
export const makeGroup = ({ title, help = '', at = '' }, ...children) =>
  make(
    'fieldset',
    { 'data-field': at },
    make('legend', {}, title),
    ...(help ? [make('p', { className: 'help' }, help)] : []),
    ...children,
  );

/** What a form offers to choose from: a list of values, which other values may join. @param {string} id @param {Record<string, string>} values each with what it is */
export const makeChoices = (id, values) =>
  make(
    'datalist',
    { id },
    ...Object.entries(values).map(([value, text]) =>
      make('option', { value, ...(text === value ? {} : { label: text }) }),
    ),
  );

// The panels of the preview: problems, first steps, themes. `serve` shows them over a page, and “Try it” beside the site.
/** Make an element; children that are false are left out. */
export const createElement = (name, properties, ...children) => {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children.filter(child => child));
  return node;
};

// A closed panel stays closed in this tab until its content changes; that of the steps, until the tab is closed.
const storage = {
  get: name => { try { return sessionStorage.getItem(name); } catch { return null; } },
  set: (name, value) => { try { sessionStorage.setItem(name, value); } catch { /* storage is switched off in this browser */ } },
};
const fillPanel = (panel, value, ...children) => {
  const storageKey = `tenure-preview ${panel.className}`, content = JSON.stringify(value);
  const closed = panel.className === 'steps' ? 'closed' : content;
  if (panel.dataset.content === content) return;
  panel.dataset.content = content;
  const close = () => { panel.hidden = true; storage.set(storageKey, closed); };
  panel.replaceChildren(...children, createElement('button', { type: 'button', className: 'close', onclick: close }, 'Close'));
  panel.onkeydown = event => { if (event.key === 'Escape') close(); };
  panel.hidden = !children.length || storage.get(storageKey) === closed;
};
/** The message and the hint of a problem for somebody who reads no YAML: without files, and without a hint that shows syntax. */
export const explainProblem = ({ message, hint = '' }) => [
  message.replace(/ in (site\.yaml|(content|bib)\/[^\s,;]+)/g, '').replace('alt text', 'description'),
  /[{}[\]<>]|…|""|---|\w: \S|\w_\w|\.(ya?ml|md|bib)\b/.test(hint) ? '' : hint,
];
const createHelpLink = ({ section }, findHelp) => findHelp && section && createElement('a', { className: 'help', href: findHelp(section), target: '_blank' }, 'What this means');
const createPlainItem = (item, createSourceLink, findHelp) => {
  const [message, hint] = explainProblem(item), file = item.place.replace(/:.*/, '');
  return createElement('li', {}, createSourceLink(item.source, message), ' ', file && createElement('small', {}, file),
    hint && createElement('p', { className: 'hint' }, hint), createHelpLink(item, findHelp));
};
const createProblemList = (items, createSourceLink, isPlain, findHelp) => createElement('ul', {}, ...items.map(item => isPlain ? createPlainItem(item, createSourceLink, findHelp) : createElement('li', {},
  createSourceLink(item.source, createElement('span', { className: 'place' }, item.place), ' ', item.message),
  item.excerpt && createElement('pre', { tabIndex: 0 }, item.excerpt), item.hint && createElement('p', { className: 'hint' }, item.hint), createHelpLink(item, findHelp))));
/** Show errors, warnings and lengths; `createSourceLink` makes the link to the place of a problem; a plain list shows no syntax; `findHelp` makes the address of a section, if there are pages. */
export const showProblems = (panel, { errors, warnings, lengths }, createSourceLink, isPlain = false, findHelp = null) => fillPanel(panel, [errors, warnings, lengths],
  ...errors ? [createElement('div', { className: 'errors' }, createElement('h1', {}, createElement('span', { role: 'alert' }, errors.heading)), createProblemList(errors.items, createSourceLink, isPlain, findHelp))] : [],
  ...Object.entries({ warnings, lengths }).filter(([, group]) => group).map(([className, group]) => createElement('details', { className },
    createElement('summary', {}, createElement('span', { role: 'status' }, group.heading)), createProblemList(group.items, createSourceLink, isPlain, findHelp))));
const createCopyButton = text => {
  const button = createElement('button', { type: 'button' }, 'Copy');
  button.onclick = () => navigator.clipboard.writeText(text).then(() => { button.textContent = 'Copied'; });
  return navigator.clipboard && button;
};
const createLines = item => [createElement('code', {}, item.file), createElement('pre', { tabIndex: 0 }, item.lines),
  item.note && createElement('p', {}, item.note), createCopyButton(item.lines)];
/** Show what a site could have next; `createOpener` makes what opens the form of a step: without one, only the lines are shown. */
export const showSteps = (panel, { steps: items, has_entries: hasEntries }, createOpener) => fillPanel(panel, items, ...items.length ? [
  createElement('h1', {}, hasEntries ? 'You could add …' : 'This site is still empty. You could write next:'),
  createElement('ol', {}, ...items.map(item => createElement('li', {}, createElement('h2', {}, item.title),
    ...createOpener ? [createOpener(item), createElement('details', {}, createElement('summary', {}, 'as lines'), ...createLines(item))] : createLines(item)))),
  createElement('p', {}, 'Only the preview shows this.')] : []);

const createLabelledControl = (text, control) => {
  control.id = `option ${text}`;
  return createElement('div', {}, createElement('label', { htmlFor: control.id }, text), control);
};
const createSelect = (names, value) => {
  const select = createElement('select', {}, ...names.map(([name, text]) => createElement('option', { value: name }, text)));
  select.value = value;
  return select;
};
// The palettes of a theme: each swatch has the ground, the links and the band of a palette, or its links instead of a band.
const createSwatches = (option, value, onchange) => createElement('fieldset', { className: 'swatches', title: option.help },
  createElement('legend', {}, nameLabel(option.name)), ...option.values.map(text => {
    const label = createElement('label', {}, createElement('input', { type: 'radio', name: option.name, value: text, checked: text === value, onchange }), text);
    for (const [part, colours] of Object.entries(option.swatches[text])) label.style.setProperty(`--${part}`, `light-dark(${colours})`);
    return label;
  }));
const toHexColour = value => /^#[0-9a-f]{6}$/i.test(value) ? value : '#7a2d2d';

/** The words of an option or of its value: "publications_view" -> "Publications view", "bundled" -> "that of the theme". */
const nameOption = text => text.replace(/\bbundled\b/, 'that of the theme').replaceAll('_', ' ');
const nameLabel = name => nameOption(name[0].toUpperCase() + name.slice(1));

/** Make the button that opens the panel of themes. `requestPanel` asks for its state, or sends a choice. */
export const createSettings = (settingsPanel, requestPanel, onFailure, onClose = () => {}) => {
  const openButton = createElement('button', { type: 'button', className: 'open', ariaExpanded: 'false' }, 'Design');
  const showSettings = state => {
    const status = createElement('p', { role: 'status' }), choice = { name: state.name, options: { ...state.options } };
    const showStatus = text => { status.textContent = text; };
    const sendRequest = async (body, text) => {
      try {
        const newState = await requestPanel(body);
        // If only values change, the controls are not replaced, so that the focus stays.
        if (newState.name === state.name && body.choice && !body.save) {
          state = newState;
          showStatus(text(newState));
        } else {
          const panel = showSettings(newState);
          panel.showStatus(text(newState));
          panel.themes.focus();
        }
      } catch (error) { showStatus(error.message); }
    };
    const tryChoice = () => sendRequest({ choice }, newState => newState.is_saved ? 'This is the design of your site.' : 'Shown here, not kept yet.');
    const setOption = (name, value) => { choice.options = { ...choice.options, [name]: value }; tryChoice(); };
    const themes = createSelect(Object.keys(state.themes).map(name => [name, name]), state.name);
    themes.onchange = () => {
      const isPossible = ([name, value]) => state.themes[themes.value].some(option => option.name === name
        && (option.type !== 'palette' || option.values.includes(value)));
      choice.name = themes.value;
      choice.options = Object.fromEntries(Object.entries(choice.options).filter(isPossible));
      tryChoice();
    };
    const controls = (state.themes[state.name] ?? []).flatMap(option => {
      const value = choice.options[option.name] ?? option.default, name = option.name, help = nameOption(option.help);
      const changeOption = event => setOption(name, event.target.value);
      if (option.type === 'palette') return [createSwatches(option, value, changeOption)];
      if (option.type === 'text') return [createLabelledControl(nameLabel(name), createElement('input', { value, title: help, onchange: changeOption }))];
      const names = option.values.map(text => [text, nameOption(text)]);
      if (!option.default) names.unshift(['', 'that of the theme']);
      if (!names.some(([text]) => text === value)) names.push([value, value]);
      const select = Object.assign(createSelect(names, value), { title: help, onchange: changeOption });
      const colourInput = option.type === 'colour' && createElement('input', { type: 'color', value: toHexColour(value) });
      if (colourInput) colourInput.onchange = () => {
        if (![...select.options].some(item => item.value === colourInput.value)) select.append(createElement('option', { value: colourInput.value }, colourInput.value));
        select.value = colourInput.value;
        setOption(name, colourInput.value);
      };
      return [createLabelledControl(nameLabel(name), select), ...colourInput ? [createLabelledControl(`${nameLabel(name)}, your own`, colourInput)] : []];
    });
    const createButton = (text, run) => createElement('button', { type: 'button', onclick: run }, text);
    const closePanel = () => {
      settingsPanel.hidden = true;
      openButton.hidden = false;
      openButton.ariaExpanded = 'false';
      openButton.focus();
      onClose();
    };
    settingsPanel.onkeydown = event => { if (event.key === 'Escape') closePanel(); };
    settingsPanel.replaceChildren(createElement('h1', {}, 'Design'),
      createElement('form', { onsubmit: event => event.preventDefault() }, createLabelledControl('Theme', themes), ...controls),
      createElement('div', { className: 'actions' },
        createButton('Keep this design', () => sendRequest({ choice, save: true },
          newState => newState.written ? 'Kept.' : 'This is the design of your site already.')),
        createButton('Back to the kept design', () => sendRequest({ choice: null }, () => 'This is the design of your site.')), status),
      Object.assign(createButton('Close', closePanel), { className: 'close' }));
    return { showStatus, themes };
  };
  openButton.onclick = async () => {
    try {
      const panel = showSettings(await requestPanel());
      settingsPanel.hidden = false;
      openButton.hidden = true;
      panel.themes.focus();
    } catch (error) { onFailure(error); }
  };
  return openButton;
};

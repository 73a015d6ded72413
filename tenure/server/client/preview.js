// Updates a previewed page after its sources change, with the protocol of LiveReload, version 7.
// The server puts this file into a function whose argument STYLE is the text of preview.css.
const ownScript = document.currentScript, pageInfo = JSON.parse(ownScript.dataset.preview);
const documentLoaded = new Promise(resolve => document.readyState === 'loading'
  ? addEventListener('DOMContentLoaded', resolve, { once: true }) : resolve());
let { build, file } = pageInfo, servedPage = null, queue = Promise.resolve();

// The messages of the preview are outside the page, with their own style.
const host = document.createElement('tenure-preview'), shadowRoot = host.attachShadow({ mode: 'open' });
// A constructed style sheet works under every Content-Security-Policy; a <style> element would need its digest in the policy.
const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLE);
shadowRoot.adoptedStyleSheets = [sheet];
const createElement = (name, properties, ...children) => {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children.filter(child => child));
  return node;
};
const draftNote = createElement('section', { className: 'draft', hidden: true, role: 'note' });
const problemsPanel = createElement('section', { className: 'problems', hidden: true, ariaLabel: 'Problems' });
const stepsPanel = createElement('section', { className: 'steps', hidden: true, ariaLabel: 'First steps' });
const settingsPanel = createElement('section', { className: 'settings', hidden: true, ariaLabel: 'Theme and options' });
shadowRoot.append(settingsPanel, stepsPanel, problemsPanel, draftNote);
document.documentElement.append(host);

// A closed panel stays closed in this tab until its content changes.
const storage = {
  get: name => { try { return sessionStorage.getItem(name); } catch { return null; } },
  set: (name, value) => { try { sessionStorage.setItem(name, value); } catch { /* storage is switched off in this browser */ } },
};
const fillPanel = (panel, value, ...children) => {
  const storageKey = `tenure-preview ${panel.className}`, content = JSON.stringify(value);
  if (panel.dataset.content === content) return;
  panel.dataset.content = content;
  const close = () => { panel.hidden = true; storage.set(storageKey, content); };
  panel.replaceChildren(...children, createElement('button', { type: 'button', className: 'close', onclick: close }, 'Close'));
  panel.onkeydown = event => { if (event.key === 'Escape') close(); };
  panel.hidden = !children.length || storage.get(storageKey) === content;
};
const createSourceLink = (link, ...children) => link
  ? createElement('a', { href: link, title: 'Open in the editor' }, ...children) : createElement('span', {}, ...children);
const createProblemList = items => createElement('ul', {}, ...items.map(item => createElement('li', {},
  createSourceLink(item.link, createElement('span', { className: 'place' }, item.place), ' ', item.message),
  item.excerpt && createElement('pre', { tabIndex: 0 }, item.excerpt), item.hint && createElement('p', { className: 'hint' }, item.hint))));
const showProblems = ({ errors, warnings }) => fillPanel(problemsPanel, [errors, warnings],
  ...errors ? [createElement('div', { className: 'errors' }, createElement('h1', { role: 'alert' }, errors.heading), createProblemList(errors.items))] : [],
  ...warnings ? [createElement('details', { className: 'warnings' },
    createElement('summary', {}, createElement('span', { role: 'status' }, warnings.heading)), createProblemList(warnings.items))] : []);
const createCopyButton = text => {
  const button = createElement('button', { type: 'button' }, 'Copy');
  button.onclick = () => navigator.clipboard.writeText(text).then(() => { button.textContent = 'Copied'; });
  return navigator.clipboard && button;
};
const showSteps = items => fillPanel(stepsPanel, items, ...items.length ? [
  createElement('h1', {}, 'This site is still empty. You could write next:'),
  createElement('ol', {}, ...items.map(item => createElement('li', {},
    createElement('h2', {}, item.title), createSourceLink(item.link, createElement('code', {}, item.file)),
    createElement('pre', { tabIndex: 0 }, item.lines), item.note && createElement('p', {}, item.note), createCopyButton(item.lines)))),
  createElement('p', {}, 'Only the preview shows this.')] : []);
const showDrafts = drafts => {
  draftNote.hidden = !drafts.length;
  draftNote.textContent = drafts.length ? `Draft, shown only in the preview: ${drafts.join('; ')}` : '';
};
showDrafts(pageInfo.drafts);

// The panel tries themes and options; only "Save" changes site.yaml. The server offers it to browsers on its own machine.
const requestPanel = async body => {
  const init = body && { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(pageInfo.panel, init), result = await response.json();
  if (!response.ok) throw new Error(result.error);
  return result;
};
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
  createElement('legend', {}, option.name), ...option.values.map(text => {
    const label = createElement('label', {}, createElement('input', { type: 'radio', name: option.name, value: text, checked: text === value, onchange }), text);
    for (const [part, colours] of Object.entries(option.swatches[text])) label.style.setProperty(`--${part}`, `light-dark(${colours})`);
    return label;
  }));
const toHexColour = value => /^#[0-9a-f]{6}$/i.test(value) ? value : '#7a2d2d';
const openButton = createElement('button', { type: 'button', className: 'open', hidden: !pageInfo.panel, ariaExpanded: 'false' }, 'Theme and options');
shadowRoot.append(openButton);
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
  const tryChoice = () => sendRequest({ choice }, newState => newState.is_saved ? 'This is what site.yaml says.' : 'Shown here, not saved.');
  const setOption = (name, value) => { choice.options = { ...choice.options, [name]: value }; tryChoice(); };
  const themes = createSelect(Object.keys(state.themes).map(name => [name, name]), state.name);
  themes.onchange = () => {
    const isPossible = ([name, value]) => state.themes[themes.value].options.some(option => option.name === name
      && (option.type !== 'palette' || option.values.includes(value)));
    choice.name = themes.value;
    choice.options = Object.fromEntries(Object.entries(choice.options).filter(isPossible));
    tryChoice();
  };
  const controls = (state.themes[state.name]?.options ?? []).flatMap(option => {
    const value = choice.options[option.name] ?? option.default, name = option.name;
    const changeOption = event => setOption(name, event.target.value);
    if (option.type === 'palette') return [createSwatches(option, value, changeOption)];
    if (option.type === 'text') return [createLabelledControl(name, createElement('input', { value, title: option.help, onchange: changeOption }))];
    const names = option.values.map(text => [text, text]);
    if (!option.default) names.unshift(['', 'that of the theme']);
    if (!names.some(([text]) => text === value)) names.push([value, value]);
    const select = Object.assign(createSelect(names, value), { title: option.help, onchange: changeOption });
    const colourInput = option.type === 'colour' && createElement('input', { type: 'color', value: toHexColour(value) });
    if (colourInput) colourInput.onchange = () => {
      if (![...select.options].some(item => item.value === colourInput.value)) select.append(createElement('option', { value: colourInput.value }, colourInput.value));
      select.value = colourInput.value;
      setOption(name, colourInput.value);
    };
    return [createLabelledControl(name, select), ...colourInput ? [createLabelledControl(`${name}, your own`, colourInput)] : []];
  });
  const createButton = (text, run) => createElement('button', { type: 'button', onclick: run }, text);
  const closePanel = () => {
    settingsPanel.hidden = true;
    openButton.hidden = false;
    openButton.ariaExpanded = 'false';
    openButton.focus();
  };
  settingsPanel.onkeydown = event => { if (event.key === 'Escape') closePanel(); };
  settingsPanel.replaceChildren(createElement('h1', {}, 'Theme and options'),
    createElement('form', { onsubmit: event => event.preventDefault() }, createLabelledControl('theme', themes), ...controls),
    createElement('div', { className: 'actions' },
      createButton('Save in site.yaml', () => sendRequest({ choice, save: true, digest: state.digest },
        newState => newState.written ? `Written to site.yaml: ${newState.written}` : 'site.yaml says this already.')),
      createButton('Back to site.yaml', () => sendRequest({ choice: null }, () => 'This is what site.yaml says.')), status),
    Object.assign(createButton('Close', closePanel), { className: 'close' }));
  return { showStatus, themes };
};
openButton.onclick = async () => {
  try {
    const panel = showSettings(await requestPanel());
    settingsPanel.hidden = false;
    openButton.hidden = true;
    panel.themes.focus();
  } catch { location.reload(); }
};

// A page from the server, and the data that came with it.
const fetchPage = async () => {
  const response = await fetch(location.href, { cache: 'no-store' });
  if (response.redirected) location.assign(response.url);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const script = page.querySelector('script[data-preview]');
  script?.remove();
  return [page, script && JSON.parse(script.dataset.preview)];
};
// The page before its own scripts changed it; a comparison with it leaves the changes of scripts and readers alone.
const rememberServedPage = () => fetchPage().then(([page, newInfo]) => { if (newInfo?.build === build) servedPage ??= page; }, () => {});
documentLoaded.then(() => (window.requestIdleCallback ?? setTimeout)(rememberServedPage));

const isScript = node => node.nodeName === 'SCRIPT' && /^$|javascript|module/.test(node.type);
const isStyleSheet = node => node.nodeName === 'LINK' && node.relList.contains('stylesheet');
const replaceStyleSheet = (live, href) => {
  const next = live.cloneNode();
  next.setAttribute('href', href);
  next.onload = next.onerror = () => live.remove();
  live.after(next);
};

// Content that no script of a theme has a use for: it can be replaced.
const isReplaceable = node => !node.querySelector('[id], script, iframe, object, video, audio, form, input, button, select, textarea, details, dialog, pre, .scroll, math[display=block]');

// Collects changes of texts, attributes and plain content; false if anything else has changed.
const collectChanges = (live, old, next, changes) => {
  if (live.nodeType !== next.nodeType || old.nodeName !== next.nodeName || live.nodeName !== next.nodeName) return false;
  if (next.nodeType !== 1) return changes.push(() => { live.data = next.data; });
  if (isScript(next) || /^(IFRAME|OBJECT|VIDEO|AUDIO)$/.test(next.nodeName)) return false;
  for (const name of new Set([...old.getAttributeNames(), ...next.getAttributeNames()])) {
    const value = next.getAttribute(name);
    if (old.getAttribute(name) === value) continue;
    changes.push(isStyleSheet(next) && name === 'href' ? () => replaceStyleSheet(live, value)
      : () => value === null ? live.removeAttribute(name) : live.setAttribute(name, value));
  }
  const [liveNodes, oldNodes, nextNodes] = [live, old, next].map(node => [...node.childNodes].filter(child => child !== ownScript && child !== host));
  // Where scripts have added nodes, a changed node is taken for the only node that is still as it was served.
  const findLiveNode = index => {
    if (liveNodes.length === oldNodes.length) return liveNodes[index];
    const unchanged = liveNodes.filter(node => node.isEqualNode(oldNodes[index]));
    return unchanged.length === 1 ? unchanged[0] : null;
  };
  if (oldNodes.length !== nextNodes.length) {
    return live.isEqualNode(old) && isReplaceable(old) && isReplaceable(next) && changes.push(() =>
      live.replaceChildren(...[...next.childNodes].map(child => document.importNode(child, true))));
  }
  return nextNodes.every((child, index) => {
    if (oldNodes[index].isEqualNode(child)) return true;
    const node = findLiveNode(index);
    return node && collectChanges(node, oldNodes[index], child, changes);
  });
};

// identifyNode names an element across two versions of a page; saveReaderState returns a function that restores what a reader
// has opened, filled in, scrolled and focused.
const identifyNode = (node, index) => node.id || `${node.nodeName} ${node.name ?? ''} ${node.querySelector?.('summary')?.textContent ?? ''} ${index}`;
const saveReaderState = () => {
  const readValues = (query, readValue) => new Map([...document.querySelectorAll(query)].map((node, index) => [identifyNode(node, index), readValue(node)]));
  const focused = document.activeElement, pageLeft = scrollX, pageTop = scrollY;
  const openDetails = readValues('details', node => node.open);
  const inputValues = readValues('input, textarea, select', node => [node.value, node.checked]);
  const scrollPositions = readValues('pre, .scroll', node => [node.scrollLeft, node.scrollTop]);
  const focusedKey = focused && focused !== document.body ? identifyNode(/** @type {any} */ (focused), [...document.querySelectorAll(focused.nodeName)].indexOf(/** @type {any} */ (focused))) : null;
  const focusedName = focused?.nodeName;
  return () => {
    const restoreValues = (query, values, setValue) => document.querySelectorAll(query).forEach((node, index) => {
      const value = values.get(identifyNode(node, index));
      if (value !== undefined) setValue(node, value);
    });
    restoreValues('details', openDetails, (node, value) => { node.open = value; });
    restoreValues('input, textarea, select', inputValues, (node, [value, checked]) => {
      if (node.type !== 'file') node.value = value;
      if ('checked' in node) node.checked = checked;
    });
    restoreValues('pre, .scroll', scrollPositions, (node, [left, top]) => node.scrollTo(left, top));
    if (focusedKey) [...document.querySelectorAll(focusedName)].find((node, index) => identifyNode(node, index) === focusedKey)?.focus({ preventScroll: true });
    scrollTo({ left: pageLeft, top: pageTop, behavior: 'instant' });
  };
};

// Replaces the whole page: first the style sheets, so that all content has a style, then the scripts, as on a first visit.
const replacePage = async next => {
  const restoreReaderState = saveReaderState(), { head } = document;
  const oldNodes = [...head.childNodes].filter(node => node !== ownScript);
  const newNodes = [...next.head.childNodes].map(node => oldNodes.find(candidate => candidate.isEqualNode(node)) ?? document.importNode(node, true));
  const newSheets = newNodes.filter(node => isStyleSheet(node) && !head.contains(node));
  const loading = newSheets.map(node => new Promise(resolve => { node.onload = node.onerror = resolve; }));
  head.append(...newSheets);
  await Promise.race([Promise.all(loading), new Promise(resolve => setTimeout(resolve, 1000))]);
  oldNodes.filter(node => !newNodes.includes(node)).forEach(node => node.remove());
  head.append(...newNodes.filter(node => !head.contains(node)));
  for (const name of servedPage?.documentElement.getAttributeNames() ?? []) document.documentElement.removeAttribute(name);
  for (const { name, value } of next.documentElement.attributes) document.documentElement.setAttribute(name, value);
  const body = document.importNode(next.body, true);
  for (const image of body.querySelectorAll('img')) {
    const existing = [...document.images].find(candidate => candidate.isEqualNode(image));
    if (existing) image.replaceWith(existing);
  }
  document.body.replaceWith(body);
  const reloadOnError = new AbortController();
  addEventListener('error', () => location.reload(), reloadOnError);  // a script that cannot run twice
  setTimeout(() => reloadOnError.abort(), 1000);
  restoreReaderState();
  const scripts = [...document.querySelectorAll('script')].filter(node => node !== ownScript && isScript(node));
  await Promise.all(scripts.map(script => {
    const newScript = document.createElement('script');
    for (const { name, value } of script.attributes) newScript.setAttribute(name, value);
    newScript.text = script.text;
    const finished = newScript.src && new Promise(resolve => { newScript.onload = newScript.onerror = resolve; });
    script.replaceWith(newScript);
    return finished;
  }));
  restoreReaderState();
};

// A browser applies a policy only while it loads a page.
const readPolicy = page => page.querySelector('meta[http-equiv="Content-Security-Policy" i]')?.content;

const updatePage = async () => {
  const [newPage, newInfo] = await fetchPage();
  if (!newInfo || readPolicy(newPage) !== readPolicy(document)) return location.reload();
  await documentLoaded;
  const changes = [];
  const isSmallChange = servedPage && collectChanges(document.documentElement, servedPage.documentElement, newPage.documentElement, changes);
  if (isSmallChange) changes.forEach(change => change());
  else await replacePage(newPage);
  ({ build, file } = newInfo);
  servedPage = newPage;
  showDrafts(newInfo.drafts);
  document.dispatchEvent(new CustomEvent('tenure:shown', { detail: build }));
};

// Changes the only element that differs from the served page; false if the whole page must be loaded.
const updateElement = ({ before, after }) => {
  const [oldElement, newElement] = [before, after].map(html => Object.assign(document.createElement('template'), { innerHTML: html }).content.firstElementChild);
  const servedElement = servedPage?.getElementById(oldElement?.id), liveElement = document.getElementById(oldElement?.id), changes = [];
  if (!servedElement?.isEqualNode(oldElement) || !liveElement || oldElement.id !== newElement?.id || !collectChanges(liveElement, servedElement, newElement, changes)) return false;
  changes.forEach(change => change());
  servedElement.replaceWith(servedPage.importNode(newElement, true));
  return true;
};

// Images keep their URLs when their bytes change.
const reloadImages = files => {
  for (const node of document.querySelectorAll('[src]')) {
    const url = new URL(node.src, location.href), path = decodeURI(url.pathname);
    if (url.origin !== location.origin || isScript(node) || !files.some(name => path.endsWith(`/${name}`))) continue;
    url.searchParams.set('preview', build);
    node.src = url.href;
  }
};

const handleMessage = async ({ build: latest, files, page, changed, report, element: changedElement }) => {
  showProblems(report);
  showSteps(report.steps);
  if (latest === build) return;
  if (changedElement?.file === file && changedElement.build === build && updateElement(changedElement)) document.dispatchEvent(new CustomEvent('tenure:shown', { detail: latest }));
  else if (!files || files.includes(file)) await updatePage();
  else if (page && !changed.includes(file)) return location.assign(page);
  build = latest;
  reloadImages(files ?? []);
};

let reconnectDelay = 200;
const connect = () => {
  const socket = new WebSocket(`ws://${location.host}/livereload`);
  const sendMessage = message => socket.send(JSON.stringify(message));
  socket.onopen = () => {
    reconnectDelay = 200;
    sendMessage({ command: 'hello', protocols: ['http://livereload.com/protocols/official-7'] });
    sendMessage({ command: 'info', url: location.href, build, file });
  };
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.command === 'reload') queue = queue.then(() => handleMessage(message)).catch(() => location.reload());
  };
  // The page reconnects to a server that was restarted.
  socket.onclose = () => setTimeout(connect, reconnectDelay = Math.min(reconnectDelay * 1.5, 2000));
};
connect();

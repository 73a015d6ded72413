// Updates a previewed page after its sources change, with the protocol of LiveReload, version 7.
// The server puts this file, panels.js and idiomorph.js into one function whose argument STYLE is the text of preview.css.
import { describeClick } from './click.js';
import { createElement, showProblems, showSteps } from './panels.js';

const ownScript = document.currentScript, pageInfo = JSON.parse(ownScript.dataset.preview);
const documentLoaded = new Promise(resolve => addEventListener('DOMContentLoaded', resolve, { once: true }));
let { build, file } = pageInfo, queue = Promise.resolve();

// What scripts and the reader change in the page: the changes of nodes, the nodes that scripts made, and the first values of attributes.
const journal = [], firstValues = new Map(), madeNodes = new WeakSet(), servedNodes = new WeakSet(), ownNodes = new WeakSet();
let servedRootAttributes = document.documentElement.getAttributeNames();
const observer = new MutationObserver(records => records.forEach(record => {
  const { target, attributeName, oldValue } = record;
  if (attributeName) {
    const values = firstValues.get(target) ?? firstValues.set(target, new Map()).get(target);
    if (!values.has(attributeName)) values.set(attributeName, oldValue);
  } else if (document.readyState !== 'loading' && !madeNodes.has(target) && !ownNodes.has(record.addedNodes[0])) {
    journal.push(record);
    record.removedNodes.forEach(node => madeNodes.has(node) || servedNodes.add(node));
    for (const node of /** @type {Iterable<any>} */ (record.addedNodes)) if (!servedNodes.has(node)) [node, ...node.querySelectorAll?.('*') ?? []].forEach(one => madeNodes.add(one));
  }
}));
observer.observe(document.documentElement, { subtree: true, childList: true, attributes: true, attributeOldValue: true });
document.addEventListener('readystatechange', () => observer.takeRecords(), { once: true });  // the last nodes of the parser

// Listeners of the page end before its scripts run again.
let scriptRun = new AbortController();
const { addEventListener: addListener } = EventTarget.prototype;
EventTarget.prototype.addEventListener = function addPageListener(type, listener, options) {
  const given = typeof options === 'object' ? options : { capture: options };
  const signal = given?.signal ? AbortSignal.any([given.signal, scriptRun.signal]) : scriptRun.signal;
  addListener.call(this ?? window, type, listener, { ...given, signal });
};

// The messages of the preview are outside the page, with their own style.
const host = document.createElement('tenure-preview'), shadowRoot = host.attachShadow({ mode: 'open' });
// A constructed style sheet works under every Content-Security-Policy; a <style> element would need its digest in the policy.
const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLE);
shadowRoot.adoptedStyleSheets = [sheet];
const draftNote = createElement('section', { className: 'draft', hidden: true, role: 'note' });
const problemsPanel = createElement('section', { className: 'problems', hidden: true, ariaLabel: 'Problems' });
const stepsPanel = createElement('section', { className: 'steps', hidden: true, ariaLabel: 'First steps' });
const buildingNote = createElement('section', { className: 'building', hidden: true, role: 'status' }, 'Building…');
shadowRoot.append(buildingNote, stepsPanel, problemsPanel, draftNote);
document.documentElement.append(host);
// The end of the page can be read above the panels.
const roomSheet = new CSSStyleSheet();
document.adoptedStyleSheets = [...document.adoptedStyleSheets, roomSheet];
new ResizeObserver(() => roomSheet.replaceSync(`@media screen { html { padding-block-end: ${host.offsetHeight + 48}px } }`)).observe(host);

// In the frame of the editor, a click says to the editor alone what it hit; otherwise a link leads to the editor.
const editorUrl = pageInfo.edit ? `http://${location.hostname}:${pageInfo.edit}` : '', isInEditor = Boolean(editorUrl) && window.parent !== window;
const tellEditor = message => isInEditor && window.parent.postMessage({ tenure: true, file, ...message }, editorUrl);
// The frame of the editor shows pages of the site; a PDF or another site has a tab of its own.
const isPage = link => link.origin === location.origin && !/\.(?!html$)\w+$/.test(link.pathname);
addListener.call(document, 'click', event => {
  const clicked = isInEditor && describeClick(event), link = isInEditor && event.target.closest?.('a[href]');
  if (!clicked && link && !isPage(link)) Object.assign(link, { target: '_blank', rel: 'noopener' });
  if (!clicked) return;
  event.preventDefault();
  tellEditor({ clicked });
}, true);
const editLink = createElement('a', { className: 'open', hidden: isInEditor || !editorUrl }, 'Edit');
const showEditLink = () => { editLink.href = `${editorUrl}/?at=${encodeURIComponent(location.href)}`; };
editLink.onfocus = editLink.onpointerenter = showEditLink;
showEditLink();
const findHelp = section => `/livereload/docs/${section}`;
shadowRoot.append(editLink, createElement('a', { className: 'open help', hidden: isInEditor, href: findHelp(''), target: '_blank', title: 'Documentation', ariaLabel: 'Documentation' }, '?'));

const createSourceLink = ([path, line, column] = [], ...children) => {
  const open = event => { event.preventDefault(); tellEditor({ problem: [path, line, column] }); };
  if (path && isInEditor) return createElement('a', { href: '#', title: 'Open its form', onclick: open }, ...children);
  const values = { file: path?.split('/').map(encodeURIComponent).join('/'), line, column };
  const href = pageInfo.editor?.replace(/{(file|line|column)}/g, (_, name) => values[name]);
  return path && href ? createElement('a', { href, title: 'Open in the editor' }, ...children) : createElement('span', {}, ...children);
};
// A step opens the form of its file, and writes nothing.
const createOpener = ({ file: source, adds }) => {
  const open = event => { if (isInEditor) { event.preventDefault(); tellEditor({ step: [source, adds] }); } };
  const link = createElement('a', { className: 'write', onclick: open }, 'Write it');
  link.href = `${editorUrl}/?at=${encodeURIComponent(location.href)}&file=${encodeURIComponent(source)}&field=${adds}`;
  return link;
};
const showDrafts = drafts => {
  draftNote.hidden = !drafts.length;
  draftNote.textContent = drafts.length ? `Draft, shown only in the preview: ${drafts.join('; ')}` : '';
};
showDrafts(pageInfo.drafts);

// A page from the server, and the data that came with it.
const fetchPage = async () => {
  const response = await fetch(location.href, { cache: 'no-store' });
  if (response.redirected) location.assign(response.url);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const script = page.querySelector('script[data-preview]');
  script?.remove();
  return [page, script && JSON.parse(script.dataset.preview)];
};

const isScript = node => node.nodeName === 'SCRIPT' && /^$|javascript|module/.test(node.type);
const isStyleSheet = node => node.nodeName === 'LINK' && node.relList.contains('stylesheet');

// Scripts run again if there are other elements than before that they may use.
const USED = '[id], script, iframe, object, video, audio, form, input, button, select, textarea, details, dialog, pre, .scroll, math[display=block]';
const listUsedElements = root => [root, ...root.querySelectorAll(USED)].filter(node => !madeNodes.has(node) && node !== ownScript)
  .map(node => isScript(node) ? node.outerHTML : `${node.nodeName} ${node.id}`).join('\n');

// What a reader has opened or filled in.
const isOfReader = (node, name) => (name === 'open' && node.nodeName === 'DETAILS') || (/^(value|checked|selected)$/.test(name) && /^(INPUT|OPTION|TEXTAREA)$/.test(node.nodeName));
const hasFrame = node => node.nodeName === 'IFRAME' || node.querySelector?.('iframe');

// Brings an element back to what was served, but keeps the nodes of scripts for which isKept is true. The result is a function that
// repeats what scripts did.
const undoScripts = (root, isKept) => {
  const records = journal.filter(({ target }) => root.contains(target));
  const values = [...firstValues].filter(([node]) => root.contains(node) && node !== document.documentElement).flatMap(([node, firsts]) => [...firsts]
    .filter(([name]) => !isOfReader(node, name)).map(([name, first]) => ({ node, name, first, last: node.getAttribute(name) })));
  const replaceNodes = (oldNodes, newNodes, { target, previousSibling: previous }) => {
    const nodes = [...newNodes].filter(node => !isKept(node));
    [...oldNodes].filter(node => !isKept(node)).forEach(node => node.remove());
    if (previous?.parentNode === target) previous.after(...nodes);
    else target.prepend(...nodes);
  };
  const setValue = (node, name, value) => value === null ? node.removeAttribute(name) : node.setAttribute(name, value);
  records.toReversed().forEach(record => replaceNodes(record.addedNodes, record.removedNodes, record));
  values.forEach(({ node, name, first }) => setValue(node, name, first));
  return () => {
    records.forEach(record => replaceNodes(record.removedNodes, record.addedNodes, record));
    values.forEach(({ node, name, first, last }) => node.getAttribute(name) === first && setValue(node, name, last));
  };
};

// Changes an element into a new version of it. Nothing that stays the same is touched.
const morphElement = (element, next) => Idiomorph.morph(element, next, { callbacks: {
  beforeNodeMorphed: (node, other) => !madeNodes.has(node) && !node.isEqualNode(other),
  beforeNodeRemoved: node => !madeNodes.has(node),
  beforeAttributeUpdated: (name, node) => !isOfReader(node, name),
} });

// Style sheets are removed when the new ones are loaded, so that all content has a style.
const updateHead = async next => {
  const { head } = document, oldNodes = [...head.childNodes].filter(node => node !== ownScript && !madeNodes.has(node));
  const newNodes = [...next.head.childNodes].map(node => oldNodes.find(candidate => candidate.isEqualNode(node)) ?? document.importNode(node, true));
  const newSheets = newNodes.filter(node => isStyleSheet(node) && !head.contains(node));
  const loading = newSheets.map(node => new Promise(resolve => { node.onload = node.onerror = resolve; }));
  head.append(...newSheets);
  observer.takeRecords();
  await Promise.race([Promise.all(loading), new Promise(resolve => setTimeout(resolve, 1000))]);
  oldNodes.filter(node => !newNodes.includes(node)).forEach(node => node.remove());
  head.append(...newNodes.filter(node => !head.contains(node)));
  observer.takeRecords();  // otherwise the next undoScripts would bring the old style sheets back
};

const runScripts = () => {
  const reloadOnError = new AbortController();
  addEventListener('error', () => location.reload(), reloadOnError);  // a script that cannot run twice
  setTimeout(() => reloadOnError.abort(), 1000);
  for (const script of [...document.querySelectorAll('script')].filter(node => node !== ownScript && !madeNodes.has(node) && isScript(node))) {
    const newScript = document.createElement('script');
    for (const { name, value } of script.attributes) newScript.setAttribute(name, value);
    newScript.text = script.text;
    newScript.async = script.async;  // otherwise it would not wait for those before it
    ownNodes.add(newScript);
    script.replaceWith(newScript);
  }
};

// A browser applies a policy only while it loads a page.
const readPolicy = page => page.querySelector('meta[http-equiv="Content-Security-Policy" i]')?.content;

const updatePage = async () => {
  const [newPage, newInfo] = await fetchPage();
  if (!newInfo || readPolicy(newPage) !== readPolicy(document)) return location.reload();
  await documentLoaded;
  const { documentElement: root, body } = document, newRoot = newPage.documentElement;
  const mustRunScripts = listUsedElements(root) !== listUsedElements(newRoot);
  await updateHead(newPage);
  const repeatScripts = mustRunScripts ? undoScripts(root, () => false) : undoScripts(body, hasFrame);
  for (const name of servedRootAttributes) if (!newRoot.hasAttribute(name)) root.removeAttribute(name);
  for (const { name, value } of newRoot.attributes) root.setAttribute(name, value);
  servedRootAttributes = newRoot.getAttributeNames();
  morphElement(body, newPage.body);
  if (!mustRunScripts) repeatScripts();
  observer.takeRecords();
  if (mustRunScripts) {
    journal.length = 0;
    firstValues.clear();
    scriptRun.abort();
    scriptRun = new AbortController();
    runScripts();
  }
  ({ build, file } = newInfo);
  showDrafts(newInfo.drafts);
  document.dispatchEvent(new CustomEvent('tenure:shown', { detail: build }));
};

// An element from HTML; null if a tag in it is missing, because then the rest of the page changes too.
const parseElement = html => {
  const { content } = Object.assign(document.createElement('template'), { innerHTML: `${html}<hr>` });
  return content.childNodes.length === 2 && content.lastChild.nodeName === 'HR' ? content.firstElementChild : null;
};

// Changes the only element that differs from the served page; false if the whole page must be loaded.
const updateElement = ({ before, after }) => {
  const [oldElement, newElement] = [before, after].map(parseElement), element = oldElement && document.getElementById(oldElement.id);
  if (!element || newElement?.id !== element.id || listUsedElements(element) !== listUsedElements(newElement)) return false;
  const repeatScripts = undoScripts(element, hasFrame);
  morphElement(element, newElement);
  repeatScripts();
  observer.takeRecords();
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
  observer.takeRecords();
};

const handleMessage = async ({ build: latest, files, report, element: changedElement }) => {
  showProblems(problemsPanel, report, createSourceLink, isInEditor, findHelp);
  showSteps(stepsPanel, report, editorUrl && createOpener);
  tellEditor({});
  if (latest === build) return;
  if (changedElement?.file === file && changedElement.build === build && updateElement(changedElement)) document.dispatchEvent(new CustomEvent('tenure:shown', { detail: latest }));
  else if (!files || files.includes(file)) await updatePage();
  build = latest;
  reloadImages(files ?? []);
};

// A build of less than 0.3 s shows no sign.
let buildingTimer = 0;
const showBuilding = isBuilding => {
  clearTimeout(buildingTimer);
  if (isBuilding) buildingTimer = setTimeout(() => { buildingNote.hidden = false; }, 300);
  else buildingNote.hidden = true;
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
    if (message.command !== 'reload') return;
    showBuilding(message.building);
    queue = queue.then(() => handleMessage(message)).catch(() => location.reload());
  };
  // The page reconnects to a server that was restarted.
  socket.onclose = () => setTimeout(connect, reconnectDelay = Math.min(reconnectDelay * 1.5, 2000));
};
connect();

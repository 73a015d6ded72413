// The page: files and editor at the left, the site at the right. This module connects them.
import { createBegin } from './begin.js';
import { Sources } from './files.js';
import { describeClick } from './click.js';
import { onProgress } from './load.js';
import { NO_FACTS, createForm } from './forms.js';
import { createElement, createSettings, showProblems, showSteps } from './panels.js';
import { readPicture } from './pictures.js';
import { createOnline } from './online.js';
import { findPagePath, findShownPage, goToPage, onPageLoad, refreshSite, showPdf } from './preview.js';
import { isPublished } from './publish.js';
import { createPython } from './python.js';
import { keepPage, openSite, publishFiles } from './site.js';
import { showReport } from './report.js';
import { findLevels, namePage, nameSource, showAdditions, showSources } from './sources.js';
import { Store, lockSite, writeFolder } from './store.js';
import { createTake } from './take.js';
import { showTree } from './tree.js';

/** The number of files above which a site needs no first steps. */
const MANY_FILES = 5;
/** Milliseconds without an edit before the CV is typeset again. */
const CV_DELAY = 800;

/** @typedef {import('./editor.js').Problem} Problem */

/** @param {string} id @returns {any} */
const find = id => document.getElementById(id);
const isText = path => /\.(ya?ml|bib|md|markdown|json|html|css|txt|typ|js|csl)$/i.test(path);
const showStatus = text => { find('status').textContent = text; };
const refuse = text => {
  Object.assign(find('sorry'), { textContent: text, hidden: false });
  throw new Error(text);
};

// ---- What is loaded is said in megabytes; also in the dialog, which waits for it after a click.
let isLoading = true;
onProgress((text, share) => {
  Object.assign(find('progress'), { hidden: share === 1, value: share });
  find('begin-status').textContent = text;
  if (isLoading) showStatus(text);
});

// ---- What this browser needs, and whether another tab edits.
if (window.top !== window) refuse('This page does not work inside another page. Open it in a tab of its own.');
if (!('serviceWorker' in navigator) || !('WebAssembly' in globalThis) || !('DecompressionStream' in globalThis) || !('locks' in navigator)) {
  refuse('This browser cannot run the program: it needs WebAssembly and service workers, which are off, too old, or forbidden in a private window. On your computer, Tenure makes the same site.');
}
if (!await lockSite()) refuse('Your site is open in another tab, and only one tab can edit it. This one continues as soon as you close the other.');

const store = await Store.open();
/** What is open in the navigation: a source, or “languages” of site.yaml. */
let shownPart = '';
let current = '', isTrusted = await store.readFact('isTrusted') !== false;
/** @type {Problem[]} */
let problems = [];
/** The names of the drafts of the last build. @type {string[]} */
let drafts = [];
/** What forms know of the site. @type {import('./forms.js').Facts} */
let facts = NO_FACTS;
/** @type {Record<string, any> | null} */
let schemas = null;
const findSchema = () => schemas?.[current === 'site.yaml' ? 'site' : current.match(/^content\/([^/]+)\.ya?ml$/)?.[1] ?? ''] ?? (/^content\/[^/]+\.ya?ml$/.test(current) ? schemas?.items : null);

// ---- Sources: each change is stored, shown and built.
/** The folder of this computer with the site, if it was begun with one. @type {any} */
let folder = null;
/** Whether the site was changed since it was begun: an example that was only looked at is not kept. */
let isEdited = Boolean(await store.readFact('isEdited'));
const setEdited = value => {
  if (isEdited !== value) store.writeFact('isEdited', value);
  isEdited = value;
};
const sources = new Sources(changes => {
  setEdited(true);
  if (folder) tryTo(() => writeFolder(folder, changes));
  store.writeFiles(changes).catch(error => showStatus(`This browser cannot keep your work: ${error.message}. Download it.`));
  if (current in changes) {
    if (sources.files.has(current)) editor?.update(sources.readText(current));
    else openFile(sources.paths.find(isText) ?? '');
  }
  if (Object.keys(changes).some(path => !changes[path] || !find('tree').querySelector(`[data-path="${CSS.escape(path)}"]`))) showFiles();
  queueBuild(changes);
});
/** What is typed is a change as soon as nothing was typed for a moment, or the tab is left. @type {(() => void) | null} */
let pending = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let typing, idle;
const writePending = () => {
  clearTimeout(typing);
  if (pending) tryTo(pending);
  pending = null;
};
document.addEventListener('visibilitychange', writePending);
/** The editor is loaded when a text is shown for the first time. @type {ReturnType<typeof import('./editor.js').createEditor> | null} */
let editor = null;
const loadEditor = async () => {
  const { createEditor } = await import('./editor.js');
  editor ??= createEditor(find('editor'), text => {
    const path = current;
    clearTimeout(typing);
    pending = () => sources.writeText(path, text);
    typing = setTimeout(writePending, 200);
  }, findSchema);
  showText();
  markProblems();
};
const showText = () => {
  const isOpen = Boolean(current) && isText(current);
  editor?.open(current, isOpen ? readText(current) : '', isOpen);
};
/** Do something, and say why it does not work. @param {() => any} action */
const tryTo = async action => {
  try { return await action(); } catch (error) { showStatus(error.message); }
};

// ---- The form beside the text: both show the same file.
const readText = path => (sources.files.has(path) ? sources.readText(path) : '');
const form = createForm(find('form'), {
  call: async (name, ...values) => (name === 'schemas' ? (schemas ??= await (await fetch('schemas.json')).json()) : call(name, ...values)),
  read: async (name, path, ...values) => JSON.parse(await call('read', name, path, readText(path), ...values)),
  edit: async (name, path, base, ...values) => sources.write(await call('edit', name, path, readText(path), base || readText(path), ...values)),
  version: path => readText(path),
  listFiles: () => sources.paths,
  facts: () => facts,
  open: path => openFile(path),
  findProblems: path => problems.filter(({ file }) => file === path),
  repair: problem => repair(problem),
  addFile: async (place, file, key) => {
    const [ownName, body] = await readPicture(file), ending = ownName.split('.').pop()?.toLowerCase() ?? '';
    if (!(place === 'images' ? /^(jpe?g|png|webp|svg|mp4|webm)$/ : /^pdf$/).test(ending)) throw new Error(`${ownName} cannot be used as it is; export it as ${place === 'images' ? 'JPEG, PNG, WebP, SVG, MP4 or WebM' : 'PDF'}`);
    const stem = key ? key.replace(/[/\\:*?"<>|]/g, '-') : ownName.replace(/\.[^.]*$/, '').toLowerCase().replace(/[^a-z0-9]+/g, '-');
    for (let number = 1; ; number += 1) {
      const name = `${place}/${stem}${number > 1 ? `-${number}` : ''}.${ending}`;
      if (sources.files.has(`content/${name}`)) continue;
      sources.write({ [`content/${name}`]: body });
      return name;
    }
  },
  showPicture: name => {
    const body = sources.files.get(`content/${name}`) ?? sources.files.get(`content/images/${name}`);
    return body ? URL.createObjectURL(new Blob([body], { type: name.endsWith('.svg') ? 'image/svg+xml' : '' })) : '';
  },
  say: showStatus,
  sayRemoved: name => showStatus(`“${name}” is removed; “Undo” brings it back.`),
});
const canHaveForm = path => path === 'site.yaml' || /^content\/.*\.(ya?ml|md|markdown)$/.test(path) || path.endsWith('.bib');
let mode = 'form';
const showMode = chosen => {
  writePending();
  mode = chosen;
  const isForm = mode === 'form' && canHaveForm(current);
  find('form').hidden = !isForm;
  find('editor').hidden = isForm;
  Object.assign(find('as-text'), { ariaPressed: String(!isForm), disabled: !canHaveForm(current), onclick: () => showMode(isForm ? 'text' : 'form') });
  if (isForm) return form.show(current);
  return editor ? undefined : tryTo(loadEditor);
};
/** Go to the page of the site that shows the current source, as soon as there is one. */
let wantsPage = false;
const showPage = async isWanted => {
  wantsPage = isWanted;
  const path = isWanted && call && await call('page', current, findShownPage());
  if (!path) return;
  wantsPage = false;
  await goToPage(path);
};
/** Open the form of a source that the site does not have yet; a page is added by its title. */
const addSource = async (file, title) => {
  const path = file || namePage(await call('makeSlug', title), sources.paths);
  if (!file) sources.write(await call('edit', 'setValue', path, '', '', ['title'], title));
  mode = 'form';
  await openFile(path);
  await form.addEntry();
  if (!file) find('form').querySelector('[data-at=body]')?.focus();
  await showPage(true);
};

/** Open the form of a part: of a source, or of the languages in site.yaml. */
const openPart = async name => {
  const isLanguages = name === 'languages';
  mode = 'form';
  await openFile(isLanguages ? 'site.yaml' : name, name);
  if (isLanguages) await form.showEntry('site.yaml', { field: 'languages' });
  else await showPage(true);
};
const openDesign = () => {
  showView('site');
  shadow.querySelector('button')?.click();
};
const showFiles = () => {
  find('file-name').textContent = shownPart && nameSource(shownPart, facts.names);
  const levels = findLevels(problems);
  const shown = current && !sources.files.has(current) ? [...sources.paths, current] : sources.paths;
  showSources(find('sources'), { paths: shown.filter(path => !/^(\.|vendor\/)/.test(path)), names: facts.names, current: shownPart, levels }, openPart, openDesign);
  showTree(find('tree'), sources.paths.filter(path => !/^(\.|vendor\/)/.test(path)), current, levels, path => openFile(path));
  showAdditions(find('add'), sources.paths, addSource);
  find('undo').disabled = !sources.canUndo;
};
find('undo').onclick = () => tryTo(async () => {
  writePending();
  await form.finish();
  const paths = sources.undo(), path = paths.find(one => sources.files.has(one) && isText(one));
  if (path) await openFile(path);
  showStatus(`Taken back: ${paths.length > 3 ? `${paths.length} files` : paths.join(', ')}`);
});
const repair = problem => tryTo(async () => sources.write(await call('repair', problem)));
const markProblems = () => editor?.showProblems(problems.filter(({ file }) => file === current), repair);
const openFile = async (path, name = path) => {
  writePending();
  [current, shownPart] = [path, name];
  find('file-path').textContent = path;
  find('delete-file').hidden = !path;
  showText();
  showFiles();
  markProblems();
  if (find('main').dataset.view === 'files') showView('write');
  await showMode(mode);
};

// ---- Builds: one at a time; what changes meanwhile is in the next one.
/** The cache with the built site. @type {Cache | null} */
let cache = null;
/** @type {import('./store.js').Changes} */
let waiting = {};
let isWaiting = false, isBuilding = false, hasTypst = false, hasRest = false, isFirst = true, building = Promise.resolve();
/** @param {import('./store.js').Changes} changes */
const queueBuild = changes => {
  waiting = { ...waiting, ...changes };
  isWaiting = true;
  if (cache && !isBuilding) building = build();
};
const build = async () => {
  isBuilding = true;
  showStop('');
  while (isWaiting) {
    const changes = waiting;
    [waiting, isWaiting] = [{}, false];
    const slow = setTimeout(showStatus, 1000, 'Building …');
    await tryTo(() => buildOnce(changes));
    clearTimeout(slow);
  }
  isBuilding = false;
};
const buildOnce = async changes => {
  const started = performance.now();
  await call('write', changes, isTrusted);
  const result = await call('build', Object.keys(changes));
  const isWhole = isFirst && Object.keys(result.files).length > 0;
  await publishFiles(cache, result, isWhole);
  if (isWhole) isFirst = false;
  isLoading = false;
  store.writeFact('unfinished', false);
  ({ problems, drafts, facts = facts } = { ...result, facts: result.facts ?? facts });
  showFiles();
  markProblems();
  if (!find('form').hidden) tryTo(() => form.refresh());
  showProblems(panels.problems, result.report, createSourceLink, true);
  showSteps(panels.steps, sources.files.size > MANY_FILES ? { ...result.report, steps: [] } : result.report, createStepButton);
  find('site-title').textContent = result.title || 'Your site';
  find('cvs').replaceChildren(...result.cvs.map(path => new Option(path, path)));
  Object.assign(find('scripts-note'), {
    hidden: !result.blocked.length && isTrusted,
    textContent: isTrusted ? `Scripts of this site do not run here: ${result.blocked.join(', ')}` : 'The templates of this site are not used: you have not said that you trust them.',
  });
  if (Object.keys(result.files).length || result.removed.length) await refreshSite();
  await showPage(wantsPage);
  showStatus(`Built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  document.dispatchEvent(new CustomEvent('built', { detail: result }));
  clearTimeout(idle);
  if (result.late && hasTypst) idle = setTimeout(tryTo, CV_DELAY, typeset);  // the next edit comes first
  if (!hasRest) {
    hasRest = true;
    tryTo(loadRest);  // the build has ended: nothing waits for it
  }
};
/** Load what later edits need, and keep the page for a visit without a network. */
const loadRest = async () => {
  schemas = await (await fetch('schemas.json')).json();
  await call('loadRest');
  await keepPage();
};

// ---- Python answers the calls in their order. One that has no answer for a long time can be stopped: Python begins again with the same sources,
// and what did not end is not built by itself, also not at the next visit.
/** @param {string} text @param {() => any} [action] */
const showStop = (text, action = stopPython) => {
  if (text) (document.querySelector('dialog[open]') ?? find('stop-place')).append(find('stop'));
  Object.assign(find('stop'), { hidden: !text, textContent: text, onclick: action });
};
const python = createPython({
  onReady: () => { if (!stored.size) showStatus('Ready'); },
  onFailure: message => showStatus(`Python cannot start: ${message}`),
  onWait: isLong => {
    if (isLong && isBuilding) store.writeFact('unfinished', true);
    if (isLong || find('stop').textContent === 'Stop') showStop(isLong ? 'Stop' : '');
  },
});
const { call } = python;
const sendAll = () => tryTo(() => call('write', Object.fromEntries(sources.files), isTrusted));
const offerBuild = text => {
  showStatus(text);
  showStop('Build it', () => queueBuild({}));
};
const stopPython = async () => {
  const wasBuilding = isBuilding;
  [waiting, isWaiting] = [{}, false];
  [isFirst, hasRest, hasTypst] = [true, false, false];
  find('show-cv').disabled = false;
  python.stop();
  await sendAll();
  if (wasBuilding && !isBuilding) offerBuild('Stopped. The site is built after your next change.');
};
const typeset = async () => {
  showStatus('Typesetting the CV …');
  const started = performance.now(), { files } = await call('typeset');
  await publishFiles(cache, { files });
  if (find('show-cv').ariaPressed === 'true') showPdf(find('cvs').value);
  showStatus(`The CV was typeset in ${((performance.now() - started) / 1000).toFixed(1)} s`);
};

// ---- Problems, first steps, themes: the panels of the preview.
const shadow = find('panels').attachShadow({ mode: 'open' });
const createPanel = (className, ariaLabel) => createElement('section', { className, ariaLabel, hidden: true });
const panels = { settings: createPanel('settings', 'Design'), steps: createPanel('steps', 'First steps'), problems: createPanel('problems', 'Problems') };
const createSourceLink = ([path, line, column] = [], ...children) => {
  const problem = problems.find(one => one.file === path && one.edits.length && Math.max(one.line, 1) === line && Math.max(one.column, 1) === column);
  if (!sources.files.has(path)) return createElement('span', {}, ...children);
  const open = () => tryTo(async () => {
    mode = 'form';
    await openFile(path);
    showView('write');
    if (!find('form').hidden && !find('form').querySelector('[data-at=text]')) {
      await form.showEntry(path, { line, column });
      return;
    }
    await showMode('text');
    editor?.goTo(line, column);
  });
  return createElement('span', {}, createElement('a', { href: '#write', onclick: event => { event.preventDefault(); open(); } }, ...children),
    problem && ' ', problem && createElement('button', { type: 'button', onclick: () => repair(problem) }, 'Repair'));
};
/** A step opens the form of its file, and writes nothing. */
const createStepButton = ({ file, adds }) => createElement('button', {
  type: 'button',
  onclick: async () => {
    mode = 'form';
    await openFile(file);
    await form.addEntry();
    showView('write');
    find('form').querySelector(`[data-at="${adds === 'contact' ? 'email' : adds}"]`)?.focus();
  },
}, 'Write it');
const requestPanel = async choice => {
  const state = await call('themes', choice ?? null);
  if (Object.keys(state.files).length) sources.write(state.files);
  else if (choice) queueBuild({});
  return state;
};
shadow.append(createElement('link', { rel: 'stylesheet', href: 'preview.css' }), createSettings(panels.settings, requestPanel, error => showStatus(error.message)), ...Object.values(panels));

// ---- A click on the site opens the form of what it hit.
onPageLoad(page => page.addEventListener('click', event => {
  const clicked = describeClick(event);
  if (!clicked) return;
  event.preventDefault();
  tryTo(async () => {
    const { ids, section, part } = clicked, found = await call('find', findPagePath(page), ids, section, part);
    if (!found || !sources.files.has(found.file)) return;
    mode = 'form';
    await openFile(found.file);
    await form.showEntry(found.file, found);
    showView('write');
  });
}, true));

// ---- What an import did: open until it is closed, and kept.
const showImport = async () => showReport(find('report'), await store.readFact('report'), path => (sources.files.has(path) ? () => openFile(path) : null), report => store.writeFact('report', report));

// ---- Views: tabs on a phone; the site and its CV.
const tabs = [...find('tabs').querySelectorAll('[role=tab]')];
const showView = name => {
  find('main').dataset.view = name;
  for (const tab of tabs) {
    const isShown = tab.id === `tab-${name}`;
    Object.assign(tab, { ariaSelected: String(isShown), tabIndex: isShown ? 0 : -1 });
  }
};
for (const tab of tabs) {
  tab.onclick = () => showView(tab.id.slice('tab-'.length));
  tab.onkeydown = ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (!step) return;
    const other = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
    other.click();
    other.focus();
  };
}
const showCv = async isCv => {
  if (isCv && !hasTypst) {
    find('show-cv').disabled = true;
    isLoading = true;
    await call('loadTypst');
    isLoading = false;
    hasTypst = true;
    find('show-cv').textContent = 'CV';
    queueBuild({});
    await new Promise(resolve => document.addEventListener('built', resolve, { once: true }));
    await typeset();
    find('show-cv').disabled = false;
  }
  find('show-cv').ariaPressed = String(isCv);
  find('show-site').ariaPressed = String(!isCv);
  find('cvs').hidden = !isCv || find('cvs').options.length < 2;
  showPdf(isCv ? find('cvs').value : '');
};
find('show-cv').onclick = () => tryTo(() => showCv(true));
find('show-site').onclick = () => showCv(false);
find('cvs').onchange = () => showPdf(find('cvs').value);

// ---- Files are added by choice or by drop; a picture goes to content/, a .bib file to bib/.
const addFiles = files => tryTo(async () => {
  for (const [i, file] of [...files].entries()) {
    showStatus(`Reading ${file.name}: ${i + 1} of ${files.length}`);
    const [name, body] = await readPicture(file);
    sources.write({ [`${name.endsWith('.bib') ? 'bib' : 'content'}/${name}`]: body });
  }
});
find('choose-files').onclick = () => find('add-files').click();
find('add-files').onchange = () => addFiles(find('add-files').files);
find('main').ondragover = event => event.preventDefault();
find('main').ondrop = event => {
  event.preventDefault();
  addFiles(event.dataTransfer.files);
};
find('new-file').onclick = () => {
  const path = prompt('The name of the new file, such as content/talks.yaml')?.trim().replace(/^\/+/, '');
  if (!path || path.includes('..')) return;
  if (!sources.files.has(path)) tryTo(() => sources.writeText(path, ''));
  openFile(path);
};
find('delete-file').onclick = () => confirm(`Delete ${current}?`) && sources.write({ [current]: null });

// ---- How long the work is kept, and how old the last download is.
const showKept = async () => {
  const last = await store.readFact('downloaded'), days = last ? Math.floor((Date.now() - last) / 864e5) : -1;
  const age = days < 0 ? 'never downloaded' : `downloaded ${days ? `${days} day${days > 1 ? 's' : ''} ago` : 'today'}`;
  find('kept').textContent = folder ? `Each change is written into your folder ${folder.name}.` : `Kept in this browser only, which may delete it (Safari: after seven days without a visit). ${age[0].toUpperCase()}${age.slice(1)}.`;
};

// ---- Start: the stored site, the example of the address, or the choice of a beginning.
for (const part of document.querySelectorAll('main, footer, nav, #tabs')) part.removeAttribute('hidden');
showView('site');
showKept();
/** Replace the site; the one that was here can be had again for a week, if anything in it was changed. */
const replaceSite = async (files, trusts, report = null, newFolder = null, commit = '') => {
  folder = null;
  await call('clear');
  if (isEdited) await store.writeFact('previous', { files: sources.files, isTrusted, report: await store.readFact('report'), title: find('site-title').textContent, time: Date.now() });
  isTrusted = trusts;
  await store.writeFact('isTrusted', trusts);
  await store.writeFact('report', report);
  await store.writeFact('published', commit ? [{ repository: '', commit, own: Object.keys(files).filter(isPublished) }] : []);
  [current, shownPart] = ['', ''];
  [waiting, isWaiting] = [{}, false];
  isFirst = true;
  sources.replaceAll(files);
  setEdited(false);
  folder = newFolder;
  showImport();
  showKept();
  openFile(sources.files.has('content/profile.yaml') ? 'content/profile.yaml' : sources.paths.find(isText) ?? '');
};
const begin = createBegin({ dialog: find('begin'), call, replaceSite, store, hasSite: () => sources.files.size > 0 });
const finishForm = () => form.finish().then(writePending);
const finish = () => finishForm().then(() => building);
const take = createTake({ dialog: find('take'), button: find('open-take'), call, store, showKept, getSources: () => sources.files, title: () => find('site-title').textContent ?? '', loadTypst: () => showCv(true), finishForm, finish });
createOnline({
  dialog: find('online'), call, store, sources, take, finish, drafts: () => drafts,
  findError: () => problems.find(({ level }) => level === 'error')?.message ?? '',
});
find('open-begin').onclick = () => begin.open();

const stored = await store.readFiles(), wanted = new URL(location.href).searchParams.get('example');
if (stored.size) sources.files = stored;
else if (!wanted) begin.open();
cache = await openSite();
python.start();
if (stored.size) {
  refreshSite();  // as it was at the last visit
  openFile(stored.has('content/profile.yaml') ? 'content/profile.yaml' : sources.paths[0]);
  showImport();
  if (await store.readFact('unfinished')) {
    sendAll();
    offerBuild('The last build did not end, so it was not begun again. The site is built after your next change.');
  } else queueBuild(Object.fromEntries(stored));
  if (wanted) begin.open(wanted);
} else if (wanted) await tryTo(() => begin.startFromExample(wanted));

// The editor of `serve`: the form of a source beside the preview of the site. A change is written into the file on disk.
import { makeButton } from './elements.js';
import { NO_FACTS, createForm } from './forms.js';
import { createElement, createSettings } from './panels.js';
import { encodeBase64, readPicture } from './pictures.js';
import { findLevels, namePage, nameSource, showAdditions, showSources } from './sources.js';

/** @param {string} id @returns {any} */
const find = id => document.getElementById(id);
const siteUrl = document.body.dataset.site ?? '';
const siteOrigin = new URL(siteUrl).origin,
  documentation = `${siteOrigin}/livereload/docs/`;
find('help').href = documentation;
const address = new URL(location.href).searchParams,
  wanted = address.get('at') ?? '',
  wantedFile = address.get('file');
history.replaceState(null, '', '/'); // the token leaves the address

/** The version of each source that was read, and whether the file has another one now. @type {Map<string, string>} */
const versions = new Map();
/** @type {string[]} */
let files = [];
/** @type {any[]} */
let problems = [];
let current = '';
/** What is open in the navigation: a source, “languages” of site.yaml, or “design”. */
let shownPart = '';
const SAVING = 'Changes are saved by themselves.';
/** The page that is shown, and whether that of the current source is wanted: until the person goes to another one. */
let shownPage = '',
  wantsPage = false;
/** What forms know of the site, and its number. @type {import('./forms.js').Facts} */
let facts = NO_FACTS;
let number = -1;

const say = (text, isError = true) =>
  Object.assign(find('status'), { textContent: text, className: isError ? 'error' : '' });
const tryTo = async action => {
  try {
    return await action();
  } catch (error) {
    return say(error.message);
  }
};
const call = async (name, ...values) => {
  const body = JSON.stringify({ name, values });
  const response = await fetch('call', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
  const { result, error } = isJson ? await response.json() : { error: await response.text() };
  if (error !== undefined) throw new Error(error);
  return result;
};

const read = async (name, file, ...values) => {
  const { version, result } = await call('read', name, file, ...values);
  versions.set(file, version);
  return result;
};
const edit = async (name, file, base, ...values) => {
  if (!versions.has(file)) await read('readText', file);
  try {
    const { version } = await call('edit', name, file, base || versions.get(file), ...values);
    versions.set(file, version);
    say(`Saved: ${nameSource(file, facts.names)}.`, false);
    find('undo').disabled = false;
    find('redo').disabled = true;
  } catch (error) {
    await readState();
    throw error;
  }
};

/** Read which sources there are, and which have changed on disk. */
const readState = async () => {
  const state = await call('state', Object.fromEntries(versions), number);
  ({ files, problems, number } = state);
  facts = state.facts ?? facts;
  for (const file of state.changed) versions.set(file, '');
  find('undo').disabled = !state.undo;
  find('redo').disabled = !state.redo;
  showAdditions(find('add'), files, (file, title) => tryTo(() => addSource(file, title)));
  showNavigation();
};
const showNavigation = () => {
  const paths = files.includes(current) || !current ? files : [...files, current];
  find('file-name').textContent = shownPart && nameSource(shownPart, facts.names);
  const open = file =>
    tryTo(async () => {
      if (file === 'languages') return openFile('site.yaml', { field: 'languages' });
      await openFile(file);
      return showPage(true);
    });
  showSources(find('sources'), { paths, names: facts.names, current: shownPart, levels: findLevels(problems) }, open, openDesign);
};
/** Show the choice of a theme in the place of the form. */
const openDesign = () => {
  say(SAVING, false);
  current = shownPart = 'design';
  find('file-path').textContent = '';
  for (const id of ['delete-page', 'as-text', 'form']) find(id).hidden = true;
  find('panels').hidden = false;
  showNavigation();
  showView('write');
  designButton.click();
};

const form = createForm(find('form'), {
  call,
  read,
  edit,
  version: file => versions.get(file) ?? '',
  listFiles: () => files,
  facts: () => facts,
  open: file => openFile(file),
  findProblems: file => problems.filter(problem => problem.file === file),
  repair: problem =>
    tryTo(async () => {
      await call('repair', problem);
      await readState();
      await form.refresh();
    }),
  explain: ({ code, level }) => `${documentation}problems/#${code}-${level}`,
  addFile: async (folder, file, name) => {
    const [ownName, body] = await readPicture(file);
    return call('addFile', folder, name ? `${name}.pdf` : ownName, encodeBase64(body));
  },
  showPicture: name => (name.includes(':') ? '' : `picture?name=${encodeURIComponent(name)}`),
  say,
  sayRemoved: name => {
    say(`“${name}” is removed. `, false);
    find('status').append(makeButton('Undo', 'Undo', undo));
  },
});

const showView = name => {
  find('main').dataset.view = name;
  for (const tab of find('tabs').children) {
    const isShown = tab.id === `tab-${name}`;
    Object.assign(tab, { ariaSelected: String(isShown), tabIndex: isShown ? 0 : -1 });
  }
};
const openFile = async (file, entry = {}) => {
  if (file !== form.findFile() && form.findFile()) say(SAVING, false);
  current = file;
  shownPart = entry.field === 'languages' ? 'languages' : file;
  await readState();
  find('delete-page').hidden = !/^content\/pages\/[^/]+$/.test(file);
  find('as-text').ariaPressed = 'false';
  for (const id of ['as-text', 'form']) find(id).hidden = false;
  find('panels').hidden = true;
  find('file-path').textContent = file;
  await form.showEntry(file, entry);
  showView('write');
};
/** Go to the page of the site that shows the current source, as soon as there is one. */
const showPage = async isWanted => {
  wantsPage = isWanted;
  const page = wantsPage && (await call('page', current, shownPage));
  if (!page) return;
  wantsPage = false;
  const path = encodeURI(page.replace(/(^|\/)index\.html$/, '$1'));
  if (page !== shownPage) find('site').contentWindow.location.replace(siteUrl + path);
};
/** Open the form of a source that the site does not have yet, or of another entry of a list; a page is added by its title. */
const addSource = async (file, title) => {
  const path = file || namePage(await call('makeSlug', title), files);
  if (!file) await edit('setValue', path, '', ['title'], title);
  await openFile(path);
  await form.addEntry();
  if (!file) find('form').querySelector('[data-at=body]')?.focus();
  await showPage(true);
};
/** Open the form of what the site could have next. The site, or an address, says which: so nothing is written. */
const openStep = async (file, field) => {
  await openFile(String(file));
  await form.addEntry();
  await showPage(true);
  find('form')
    .querySelector(`[data-at="${CSS.escape(field === 'contact' ? 'email' : field)}"]`)
    ?.focus();
};
find('as-text').onclick = () =>
  tryTo(async () => {
    const isText = find('as-text').ariaPressed !== 'true';
    find('as-text').ariaPressed = String(isText);
    await form.show(current, isText);
  });
find('delete-page').onclick = () =>
  tryTo(async () => {
    await call('deletePage', current);
    const deleted = current;
    await openFile('site.yaml');
    say(`${nameSource(deleted, facts.names)} is deleted; “Undo” brings it back.`, false);
  });
/** Take the last step back, or do it again, and say what has changed by this. */
const takeStep = (name, verb) =>
  tryTo(async () => {
    await form.finish();
    const words = name === 'undo' && (await call('describeUndo'));
    const changed = await call(name);
    await readState();
    const file = changed.findLast(path => files.includes(path)) ?? 'site.yaml';
    if (changed.length) await openFile(file);
    say(`${nameSource(file, facts.names)}: ${words || `the last change is ${verb}`}.`, false);
  });
const undo = () => takeStep('undo', 'taken back');
find('undo').onclick = undo;
find('redo').onclick = () => takeStep('redo', 'there again');
addEventListener('keydown', event => {
  const isTyping = /** @type {Element} */ (event.target).matches('input:not([type=checkbox]), textarea');
  if (isTyping || event.key !== 'z' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  undo();
});
for (const tab of find('tabs').children) {
  tab.onclick = () => showView(tab.id.slice('tab-'.length));
  tab.onkeydown = ({ key }) => {
    if (!/^Arrow(Left|Right)$/.test(key)) return;
    const other = tab.nextElementSibling ?? tab.previousElementSibling;
    other.click();
    other.focus();
  };
}

// The site says what was clicked, and that it has changed; nothing is said to it. Another page cannot: its origin differs.
addEventListener('message', event =>
  tryTo(async () => {
    const { origin, source, data } = event;
    if (origin !== siteOrigin || source !== find('site').contentWindow || data?.tenure !== true) return;
    if (data.clicked) {
      const { ids, section, part } = data.clicked;
      const found = await call('find', data.file, ids, section, part);
      if (found) await openFile(found.file, found);
    } else if (data.step) {
      await openStep(...data.step);
    } else if (data.problem) {
      const [file, line, column] = data.problem;
      if (files.includes(file)) await openFile(file, { line, column });
    } else {
      if (data.file !== shownPage) wantsPage &&= !shownPage;
      shownPage = data.file;
      await form.finish();
      await readState();
      await form.refresh();
      await showPage(wantsPage);
    }
  }),
);

const shadow = find('panels').attachShadow({ mode: 'open' });
const settings = createElement('section', {
  className: 'settings',
  ariaLabel: 'Design',
  hidden: true,
});
const requestPanel = async choice => {
  const state = await call('theme', choice ?? null);
  if (state.written) say('Saved: Design.', false);
  await readState();
  return state;
};
const designButton = createSettings(
  settings,
  requestPanel,
  error => say(error.message),
  () =>
    tryTo(async () => {
      await openFile(form.findFile());
      find('sources').querySelector('[data-path=design]')?.focus();
    }),
);
shadow.append(createElement('link', { rel: 'stylesheet', href: 'preview.css' }), settings);

find('site').src = wanted.startsWith(siteUrl) ? wanted : siteUrl;
await tryTo(async () => {
  await readState();
  if (wantedFile) await openStep(wantedFile, address.get('field') ?? '');
  else await openFile(files.includes('content/profile.yaml') ? 'content/profile.yaml' : 'site.yaml');
});

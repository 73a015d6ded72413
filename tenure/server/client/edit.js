// The editor of `serve`: the form of a source beside the preview of the site. A change is written into the file on disk.
import { NO_FACTS, createForm } from './forms.js';
import { createElement, createSettings } from './panels.js';
import { encodeBase64, readPicture } from './pictures.js';
import { nameSource, showAdditions, showSources } from './sources.js';

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
    say(`Saved: ${nameSource(file, facts.names)} (${file}).`, false);
    Object.assign(find('undo'), { disabled: false, title: `Take back the last change of ${file}` });
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
  Object.assign(find('undo'), {
    disabled: !state.undo,
    title: state.undo ? `Take back the last change of ${state.undo}` : '',
  });
  showAdditions(find('add'), files, file => tryTo(() => addSource(file)));
  showNavigation();
};
const showNavigation = () => {
  const paths = files.includes(current) || !current ? files : [...files, current];
  /** @type {Record<string, string>} */
  const levels = {};
  for (const { file, level } of problems) if (levels[file] !== 'error') levels[file] = level;
  const open = file => tryTo(() => openFile(file));
  const openDesign = () => {
    showView('site');
    shadow.querySelector('button')?.click();
  };
  showSources(find('sources'), { paths, names: facts.names, current, levels }, open, openDesign);
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
  askDoi: async doi => {
    const url = await call('findDoi', doi);
    const response = await fetch(url, { headers: { accept: 'application/x-bibtex' } });
    if (!response.ok) throw new Error(`doi.org does not know ${doi} (${response.status})`);
    return response.text();
  },
  say,
});

const showView = name => {
  find('main').dataset.view = name;
  for (const tab of find('tabs').children) {
    const isShown = tab.id === `tab-${name}`;
    Object.assign(tab, { ariaSelected: String(isShown), tabIndex: isShown ? 0 : -1 });
  }
};
const openFile = async (file, entry = {}) => {
  current = file;
  await readState();
  find('delete-page').hidden = !/^content\/pages\/[^/]+$/.test(file);
  find('as-text').ariaPressed = 'false';
  find('file-name').textContent = nameSource(file, facts.names);
  find('file-path').textContent = file;
  await form.showEntry(file, entry);
  showView('write');
};
/** Open the form of a source that the site does not have yet, or of another entry of a list. */
const addSource = async file => {
  const isNewPage = file.startsWith('content/pages/') && !files.includes(file);
  if (isNewPage) await edit('setText', file, '', '---\ntitle: New page\n---\n');
  await openFile(file);
  await form.addEntry();
  if (isNewPage) find('form').querySelector('[data-at=title]')?.select();
};
/** Open the form of what the site could have next. The site, or an address, says which: so nothing is written. */
const openStep = async (file, field) => {
  await openFile(String(file));
  await form.addEntry();
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
    say(`${deleted} is deleted; “Undo” brings it back.`, false);
  });
const undo = () =>
  tryTo(async () => {
    await form.finish();
    const undone = await call('undo');
    await readState();
    const file = undone.findLast(path => files.includes(path)) ?? 'site.yaml';
    if (undone.length) await openFile(file);
    say(`Taken back in ${undone.join(', ')}.`, false);
  });
find('undo').onclick = undo;
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
      await form.finish();
      await readState();
      await form.refresh();
    }
  }),
);

const shadow = find('panels').attachShadow({ mode: 'open' });
const settings = createElement('section', {
  className: 'settings',
  ariaLabel: 'Theme and options',
  hidden: true,
});
const requestPanel = choice => call('theme', choice ?? null);
shadow.append(
  createElement('link', { rel: 'stylesheet', href: 'preview.css' }),
  createSettings(settings, requestPanel, error => say(error.message)),
  settings,
);

find('site').src = wanted.startsWith(siteUrl) ? wanted : siteUrl;
await tryTo(async () => {
  await readState();
  if (wantedFile) await openStep(wantedFile, address.get('field') ?? '');
  else await openFile(files.includes('content/profile.yaml') ? 'content/profile.yaml' : 'site.yaml');
});

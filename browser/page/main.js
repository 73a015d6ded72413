// The page: sources at the left, the site at the right.
import { createEditor } from './editor.js';
import { Sources } from './files.js';
import { createForm, listNewFiles } from './forms.js';
import { drawPicture } from './pictures.js';
import { openSite, publishFiles } from './site.js';
import { startPython } from './python.js';
import { showTree } from './tree.js';

/** @template {HTMLElement} T @param {string} id @returns {T} */
const find = id => /** @type {T} */ (document.getElementById(id));
const frame = /** @type {HTMLIFrameElement} */ (document.querySelector('iframe[name=view]'));
const isText = path => /\.(ya?ml|bib|md|markdown|json|html|css|txt|typ|js|csl|gitignore)$/.test(path);
const showStatus = text => { find('status').textContent = text; };

let current = '', problems = [], waiting = {}, isBuilding = false, isComplete = null;
const sources = new Sources(changes => {
  Object.assign(waiting, changes);
  if (current in changes && sources.files.has(current)) editor.update(sources.readText(current));
  if (Object.keys(changes).some(path => !changes[path] || !find('tree').querySelector(`[data-path="${CSS.escape(path)}"]`))) showFiles();
  build();
});
const editor = createEditor(find('editor'), text => sources.writeText(current, text));
const form = createForm(find('form'), {
  call: (name, ...values) => call(name, ...values),
  readText: path => sources.files.has(path) ? sources.readText(path) : '',
  write: changes => sources.write(changes),
  findProblems: path => problems.filter(({ file }) => file === path),
  repair: problem => repair(problem),
  addPicture: async file => {
    const name = `${file.name.replace(/\.\w+$/, '').toLowerCase().replace(/[^a-z0-9]+/g, '-')}.jpg`;
    sources.write({ [`content/images/${name}`]: await drawPicture(file) });
    return `images/${name}`;
  },
  showPicture: name => {
    const body = sources.files.get(`content/${name}`) ?? sources.files.get(`content/images/${name}`);
    return body ? URL.createObjectURL(new Blob([body], { type: name.endsWith('.svg') ? 'image/svg+xml' : '' })) : '';
  },
  askDoi: async doi => {
    const name = doi.match(/10\.\d{4,9}\/\S+/)?.[0];
    if (!name) throw new Error('this is not a DOI; one begins with 10.');
    const response = await fetch(`https://doi.org/${encodeURI(name)}`, { headers: { accept: 'application/x-bibtex' } });
    if (!response.ok) throw new Error(`doi.org does not know ${name} (${response.status})`);
    return response.text();
  },
  goTo: words => {
    showMode('text');
    const lines = sources.readText(current).split('\n'), at = lines.findIndex(line => line.includes(words));
    editor.goTo(at + 1, 1);
  },
  say: showStatus,
});
const canHaveForm = path => path === 'site.yaml' || /^content\/.*\.(ya?ml|md|markdown)$/.test(path) || path.endsWith('.bib');
let mode = 'form';
const showMode = chosen => {
  mode = chosen;
  const isForm = mode === 'form' && canHaveForm(current);
  find('form').hidden = !isForm;
  find('editor').hidden = isForm;
  for (const button of document.querySelectorAll('button[data-mode]')) {
    button.setAttribute('aria-pressed', String((button.dataset.mode === 'form') === isForm));
    button.toggleAttribute('disabled', button.dataset.mode === 'form' && !canHaveForm(current));
    button.onclick = () => showMode(button.dataset.mode);
  }
  return isForm ? form.show(current) : undefined;
};

const showFiles = () => {
  const levels = /** @type {Record<string, string>} */ ({});
  for (const { file, level } of problems) if (levels[file] !== 'error') levels[file] = level;
  showTree(find('tree'), sources.paths.filter(isText), current, levels, openFile);
  showNewFiles();
};
const add = /** @type {HTMLSelectElement} */ (find('add'));
const showNewFiles = () => add.replaceChildren(...[['Add …', ''], ...listNewFiles(sources.paths)].map(([text, path]) => new Option(text, path)));
add.onchange = () => {
  const path = add.value;
  if (!path) return;
  sources.write({ [path]: new TextEncoder().encode(path.endsWith('.md') ? '---\ntitle: New page\n---\n' : '') });
  showMode('form');
  openFile(path).then(() => form.addEntry());
};
const repair = problem => call('repair', problem).then(changes => sources.write(changes), error => showStatus(error.message));
const markProblems = () => editor.showProblems(problems.filter(({ file }) => file === current), repair);
const showProblems = () => find('problems').replaceChildren(...problems.map(problem => {
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', className: problem.level, textContent: `${problem.file}:${problem.line}: ${problem.message}` });
  button.onclick = () => { openFile(problem.file); editor.goTo(problem.line, problem.column); };
  return button;
}));
const openFile = async path => {
  current = path;
  find('file-name').textContent = path;
  editor.open(path, sources.readText(path));
  showFiles();
  markProblems();
  await showMode(mode);
};

// One build at a time; what changes meanwhile is in the next one.
const build = async () => {
  if (isBuilding || !call || !Object.keys(waiting).length) return;
  isBuilding = true;
  const changes = waiting, started = performance.now();
  waiting = {};
  try {
    await call('write', changes);
    const result = await call('build', Object.keys(changes));
    await publishFiles(cache, result);
    problems = result.problems;
    showFiles();
    markProblems();
    showProblems();
    find('site-title').textContent = result.title;
    showStatus(`Built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
    if (Object.keys(result.files).length || result.removed.length) showSite();
    if (!isComplete) isComplete = call('loadRest');
    document.dispatchEvent(new CustomEvent('built', { detail: result }));
  } catch (error) { showStatus(`Tenure has failed: ${error.message}`); }
  isBuilding = false;
  build();
};
const showSite = () => {
  if (frame.src) frame.contentWindow?.location.reload();
  else frame.src = new URL('site/', location.href).href;
};

const progress = /** @type {HTMLProgressElement} */ (find('progress')), loaded = new Map();
const showProgress = ({ step, name, loaded: bytes, total }) => {
  loaded.set(name, [bytes, Math.max(bytes, total)]);
  const [done, all] = [...loaded.values()].reduce((sum, part) => [sum[0] + part[0], sum[1] + part[1]]);
  progress.hidden = done === all;
  progress.value = done / all;
  showStatus(`Loading ${step}: ${(done / 1e6).toFixed(1)} of ${(all / 1e6).toFixed(1)} MB`);
};

showStatus('Loading …');
let call = null;
const [cache, started] = await Promise.all([openSite(), startPython(showProgress, message => showStatus(`Python cannot start: ${message}`))]);
call = started;
const example = await new Response((await fetch('examples/undergraduate.zip.gz')).body?.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
sources.write(await call('readZip', new Uint8Array(example)));
openFile('content/profile.yaml');

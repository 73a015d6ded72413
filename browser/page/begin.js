// How a site begins: from nothing, an example, files, a folder, or an ORCID iD.

import { loadFile } from './load.js';
import { readCommit } from './publish.js';
import { readFolder } from './store.js';
import { readStoredZip } from './zip.js';

/** @param {string} id @returns {any} */
const find = id => document.getElementById(id);

/** The largest zip that is opened, in bytes; what it holds has the limits of files.js. */
const MAX_ZIP = 60e6;
const EXAMPLES = [
  ['undergraduate', 'An undergraduate student'], ['masters', 'A master’s student'], ['systems-phd-2024', 'A PhD student'], ['systems-phd-2026', 'A PhD student with many papers'],
  ['noether', 'A professor of mathematics'], ['montaigne', 'A writer, in French'], ['hua', 'A mathematician, in Chinese'], ['ibn-al-haytham', 'A scholar, in Arabic'],
  ['cajal', 'A scientist with drawings'], ['eclipse-1919', 'The page of one paper'], ['projects-page', 'A page of projects'], ['group', 'A lab'],
  ['roboticist', 'A PhD student with plots and videos'], ['meadow', 'A lab with photos'], ['poet', 'A poet with books'],
];
// Who answers about a work: doi.org sends the request on to the registry of the DOI.
const REQUEST_GAP = 220;
/** Milliseconds for which a replaced site is kept. */
const WEEK = 7 * 864e5;

/**
 * Connect the dialog.
 * @param {{dialog: HTMLElement, call: (name: string, ...values: any[]) => Promise<any>, hasSite: () => boolean, store: import('./store.js').Store,
 *   replaceSite: (files: Record<string, Uint8Array<ArrayBuffer>>, isTrusted: boolean, report?: any, folder?: any, commit?: string) => Promise<void>}} parts
 */
export const createBegin = ({ dialog: element, call, replaceSite, hasSite, store }) => {
  const dialog = /** @type {HTMLDialogElement} */ (element), showError = text => Object.assign(find('begin-error'), { textContent: text, hidden: !text });
  find('example').append(...EXAMPLES.map(([name, text]) => new Option(text, name)));

  const askTrust = () => new Promise(resolve => {
    find('begin-trust').hidden = false;
    find('begin-trust').onsubmit = event => {
      event.preventDefault();
      find('begin-trust').hidden = true;
      resolve(event.submitter?.value === 'yes');
    };
    find('begin-trust').scrollIntoView();
  });
  /** Begin with the files of an old or own site. */
  const startFromFiles = async (files, name, folder = null, commit = '') => {
    const { sources, hasTemplates, report } = await call('begin', files, name);
    await replaceSite(sources, !hasTemplates || await askTrust(), report, report ? null : folder, report ? '' : commit);
  };
  const startFromExample = async name => {
    if (!EXAMPLES.some(([known]) => known === name)) throw new Error(`There is no example “${name}”.`);
    await replaceSite(Object.fromEntries(readStoredZip(await loadFile(`examples/${name}.zip`))), true);
  };
  const readFiles = async files => {
    /** @type {Map<string, Uint8Array<ArrayBuffer>>} */
    const read = new Map();
    for (const file of files) {
      if (file.size > MAX_ZIP) throw new Error(`${file.name} has ${Math.round(file.size / 1e6)} MB; this page opens at most ${MAX_ZIP / 1e6} MB`);
      const body = new Uint8Array(await file.arrayBuffer());
      const unpacked = file.name.endsWith('.zip') ? Object.entries(await call('readZip', body)) : [[file.webkitRelativePath || file.name, body]];
      for (const [path, bytes] of unpacked) read.set(path, bytes);
    }
    return read;
  };
  /** Python says what it must know, and this page asks: nobody else is asked, and nobody before the click. */
  const startFromOrcid = async text => {
    const answers = {};
    for (;;) {
      const { sources, requests, report } = await call('importOrcid', text, answers);
      if (sources) return replaceSite(sources, true, report);
      for (const [i, { url, accept }] of requests.entries()) {
        showError('');
        find('begin-title').textContent = `Asking ${new URL(url).host}: ${i + 1} of ${requests.length}`;
        const response = await fetch(url, { headers: { accept }, credentials: 'omit', referrerPolicy: 'no-referrer' }).catch(() => null);
        answers[`${url} ${accept}`] = response?.ok ? new Uint8Array(await response.arrayBuffer()) : null;
        if (!response && i === 0 && requests.length === 1) throw new Error(`${new URL(url).host} does not answer. Try again later.`);
        await new Promise(resolve => setTimeout(resolve, REQUEST_GAP));
      }
    }
  };

  /** The site that the last beginning replaced, for a week. */
  const readPrevious = async () => {
    const previous = await store.readFact('previous');
    if (previous && Date.now() - previous.time < WEEK) return previous;
    await store.writeFact('previous', null);
    return null;
  };

  const connect = (id, start) => {
    find(id).onsubmit = async event => {
      event.preventDefault();
      const button = event.submitter, title = find('begin-title').textContent;
      showError('');
      button.disabled = true;
      find('begin-status').hidden = false;
      try {
        await start();
        dialog.close();
      } catch (error) { showError(error.message); }
      find('begin-title').textContent = title;
      find('begin-status').hidden = true;
      button.disabled = false;
    };
  };
  connect('begin-empty', async () => replaceSite(await call('beginEmpty', find('begin-name').value), true));
  connect('begin-example', () => startFromExample(find('example').value));
  connect('begin-file', async () => {
    if (!find('begin-files').files.length) throw new Error('Choose a file first.');
    const { files } = find('begin-files'), [file] = files;
    const commit = files.length > 1 ? '' : readCommit(new Uint8Array(await file.slice(-100).arrayBuffer()));
    return startFromFiles(await readFiles(files), files.length > 1 ? 'these files' : file.name, null, commit);
  });
  find('begin-folder').hidden = !('showDirectoryPicker' in window);
  find('begin-folder').onclick = async () => {
    try {
      const folder = await /** @type {any} */ (window).showDirectoryPicker({ mode: 'readwrite' });
      await startFromFiles(await readFolder(folder, path => call('isUnread', path)), folder.name, folder);
      dialog.close();
    } catch (error) { if (error.name !== 'AbortError') showError(error.message); }
  };
  connect('begin-back', async () => {
    const { files, isTrusted, report } = await readPrevious();
    return replaceSite(Object.fromEntries(files), isTrusted, report);
  });
  connect('begin-orcid', () => startFromOrcid(find('orcid').value));
  dialog.ondragover = event => event.preventDefault();
  dialog.ondrop = event => {
    event.preventDefault();
    event.stopPropagation();
    find('begin-files').files = event.dataTransfer?.files ?? null;
  };
  return {
    startFromExample,
    /** @param {string} [example] */
    open: async example => {
      if (example) find('example').value = example;
      find('begin-warning').hidden = !hasSite();
      showError('');
      dialog.showModal();
      const previous = await readPrevious();
      find('begin-back').hidden = !previous;
      if (previous) find('begin-back').lastElementChild.textContent = `Go back to the site of ${previous.title}`;
    },
  };
};

// Taking the site home: zips of the sources and of the built site, and the CV.
import { loadFile } from './load.js';
import { readStoredZip, writeZip } from './zip.js';

/** @param {string} id @returns {any} */
const find = id => document.getElementById(id);
/** "Élise Müller-Ng" -> "elise-muller-ng" */
const createName = title => title.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'site';

const download = (body, name, type) => {
  const url = URL.createObjectURL(new Blob([body], { type }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
};

/** The line of requirements.txt below which the packages of the user stand. */
const OWN_PACKAGES = '# Packages of your own, which upgrade keeps:\n';
const decode = body => new TextDecoder().decode(body);

/**
 * The sources with the other files of a site: what `upgrade` replaces, the program and its line in requirements.txt, is new, and everything
 * else of the user stays.
 * @param {Map<string, Uint8Array<ArrayBuffer>>} sources
 * @param {string} owner the name in README.md
 */
const addProgram = async (sources, owner) => {
  const starter = readStoredZip(await loadFile('starter.zip')), files = new Map([...starter, ...sources]);
  const [, own = ''] = decode(sources.get('requirements.txt')).split(OWN_PACKAGES);
  files.set('requirements.txt', new TextEncoder().encode(decode(starter.get('requirements.txt')) + own));
  if (!sources.has('README.md')) files.set('README.md', new TextEncoder().encode(decode(starter.get('README.md')).replaceAll('{name}', owner)));
  return files;
};

/**
 * Connect the dialog.
 * @param {{dialog: HTMLElement, button: HTMLElement, call: (name: string, ...values: any[]) => Promise<any>, store: import('./store.js').Store,
 *   showKept: () => Promise<void>, title: () => string, getSources: () => Map<string, Uint8Array<ArrayBuffer>>, loadTypst: () => Promise<void>,
 *   finishForm: () => Promise<void>, finish: () => Promise<void>}} parts `finish` waits for what was typed last and its build
 */
export const createTake = ({ dialog: element, button: opener, call, store, showKept, title, getSources, loadTypst, finishForm, finish }) => {
  const dialog = /** @type {HTMLDialogElement} */ (element), showStatus = text => { find('take-status').textContent = text; };
  opener.onclick = () => {
    showStatus('');
    dialog.showModal();
  };
  /** Download what is made, and say its name. @param {() => Promise<any>} make @param {(text: string) => void} say */
  const take = async (make, say) => {
    say('Packing …');
    const [body, name, type, note = ''] = await make();
    download(body, name, type);
    say(`${name} is in your downloads.${note}`);
    await store.writeFact('downloaded', Date.now());
    await showKept();
  };
  const connect = (id, make) => {
    find(id).onclick = async () => {
      find(id).disabled = true;
      try { await take(make, showStatus); } catch (error) { showStatus(error.message); }
      find(id).disabled = false;
    };
  };
  const packSite = async () => {
    await finish();
    const hasTypst = await loadTypst().then(() => true, () => false), note = hasTypst ? '' : ' Its CV as PDF could not be loaded, so it has none.';
    return [await call('packSite'), `${createName(title())}-site.zip`, 'application/zip', note];
  };
  connect('take-sources', async () => {
    // what was typed last is in the zip; an edit waits for Python, which may hang
    await Promise.race([finishForm(), new Promise(resolve => setTimeout(resolve, 2000))]);
    const files = await addProgram(getSources(), title()).catch(() => null), note = files ? '' : ' The program could not be loaded, so it has your own files only.';
    return [writeZip(files ?? getSources()), `${createName(title())}.zip`, 'application/zip', note];
  });
  connect('take-site', packSite);
  connect('take-cv', async () => {
    await finish();
    await loadTypst();
    const response = await (await caches.open('site')).match(new URL(`site/${find('cvs').value}`, location.href).pathname);
    if (!response) throw new Error('The CV is not typeset yet; try again.');
    return [await response.blob(), find('cvs').value, 'application/pdf'];
  });
  find('delete-all').onclick = async () => {
    if (!confirm('Delete your site, and the one that it replaced, from this browser? They cannot be brought back.')) return;
    await store.deleteAll();
    location.assign(location.pathname);
  };
  return { collectFiles: () => addProgram(getSources(), title()), takeSite: say => take(packSite, say) };
};

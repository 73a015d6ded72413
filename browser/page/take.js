// Taking the site home: zips of the sources and of the built site, and the CV.

/** @param {string} id @returns {any} */
const find = id => document.getElementById(id);
const createName = title => title.normalize('NFKD').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'site';

const download = (body, name, type) => {
  const url = URL.createObjectURL(new Blob([body], { type }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
};

/**
 * Connect the dialog.
 * @param {{dialog: HTMLElement, button: HTMLElement, call: (name: string, ...values: any[]) => Promise<any>, store: import('./store.js').Store,
 *   showKept: () => Promise<void>, title: () => string, getSources: () => Record<string, Uint8Array>, loadTypst: () => Promise<void>, finish: () => Promise<void>}} parts
 */
export const createTake = ({ dialog: element, button: opener, call, store, showKept, title, getSources, loadTypst, finish }) => {
  const dialog = /** @type {HTMLDialogElement} */ (element), showStatus = text => { find('take-status').textContent = text; };
  opener.onclick = () => {
    showStatus('');
    dialog.showModal();
  };
  /** Download what is made, and say its name. @param {() => Promise<any>} make @param {(text: string) => void} say */
  const take = async (make, say) => {
    say('Packing …');
    await finish();  // what was typed last is in the zip
    const [body, name, type] = await make();
    download(body, name, type);
    say(`${name} is in your downloads.`);
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
  const packSources = async () => {
    const response = await fetch('starter.zip.gz');
    if (!response.ok || !response.body) throw new Error('The program cannot be loaded; try again.');
    const starter = await new Response(response.body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
    return call('packSources', new Uint8Array(starter), getSources(), title());
  };
  const packSite = async () => {
    await loadTypst();
    return [await call('packSite'), `${createName(title())}-site.zip`, 'application/zip'];
  };
  connect('take-sources', async () => [await packSources(), `${createName(title())}.zip`, 'application/zip']);
  connect('take-site', packSite);
  connect('take-cv', async () => {
    await loadTypst();
    const response = await fetch(new URL(`site/${find('cvs').value}`, location.href));
    return [await response.blob(), find('cvs').value, 'application/pdf'];
  });
  find('delete-all').onclick = async () => {
    if (!confirm('Delete your site from this browser? It cannot be brought back.')) return;
    await store.deleteAll();
    location.assign(location.pathname);
  };
  return { packSources, takeSite: say => take(packSite, say) };
};

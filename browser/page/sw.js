// Answers /try/site/… from the cache “site”, as the page has written it, and the page itself from the cache of its packing: a packing is kept as a
// whole, so that the page opens without a network. This file has the digests of the packing, so a browser that asks for it finds a newer
// one; that is loaded as a whole, and used when no tab shows the page any more.
const { digest, files } = /** @type {any} */ (self).packing, root = self.registration.scope, PREFIX = `page ${root} `, NAME = PREFIX + digest, WHOLE = `${root}whole`;
/** Each file but those that are kept when somebody uses them. */
const CORE = Object.keys(files).filter(path => !/^(typst|fonts|examples|licences)/.test(path));
const findOthers = async () => (await caches.keys()).filter(name => name.startsWith(PREFIX) && name !== NAME);

/** Keep a file if it is that of this packing. @param {Cache} cache @param {string} path @param {Response} response */
const keepFile = async (cache, path, response) => {
  const body = await response.arrayBuffer(), sum = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
  if (!response.ok || [...sum].map(byte => byte.toString(16).padStart(2, '0')).join('') !== files[path]) return false;
  await cache.put(root + path, new Response(body, { headers: { 'content-type': response.headers.get('content-type') ?? '', 'content-length': String(body.byteLength) } }));
  return true;
};
/** Keep the whole packing; files that are the same in an older one are taken from there. */
const keepAll = async () => {
  const cache = await caches.open(NAME), others = await findOthers();
  for (const path of CORE) {
    let isKept = Boolean(await cache.match(root + path));
    for (const name of others) {
      const old = !isKept && await (await caches.open(name)).match(root + path);
      if (old) isKept = await keepFile(cache, path, old);
    }
    if (!isKept && !await keepFile(cache, path, await fetch(root + path, { cache: 'no-cache' }))) throw new Error(`${path} is of another packing`);
  }
  await cache.put(WHOLE, new Response(''));
};

addEventListener('install', event => event.waitUntil(findOthers().then(others => others.length && keepAll())));
addEventListener('activate', event => event.waitUntil(findOthers()
  .then(others => Promise.all(others.map(name => caches.delete(name))))
  .then(() => self.clients.claim())));
// the first site is built, and the network is free
addEventListener('message', event => event.waitUntil(keepAll().catch(() => {})));

const findSite = async url => {
  const cache = await caches.open('site');
  return await cache.match(url.endsWith('/') ? `${url}index.html` : url) ?? await cache.match(`${root}site/404.html`) ?? new Response('This page is not in the site.', { status: 404 });
};
const findFile = async (path, event) => {
  const cache = await caches.open(NAME), kept = await cache.match(root + path);
  if (kept && (await cache.match(WHOLE) || !CORE.includes(path))) return kept;
  const response = await fetch(event.request).catch(error => {
    if (!kept) throw error;
    return kept;
  });
  event.waitUntil(keepFile(cache, path, response.clone()).catch(() => {}));
  return response;
};
addEventListener('fetch', event => {
  const url = event.request.url.split(/[?#]/)[0], path = url.slice(root.length) || 'index.html';
  if (!url.startsWith(root)) return;
  if (path.startsWith('site/')) event.respondWith(findSite(url));
  else if (path in files) event.respondWith(findFile(path, event));
});

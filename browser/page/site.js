// The built site: answers in the cache “site”, from which sw.js serves the frame.
const TYPES = {
  atom: 'application/atom+xml', avif: 'image/avif', css: 'text/css',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', gif: 'image/gif', html: 'text/html; charset=utf-8', ico: 'image/x-icon',
  ics: 'text/calendar', jpg: 'image/jpeg', jpeg: 'image/jpeg', js: 'text/javascript', json: 'application/json', mp4: 'video/mp4',
  pdf: 'application/pdf', png: 'image/png', svg: 'image/svg+xml', webm: 'video/webm', webp: 'image/webp', woff2: 'font/woff2', xml: 'application/xml',
};
// The line of themes/base/parts/frame.html that sets dark mode, by its digest.
const OWN_LINE = "'sha256-V5qJba2Pfl34pHXr5tflSMB61vARUx4poZzLZG+ElkI='";
const root = new URL('site/', location.href);

/**
 * The policy of every answer but PDFs. The frame has the origin of this page, because a service worker serves no other; so scripts
 * other than Tenure's own files must not run in it.
 * @param {string[]} scripts
 */
const createPolicy = scripts => `default-src 'none'; script-src ${OWN_LINE} ${scripts.map(path => new URL(path, root).href).join(' ')}; `
  + `style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; media-src 'self'; connect-src 'self'; object-src 'self'; `
  + `frame-src 'self'; worker-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`;

/** Register the service worker and wait until it is active; returns the cache, with the site of the last visit. */
export const openSite = async () => {
  const registration = navigator.serviceWorker.controller ? null : await navigator.serviceWorker.register('sw.js');
  const worker = registration?.installing ?? registration?.waiting;
  if (worker && !registration?.active) await new Promise(resolve => worker.addEventListener('statechange', () => worker.state === 'activated' && resolve(undefined)));
  return caches.open('site');
};
/** Keep the page itself, so that it opens without a network. */
export const keepPage = () => navigator.serviceWorker.controller?.postMessage('keep');

/**
 * Write the files that have changed, and delete the others.
 * @param {Cache} cache
 * @param {{files: Record<string, Uint8Array<ArrayBuffer>>, removed?: string[], scripts?: string[]}} build
 * @param {boolean} [isWhole] whether the build has all files of the site
 */
export const publishFiles = async (cache, { files, removed = [], scripts = [] }, isWhole = false) => {
  const policy = createPolicy(scripts), addresses = new Set(Object.keys(files).map(path => new URL(path, root).href));
  if (isWhole) await Promise.all((await cache.keys()).filter(({ url }) => !addresses.has(url)).map(request => cache.delete(request)));
  await Promise.all(Object.entries(files).map(([path, body]) => {
    const type = TYPES[path.split('.').pop()?.toLowerCase() ?? ''] ?? 'text/plain; charset=utf-8';
    const headers = { 'content-type': type, 'x-content-type-options': 'nosniff' };
    if (type !== 'application/pdf') headers['content-security-policy'] = policy;  // SVG and XML are documents too; a PDF viewer stops at it
    return cache.put(new URL(path, root).pathname, new Response(body, { headers }));
  }));
  await Promise.all(removed.map(path => cache.delete(new URL(path, root).pathname)));
};

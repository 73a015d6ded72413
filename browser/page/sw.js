// Answers /try/site/… from the cache “site”. The page writes each answer with its headers; nothing is decided here.
addEventListener('install', () => self.skipWaiting());
addEventListener('activate', event => event.waitUntil(self.clients.claim()));
addEventListener('fetch', event => {
  const url = new URL(event.request.url);
  if (!url.href.startsWith(self.registration.scope)) return;
  const find = async () => {
    const cache = await caches.open('site'), path = url.pathname.endsWith('/') ? `${url.pathname}index.html` : url.pathname;
    return await cache.match(path) ?? await cache.match(new URL('404.html', self.registration.scope).pathname)
      ?? new Response('This page is not in the site.', { status: 404 });
  };
  event.respondWith(find());
});

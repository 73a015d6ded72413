// The site beside the editor: two frames in turn, so that a new version is shown when it is loaded, and a frame for the CV.
const root = new URL('site/', location.href);
/** @param {string} name @returns {HTMLIFrameElement} */
const find = name => /** @type {any} */ (document.querySelector(`iframe[name=${name}]`));

let shown = find('view'), next = find('next'), waiting = Promise.resolve();
const cv = find('cv'), frames = /** @type {HTMLElement} */ (shown.parentElement);
/** The page that was shown before the frames were taken away. */
let place = root.href;

/** Show the last build at the page that is open, and at the same place in it. */
const showLast = () => new Promise(resolve => {
  if (!next.isConnected) {
    resolve(undefined);
    return;
  }
  const window = shown.contentWindow, isOpen = window?.location.href.startsWith(root.href), { scrollX = 0, scrollY = 0 } = isOpen ? window : {};
  const url = isOpen ? window.location.href : place;
  const swap = () => {
    // Who has gone to another page meanwhile has it from the last build already.
    if (isOpen && shown.contentWindow?.location.pathname !== new URL(url).pathname) return;
    [shown, next] = [next, shown];
    [shown.name, next.name] = ['view', 'next'];
    [shown.inert, next.inert] = [false, true];
  };
  const loading = next;
  loading.addEventListener('load', () => {
    loading.contentWindow?.scrollTo(scrollX, scrollY);
    swap();
    resolve(undefined);
  }, { once: true });
  const page = /** @type {Window} */ (next.contentWindow);
  if (page.location.pathname !== new URL(url).pathname) page.location.replace(url);
  else {
    // To another anchor of the same page, a frame goes without loading it.
    page.history.replaceState(null, '', url);
    page.location.reload();
  }
});

/** The file of a page of the site: "talks/index.html". @param {Document} page */
export const findPagePath = page => {
  const path = decodeURIComponent(page.location.href.split(/[?#]/)[0]).slice(decodeURIComponent(root.href).length);
  return path.endsWith('/') || !path ? `${path}index.html` : path;
};
/** Do something with each page that is shown. @param {(page: Document) => void} run */
export const onPageLoad = run => {
  for (const frame of [shown, next]) frame.addEventListener('load', () => frame.contentDocument && run(frame.contentDocument));
};

/** The file of the page that is shown; "" before the first build. */
export const findShownPage = () => (shown.contentWindow?.location.href.startsWith(root.href) && shown.contentDocument ? findPagePath(shown.contentDocument) : '');
/** Go to a page of the site. @param {string} path its file */
export const goToPage = path => {
  waiting = waiting.then(() => {
    if (findShownPage() !== path) shown.contentWindow?.location.replace(root.href + encodeURI(path.replace(/(^|\/)index\.html$/, '$1')));
  });
  return waiting;
};
/** Show the site after a build. */
export const refreshSite = () => {
  waiting = waiting.then(showLast);
  return waiting;
};

/** Take the frames with the site out of the page, so that nothing of it is beside a secret, or show it again. @param {boolean} isHidden */
export const hideSite = isHidden => {
  waiting = waiting.then(() => {
    if (isHidden !== next.isConnected) return undefined;
    if (!isHidden) {
      frames.append(shown, next, cv);
      return showLast();
    }
    if (shown.contentWindow?.location.href.startsWith(root.href)) place = shown.contentWindow.location.href;
    return [shown, next, cv].forEach(frame => frame.remove());
  });
  return waiting;
};

/** Show the CV, or the site. Chromium shows no PDF in a frame with the policy of the site. @param {string} path the PDF, or "" for the site */
export const showPdf = path => {
  cv.hidden = !path;
  shown.hidden = next.hidden = Boolean(path);
  if (path) cv.src = `${new URL(path, root).href}?${Date.now()}#view=FitH&navpanes=0`;
};

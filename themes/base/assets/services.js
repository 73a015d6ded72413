// The comments of giscus take the color scheme that a visitor chose with the switch.
(() => {
  const root = document.documentElement, host = 'https://giscus.app';
  let sent = '';
  const send = () => {
    const frame = document.querySelector('iframe.giscus-frame'), theme = root.dataset.theme || 'preferred_color_scheme';
    if (!frame || theme === (sent || 'preferred_color_scheme')) return;
    sent = theme;
    frame.contentWindow.postMessage({ giscus: { setConfig: { theme } } }, host);
  };
  // The first message says that the frame listens.
  addEventListener('message', event => event.origin === host && send());
  new MutationObserver(send).observe(root, { attributeFilter: ['data-theme'] });
})();

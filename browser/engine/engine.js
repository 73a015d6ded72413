// Makes the frame without an origin in which worker.js runs, and gives it the port of the page. What it needs comes through that port: a
// service worker gives nothing to such a frame, so requests of its own would need the network at each visit.
const STARTER = `
onmessage = ({ data, ports: [port] }) => {
  const worker = new Worker(URL.createObjectURL(new Blob([data], { type: 'text/javascript' })));
  worker.onerror = ({ message }) => parent.postMessage({ failure: message }, '*');
  worker.onmessage = event => port.postMessage(event.data);
  port.onmessage = event => worker.postMessage(event.data, event.data.body ? [event.data.body] : []);
};
`;
const POLICY = "default-src 'none'; script-src 'unsafe-eval' blob: 'sha256-DKsgJ5bXPqS2FzwCiga8VQ9KigUwglWxtcST2i+sVAA='; worker-src blob:";
const frame = document.createElement('iframe'), script = fetch('worker.js').then(response => response.text());
const loaded = new Promise(resolve => { frame.onload = resolve; });
frame.setAttribute('sandbox', 'allow-scripts');
frame.srcdoc = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY}"><title>Python</title><script>${STARTER}</script>`;
addEventListener('message', async ({ source, data, ports }) => {
  if (source !== parent) return parent.postMessage({ failure: data.failure }, location.origin);
  const text = await script;
  await loaded;
  return frame.contentWindow?.postMessage(text, '*', [...ports]);
});
document.documentElement.append(frame);
parent.postMessage('engine', location.origin);

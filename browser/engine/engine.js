// Starts worker.js in this frame without an origin, and gives the page that holds the frame a port to it.
const root = new URL('./', location.href).href;
document.head.append(Object.assign(document.createElement('meta'), {
  httpEquiv: 'Content-Security-Policy',
  content: `default-src 'none'; script-src ${root} blob: 'unsafe-eval'; worker-src blob: ${root}; connect-src ${root}`,
}));
// Chromium makes no module worker in such a frame; a classic worker that imports the module is the same. Firefox takes what that module
// imports for a worker.
const source = new Blob([`import(${JSON.stringify(`${root}worker.js`)}).catch(error => postMessage({ failure: String(error) }))`], { type: 'text/javascript' });
const worker = new Worker(URL.createObjectURL(source)), { port1, port2 } = new MessageChannel();
worker.onmessage = ({ data }) => port1.postMessage(data);
worker.onerror = ({ message }) => port1.postMessage({ failure: message });
port1.onmessage = ({ data }) => worker.postMessage(data);
parent.postMessage('engine', '*', [port2]);

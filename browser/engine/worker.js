// Tenure in Pyodide. A message is {id, name, values}, a call of engine.py; the answer is {id, result} or {id, error}. Meanwhile
// {step, loaded, total} says what is loaded, in bytes.
import { loadPyodide } from './pyodide.mjs';

const PACKAGES = '/lib/python3.14/site-packages';
const find = name => new URL(name, import.meta.url).href;

/**
 * The bytes of a file beside this one, with messages about the progress.
 * @param {string} name
 * @param {string} step
 */
const load = async (name, step) => {
  const response = await fetch(find(name));
  if (!response.ok || !response.body) throw new Error(`${name} cannot be loaded (${response.status})`);
  const total = Number(response.headers.get('content-length'));
  let loaded = 0;
  const counted = response.body.pipeThrough(new TransformStream({
    transform(chunk, controller) {
      loaded += chunk.length;
      postMessage({ step, name, loaded, total });
      controller.enqueue(chunk);
    },
  }));
  return counted;
};
const loadBytes = async (name, step) => new Response(await load(name, step)).arrayBuffer();

// Hosts compress WebAssembly or not, so it is packed compressed.
const fetchFile = self.fetch.bind(self);
self.fetch = async (url, init) => String(url).endsWith('.wasm')
  ? new Response((await load('pyodide.asm.wasm.gz', 'Python')).pipeThrough(new DecompressionStream('gzip')), { headers: { 'content-type': 'application/wasm' } })
  : fetchFile(url, init);

const [python, libraries, program] = await Promise.all([
  loadPyodide({ indexURL: find('./'), stdLibURL: find('python_stdlib.zip') }),
  loadBytes('libraries.zip', 'libraries'), loadBytes('tenure.zip', 'Tenure'),
]);
const unpack = bytes => python.unpackArchive(bytes, 'zip', { extractDir: PACKAGES });
unpack(libraries);
unpack(program);
const call = python.pyimport('engine').call;

const answer = async (name, values) => {
  if (name === 'loadTypst') return unpack(await loadBytes('typst.zip', 'Typst'));
  const result = call(name, python.toPy(values));
  return result?.toJs ? result.toJs({ create_proxies: false, dict_converter: Object.fromEntries }) : result;
};
let queue = Promise.resolve();
self.onmessage = ({ data: { id, name, values } }) => {
  queue = queue.then(() => answer(name, values)).then(result => postMessage({ id, result }), error => postMessage({ id, error: String(error.message ?? error) }));
};
postMessage({ ready: true });

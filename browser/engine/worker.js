// Tenure in Pyodide. A message is {id, name, values}, a call of engine.py; the answer is {id, result} or {id, error}. While something is
// loaded, {step, name, loaded, total} says how many bytes.
import { loadPyodide } from './pyodide.mjs';

const PACKAGES = '/lib/python3.14/site-packages';
const find = name => new URL(name, import.meta.url).href;

/**
 * A file beside this one, with messages about the progress. Hosts compress such files or not, so most are packed compressed.
 * @param {string} name
 * @param {string} step
 * @param {string} [type]
 */
const load = async (name, step, type = 'application/zip') => {
  const response = await fetchFile(find(name));
  if (!response.ok || !response.body) throw new Error(`${name} cannot be loaded (${response.status})`);
  const total = Number(response.headers.get('content-length'));
  let loaded = 0;
  const counted = response.body.pipeThrough(new TransformStream({
    transform(chunk, controller) {
      postMessage({ step, name, loaded: loaded += chunk.length, total });
      controller.enqueue(chunk);
    },
  }));
  return new Response(name.endsWith('.gz') ? counted.pipeThrough(new DecompressionStream('gzip')) : counted, { headers: { 'content-type': type } });
};
const loadArchive = async (name, step) => (await load(name, step)).arrayBuffer();
const PACKED = { 'pyodide.asm.wasm': 'application/wasm', 'python_stdlib.zip': 'application/zip' };
const fetchFile = self.fetch.bind(self);
self.fetch = (url, init) => {
  const name = String(url).split('/').pop() ?? '';
  return PACKED[name] ? load(`${name}.gz`, 'Python', PACKED[name]) : fetchFile(url, init);
};

const loadCore = async () => {
  const script = await (await load('pyodide.asm.mjs.gz', 'Python', 'text/javascript')).blob();
  const core = await import(URL.createObjectURL(script));
  return loadPyodide({
    indexURL: find('./'), stdLibURL: find('python_stdlib.zip'), createPyodideModule: core.default, convertNullToNone: true,
  });
};
const [python, start] = await Promise.all([loadCore(), loadArchive('start.zip.gz', 'Tenure')]);
const unpack = bytes => python.unpackArchive(bytes, 'zip', { extractDir: PACKAGES });
unpack(start);
const engine = python.pyimport('engine');

// What the first builds of the examples did not need is loaded afterwards; a build that needs it before waits for it.
engine.find_late_modules(() => {
  const request = new XMLHttpRequest();
  request.open('GET', find('late.zip.gz'), false);
  request.responseType = 'arraybuffer';
  request.send();
  return new Uint8Array(request.response);
});

const answer = async (name, values) => {
  if (name === 'loadRest') return engine.install_late_modules(python.toPy(new Uint8Array(await (await fetchFile(find('late.zip.gz'))).arrayBuffer())));
  if (name === 'loadTypst') return Promise.all([loadArchive('typst.whl', 'Typst'), loadArchive('fonts.zip.gz', 'fonts')]).then(archives => archives.forEach(unpack));
  const result = engine.call(name, python.toPy(values));
  return result?.toJs ? result.toJs({ create_proxies: false, dict_converter: Object.fromEntries }) : result;
};
// Python's message is the last line: "tenure.sources.editing.edits.UneditableError: it is read-only".
const findMessage = error => String(error.message ?? error).trim().split('\n').at(-1)?.replace(/^[\w.]+: /, '');
let queue = Promise.resolve();
self.onmessage = ({ data: { id, name, values } }) => {
  queue = queue.then(() => answer(name, values)).then(result => postMessage({ id, result }), error => postMessage({ id, error: findMessage(error) }));
};
postMessage({ ready: true });

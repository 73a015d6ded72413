// Tenure in Pyodide, in a worker without an origin and without a network. The page sends {id, name, values}, a call of engine.py, and gets
// {id, result} or {id, error}; this worker sends {need: name} for a file, and gets {need, body} or {need, error}.
const PACKAGES = '/lib/python3.14/site-packages', ROOT = 'https://engine.invalid/';
/** @param {any} message */
const send = message => /** @type {any} */ (self).postMessage(message);
/** @type {Map<string, {resolve: (body: ArrayBuffer) => void, reject: (error: Error) => void}>} */
const needed = new Map();
/** @param {string} name @returns {Promise<ArrayBuffer>} */
const load = name => new Promise((resolve, reject) => {
  needed.set(name, { resolve, reject });
  send({ need: name });
});
const importScript = async name => import(URL.createObjectURL(new Blob([await load(name)], { type: 'text/javascript' })));
const fetchAddress = self.fetch.bind(self);
self.fetch = async (url, init) => {
  if (!String(url).startsWith(ROOT)) return fetchAddress(url, init);
  const name = String(url).slice(ROOT.length);
  return new Response(await load(name), { headers: { 'content-type': name.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream' } });
};
// Pyodide asks so whether this is a classic worker; Firefox would write the refusal of the policy as an error.
/** @type {any} */ (self).importScripts = () => { throw new Error('this worker imports modules'); };

/** Start Python, and return the function that answers a call. */
const start = async () => {
  const [{ loadPyodide }, core, program] = await Promise.all([importScript('pyodide.mjs'), importScript('pyodide.asm.mjs'), load('start.zip')]);
  const python = await loadPyodide({ indexURL: ROOT, stdLibURL: `${ROOT}python_stdlib.zip`, createPyodideModule: core.default, convertNullToNone: true });
  const unpack = bytes => python.unpackArchive(bytes, 'zip', { extractDir: PACKAGES });
  unpack(program);
  const engine = python.pyimport('engine');
  engine.find_late_modules();
  /** @type {Promise<void> | null} */
  let rest = null;
  const loadRest = () => (rest ??= load('late.zip').then(archive => engine.install_late_modules(python.toPy(archive))));

  // What the first builds of the examples did not need is loaded afterwards; a call that needs it before is made again when it is there.
  const answer = async (name, values) => {
    if (name === 'loadRest') return loadRest();
    if (name === 'loadTypst') return Promise.all([load('typst.whl'), load('fonts.zip')]).then(archives => archives.forEach(unpack));
    try {
      const result = engine.call(name, python.toPy(values));
      return result?.toJs ? result.toJs({ create_proxies: false, dict_converter: Object.fromEntries }) : result;
    } catch (error) {
      if (error.type !== 'LateModuleNeeded') throw error;
      await loadRest();
      return answer(name, values);
    }
  };
  return answer;
};
// Python's message is the last line: "tenure.sources.editing.edits.UneditableError: it is read-only".
const findMessage = error => String(error.message ?? error).trim().split('\n').at(-1)?.replace(/^[\w.]+: /, '');

const ready = start();
let queue = ready.then(() => send({ ready: true }), error => send({ failure: findMessage(error) }));
self.onmessage = ({ data: { id, name, values, need, body, error } }) => {
  if (need) {
    const { resolve, reject } = needed.get(need) ?? {};
    if (error) reject?.(new Error(error));
    else resolve?.(body);
  } else queue = queue.then(() => ready).then(answer => answer(name, values)).then(result => send({ id, result }), reason => send({ id, error: findMessage(reason) }));
};

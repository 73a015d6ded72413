// Python, in a frame without an origin: calls of engine.py by name. A call that takes long can be stopped: then Python begins again.
import { loadFile } from './load.js';

/** Milliseconds without an answer after which a call can be stopped. */
const LONG = 30000;

/** What Python may ask for: a template could ask for anything. */
const FILES = new Set(['pyodide.mjs', 'pyodide.asm.mjs', 'pyodide.asm.wasm', 'pyodide-lock.json', 'python_stdlib.zip', 'start.zip', 'late.zip', 'typst.whl', 'fonts.zip']);

/**
 * Python, which begins with `start`; calls wait for it.
 * @param {{onReady: () => void, onFailure: (message: string) => void, onWait: (isLong: boolean) => void}} events `onWait` says whether calls have
 *   waited for an answer for a long time
 */
export const createPython = ({ onReady, onFailure, onWait }) => {
  /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void}>} */
  const waiting = new Map();
  /** @type {HTMLIFrameElement} */
  let frame;
  /** @type {MessageChannel} */
  let channel;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let count = 0;
  const watch = () => {
    clearTimeout(timer);
    onWait(false);
    if (waiting.size) timer = setTimeout(onWait, LONG, true);
  };
  const sendFile = async (port, need) => {
    try {
      if (!FILES.has(need)) throw new Error(`${need} is no file of Python`);
      const body = await loadFile(need);
      port.postMessage({ need, body }, [body]);
    } catch (error) { port.postMessage({ need, error: error.message }); }
    watch();
  };
  const open = () => {
    channel = new MessageChannel();
    const { port1: port } = channel;
    port.onmessage = ({ data: { id, result, error, need, ready, failure } }) => {
      const call = waiting.get(id);
      waiting.delete(id);
      watch();
      if (ready) onReady();
      else if (failure) onFailure(failure);
      else if (need !== undefined) sendFile(port, need);
      else if (error) call?.reject(new Error(error));
      else call?.resolve(result);
    };
  };
  addEventListener('message', ({ source, data }) => {
    if (!frame || source !== frame.contentWindow) return;
    if (data === 'engine') frame.contentWindow?.postMessage('start', location.origin, [channel.port2]);
    else if (data.failure) onFailure(data.failure);
  });
  const start = () => {
    frame = document.createElement('iframe');
    Object.assign(frame, { src: 'engine.html', hidden: true, title: 'Python' });
    document.body.append(frame);
  };
  open();
  return {
    start,
    /** End all calls, and begin again without a site. */
    stop: () => {
      frame.remove();
      const calls = [...waiting.values()];
      waiting.clear();
      watch();
      open();
      start();
      for (const { reject } of calls) reject(new Error('Stopped.'));
    },
    /**
     * Call a function of engine.py, or `loadTypst` of worker.js.
     * @param {string} name
     * @param {...any} values
     * @returns {Promise<any>}
     */
    call: (name, ...values) => new Promise((resolve, reject) => {
      waiting.set(count += 1, { resolve, reject });
      if (waiting.size === 1) watch();
      channel.port1.postMessage({ id: count, name, values });
    }),
  };
};

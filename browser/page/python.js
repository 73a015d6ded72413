// Python, in a frame without an origin: calls of engine.py by name.

/** @typedef {{step: string, name: string, loaded: number, total: number}} Progress */

/**
 * Start Python, and return a function that calls it.
 * @param {(progress: Progress) => void} onProgress
 * @param {(message: string) => void} onFailure
 */
export const startPython = async (onProgress, onFailure) => {
  const frame = document.createElement('iframe');
  Object.assign(frame, { src: 'engine.html', hidden: true, title: 'Python' });
  frame.setAttribute('sandbox', 'allow-scripts');
  const received = new Promise(resolve => addEventListener('message', function receive(event) {
    if (event.source !== frame.contentWindow || event.data !== 'engine') return;
    removeEventListener('message', receive);
    resolve(event.ports[0]);
  }));
  document.body.append(frame);
  /** @type {MessagePort} */
  const port = await received;
  /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void}>} */
  const waiting = new Map();
  let count = 0;
  const ready = new Promise(resolve => {
    port.onmessage = ({ data }) => {
      if (data.ready) resolve(undefined);
      else if (data.failure) onFailure(data.failure);
      else if (data.step) onProgress(data);
      else {
        const call = waiting.get(data.id);
        waiting.delete(data.id);
        if (data.error) call?.reject(new Error(data.error));
        else call?.resolve(data.result);
      }
    };
  });
  await ready;
  /**
   * Call a function of engine.py, or `loadTypst` of worker.js.
   * @param {string} name
   * @param {...any} values
   * @returns {Promise<any>}
   */
  return (name, ...values) => new Promise((resolve, reject) => {
    waiting.set(count += 1, { resolve, reject });
    port.postMessage({ id: count, name, values });
  });
};

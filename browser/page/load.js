// The files of the page that Python, the examples and the zips need, with what is loaded in megabytes.

/** What hosts may not compress is packed compressed. */
const PACKED = /\.(zip|wasm)$|asm\.mjs$/;
const WORDS = { 'start.zip': 'Tenure', 'late.zip': 'the rest', 'typst.whl': 'Typst', 'fonts.zip': 'fonts', 'starter.zip': 'the files of a new site' };
/** @type {Map<string, [number, number]>} */
const loaded = new Map();
/** @type {(text: string, share: number) => void} */
let show = () => {};

/** @param {(text: string, share: number) => void} run shows what is loaded, and its share of all that is asked for */
export const onProgress = run => { show = run; };

const showLoaded = name => {
  const [done, all] = [...loaded.values()].reduce((sum, part) => [sum[0] + part[0], sum[1] + part[1]]);
  const word = WORDS[name] ?? (name.startsWith('examples/') ? 'the example' : 'Python');
  show(done === all ? 'Starting …' : `Loading ${word}: ${(done / 1e6).toFixed(1)} of ${(all / 1e6).toFixed(1)} MB`, done / all);
};

/** The bytes of a file of the page. @param {string} name */
export const loadFile = async name => {
  const isPacked = PACKED.test(name), response = await fetch(isPacked ? `${name}.gz` : name).catch(() => null);
  if (!response?.ok || !response.body) throw new Error(`${name} cannot be loaded (${response?.status ?? 'no network'})`);
  const total = Number(response.headers.get('content-length'));
  let bytes = 0;
  const counted = response.body.pipeThrough(new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      loaded.set(name, [bytes, Math.max(bytes, total)]);
      showLoaded(name);
      controller.enqueue(chunk);
    },
    flush() {
      loaded.set(name, [bytes, bytes]);
      showLoaded(name);
    },
  }));
  return new Response(isPacked ? counted.pipeThrough(new DecompressionStream('gzip')) : counted).arrayBuffer();
};

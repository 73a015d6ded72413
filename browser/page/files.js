// The sources of the site: the bytes of each file by its path. The page keeps them; Python has a copy.

/** @typedef {import('./store.js').Changes} Changes */

/** The largest file, and the largest site, in bytes. */
export const MAX_FILE = 20e6, MAX_SITE = 100e6;
/** The number of changes that can be taken back. */
const MAX_STEPS = 100;

export class Sources {
  /** @type {Map<string, Uint8Array<ArrayBuffer>>} */
  files = new Map();

  /** What takes the last changes back: the bytes of their files before. @type {Changes[]} */
  steps = [];

  /** @param {(changes: Changes) => void} onChange called after each change, with what has changed */
  constructor(onChange) {
    this.onChange = onChange;
  }

  get paths() {
    return [...this.files.keys()].sort();
  }

  /** @param {string} path */
  readText(path) {
    return new TextDecoder().decode(this.files.get(path));
  }

  /** @param {string} path @param {string} text */
  writeText(path, text) {
    this.write({ [path]: new TextEncoder().encode(text) });
  }

  /** Change files; throws an Error if one, or all together, would be too large. @param {Changes} changes */
  write(changes) {
    const files = new Map(this.files);
    for (const [path, body] of Object.entries(changes)) {
      if (body && body.length > MAX_FILE) throw new Error(`${path} has ${(body.length / 1e6).toFixed(0)} MB; this page takes files of at most ${MAX_FILE / 1e6} MB`);
      if (body) files.set(path, body);
      else files.delete(path);
    }
    const size = [...files.values()].reduce((sum, body) => sum + body.length, 0);
    const old = Object.keys(changes).map(path => [path, this.files.get(path) ?? null]);
    if (size > MAX_SITE) throw new Error(`The site would have ${(size / 1e6).toFixed(0)} MB; this page takes at most ${MAX_SITE / 1e6} MB`);
    if (this.files.size) this.steps = [...this.steps.slice(1 - MAX_STEPS), Object.fromEntries(old)];
    this.files = files;
    this.onChange(changes);
  }

  get canUndo() {
    return this.steps.length > 0;
  }

  /** Take the last change back; returns its files. @returns {string[]} */
  undo() {
    const step = this.steps.pop() ?? {}, { steps } = this;
    this.write(step);
    this.steps = steps;
    return Object.keys(step);
  }

  /** Replace the whole site. @param {Changes} files */
  replaceAll(files) {
    this.write({ ...Object.fromEntries(this.paths.map(path => [path, null])), ...files });
  }
}

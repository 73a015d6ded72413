// The sources of the site: the bytes of each file by its path. The page keeps them; Python has a copy.

/** @typedef {Record<string, Uint8Array<ArrayBuffer> | null>} Changes the bytes of changed files; null for a deleted one */

export class Sources {
  /** @type {Map<string, Uint8Array<ArrayBuffer>>} */
  files = new Map();

  /** @param {(changes: Changes) => void} onChange called after each change, with what has changed */
  constructor(onChange) {
    this.onChange = onChange;
  }

  get paths() {
    return [...this.files.keys()];
  }

  /** @param {string} path */
  readText(path) {
    return new TextDecoder().decode(this.files.get(path));
  }

  /** @param {string} path @param {string} text */
  writeText(path, text) {
    this.write({ [path]: new TextEncoder().encode(text) });
  }

  /** @param {Changes} changes */
  write(changes) {
    for (const [path, body] of Object.entries(changes)) {
      if (body) this.files.set(path, body);
      else this.files.delete(path);
    }
    this.onChange(changes);
  }
}

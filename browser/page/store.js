// Keeps the sources in this browser: IndexedDB, one transaction for each change. Only one tab edits.

/** @typedef {Record<string, Uint8Array<ArrayBuffer> | null>} Changes the bytes of changed files; null for a deleted one */

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const wait = request => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** Whether this tab may edit; another tab that wants to is reloaded when this one is closed. */
export const lockSite = () => new Promise(resolve => {
  navigator.locks.request('tenure-try', { ifAvailable: true }, lock => {
    resolve(Boolean(lock));
    if (lock) return new Promise(() => {});
    navigator.locks.request('tenure-try', () => location.reload());
    return undefined;
  });
});

/**
 * The files of a folder of this computer.
 * @param {any} folder a FileSystemDirectoryHandle
 * @param {(path: string) => Promise<boolean>} isUnread whether a folder is made again, or is not the site's
 * @returns {Promise<Map<string, Uint8Array<ArrayBuffer>>>}
 */
export const readFolder = async (folder, isUnread, prefix = '') => {
  /** @type {Map<string, Uint8Array<ArrayBuffer>>} */
  let files = new Map();
  for await (const [name, handle] of folder.entries()) {
    if (handle.kind === 'file') files.set(prefix + name, new Uint8Array(await (await handle.getFile()).arrayBuffer()));
    else if (!await isUnread(prefix + name)) files = new Map([...files, ...await readFolder(handle, isUnread, `${prefix}${name}/`)]);
  }
  return files;
};

/** Write changes into a folder of this computer. @param {any} folder @param {Changes} changes */
export const writeFolder = async (folder, changes) => {
  for (const [path, body] of Object.entries(changes)) {
    const names = path.split('/'), name = names.pop();
    let place = folder;
    for (const part of names) place = await place.getDirectoryHandle(part, { create: true });
    if (body) {
      const file = await (await place.getFileHandle(name, { create: true })).createWritable();
      await file.write(body);
      await file.close();
    } else await place.removeEntry(name).catch(() => {});  // it was deleted there, too
  }
};

export class Store {
  /** @param {IDBDatabase} database */
  constructor(database) {
    this.database = database;
    this.isPersisted = false;
  }

  static async open() {
    const request = indexedDB.open('tenure-try', 1);
    request.onupgradeneeded = () => ['files', 'facts'].forEach(name => request.result.createObjectStore(name));
    return new Store(await wait(request));
  }

  /** @returns {Promise<Map<string, Uint8Array<ArrayBuffer>>>} */
  async readFiles() {
    const files = this.database.transaction('files').objectStore('files');
    const [paths, bodies] = await Promise.all([wait(files.getAllKeys()), wait(files.getAll())]);
    return new Map(paths.map((path, i) => [String(path), bodies[i]]));
  }

  /** @param {Changes} changes @param {boolean} [replacesAll] */
  writeFiles(changes, replacesAll = false) {
    const transaction = this.database.transaction(['files', 'facts'], 'readwrite'), files = transaction.objectStore('files');
    transaction.objectStore('facts').delete('unfinished');  // this is another state than that whose build did not end
    if (replacesAll) files.clear();
    for (const [path, body] of Object.entries(changes)) {
      if (body) files.put(body, path);
      else files.delete(path);
    }
    if (!this.isPersisted) {
      this.isPersisted = true;
      navigator.storage?.persist?.();
    }
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(undefined);
      transaction.onabort = () => reject(transaction.error);
    });
  }

  /** @param {string} name */
  readFact(name) {
    return wait(this.database.transaction('facts').objectStore('facts').get(name));
  }

  /** @param {string} name @param {any} value */
  writeFact(name, value) {
    return wait(this.database.transaction('facts', 'readwrite').objectStore('facts').put(value, name));
  }

  /** Delete everything that this page keeps in this browser. */
  async deleteAll() {
    this.database.close();
    await wait(indexedDB.deleteDatabase('tenure-try'));
    const own = `page ${new URL('./', location.href).href} `;
    await Promise.all((await caches.keys()).filter(name => name === 'site' || name.startsWith(own)).map(name => caches.delete(name)));
    await (await navigator.serviceWorker.getRegistration())?.unregister();
  }
}

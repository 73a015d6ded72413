// Zips without compression: they are written without Python, so that a download needs nothing that can hang.

const TABLE = Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});
const sumBytes = body => {
  let sum = -1;
  for (const byte of body) sum = (sum >>> 8) ^ TABLE[(sum ^ byte) & 255];
  return ~sum >>> 0;
};
/** Numbers as bytes, lowest first: [[2, 20], [4, 1]] -> 14 00 01 00 00 00. @param {number[][]} fields size and value */
const pack = fields => new Uint8Array(fields.flatMap(([size, value]) => Array.from({ length: size }, (_, i) => (value >>> (8 * i)) & 255)));

/** A zip of files; the same files give the same bytes. @param {Map<string, Uint8Array>} files */
export const writeZip = files => {
  /** @type {any[]} */
  const parts = [], directory = [];
  let offset = 0, length = 0;
  for (const [path, body] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const name = new TextEncoder().encode(path);
    // version 2.0, names in UTF-8, stored, 1 January 1980
    const common = [[2, 20], [2, 0x800], [2, 0], [2, 0], [2, 0x21], [4, sumBytes(body)], [4, body.length], [4, body.length], [2, name.length], [2, 0]];
    const local = pack([[4, 0x04034b50], ...common]), entry = pack([[4, 0x02014b50], [2, 0x314], ...common, [2, 0], [2, 0], [2, 0], [4, 0x81a40000], [4, offset]]);
    parts.push(local, name, body);
    directory.push(entry, name);
    offset += local.length + name.length + body.length;
    length += entry.length + name.length;
  }
  return new Blob([...parts, ...directory, pack([[4, 0x06054b50], [4, 0], [2, files.size], [2, files.size], [4, length], [4, offset], [2, 0]])], { type: 'application/zip' });
};

/** The files of a zip without compression and comment, as pack.mjs makes them. @param {ArrayBuffer} bytes @returns {Map<string, Uint8Array<ArrayBuffer>>} */
export const readStoredZip = bytes => {
  const view = new DataView(bytes), files = new Map(), end = bytes.byteLength - 22;
  for (let at = view.getUint32(end + 16, true); at < end;) {
    const size = view.getUint32(at + 24, true), length = view.getUint16(at + 28, true), start = view.getUint32(at + 42, true) + 30 + length;
    files.set(new TextDecoder().decode(new Uint8Array(bytes, at + 46, length)), new Uint8Array(bytes.slice(start, start + size)));
    at += 46 + length;
  }
  return files;
};

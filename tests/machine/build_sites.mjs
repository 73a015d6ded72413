// node build_sites.mjs PAGE URL SITE…: builds each site in Pyodide as the command does, and prints {site: {path: SHA-256}} as JSON.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';

const [page, url, ...sites] = process.argv.slice(2), temporary = mkdtempSync(join(tmpdir(), 'tenure-'));
const read = name => new Uint8Array(name.endsWith('.gz') ? gunzipSync(readFileSync(join(page, name))) : readFileSync(join(page, name)));
for (const name of ['pyodide.asm.wasm', 'python_stdlib.zip']) writeFileSync(join(temporary, name), read(`${name}.gz`));
const core = join(temporary, 'pyodide.asm.mjs');
writeFileSync(core, read('pyodide.asm.mjs.gz'));
const { loadPyodide } = await import(pathToFileURL(join(page, 'pyodide.mjs')).href);
const messages = [], python = await loadPyodide({
  indexURL: temporary, lockFileURL: join(resolve(page), 'pyodide-lock.json'), stdLibURL: join(temporary, 'python_stdlib.zip'),
  createPyodideModule: (await import(pathToFileURL(core).href)).default, stdout: line => messages.push(line), stderr: line => messages.push(line),
});
for (const name of ['start.zip.gz', 'typst.whl', 'fonts.zip.gz']) python.unpackArchive(read(name), 'zip', { extractDir: '/lib/python3.14/site-packages' });
python.pyimport('engine').install_late_modules(python.toPy(read('late.zip.gz')));

const built = {};
for (const site of sites) {
  const root = `/${basename(site)}`;
  for (const file of readdirSync(site, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())) {
    const path = join(file.parentPath, file.name), target = `${root}/${relative(site, path)}`;
    python.FS.mkdirTree(target.replace(/\/[^/]*$/, ''));
    python.FS.writeFile(target, new Uint8Array(readFileSync(path)));
  }
  python.globals.set('words', python.toPy(['build', '--site', root, '--base-url', url]));
  const status = python.runPython('from tenure.cli.app import main\nmain(words)');
  if (status !== 0) throw new Error(`${site}: ${messages.join('\n')}`);
  const files = python.runPython(`
from pathlib import Path
{str(p.relative_to("${root}/output")): p.read_bytes() for p in Path("${root}/output").rglob("*") if p.is_file()}`).toJs({ dict_converter: Object.fromEntries });
  built[basename(site)] = Object.fromEntries(Object.entries(files).map(([path, body]) => [path, createHash('sha256').update(body).digest('hex')]));
}
process.stdout.write(JSON.stringify(built));

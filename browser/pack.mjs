// node pack.mjs OUTPUT: makes the page “Try it” in a folder, with everything that it needs. It needs Node 20, and Python with pip and the packages of Tenure and its tests.
import process from 'node:process';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url)), clone = dirname(here), output = resolve(process.argv[2] ?? join(here, 'output', 'try'));

// The Python of Tenure's own environment, which build.py makes.
const venv = join(clone, '.venv/bin/python'), python = process.env.PYTHON ?? (existsSync(venv) ? venv : 'python3');

const run = (program, ...words) => {
  const { status, error } = spawnSync(program, words, { cwd: here, stdio: 'inherit', env: { ...process.env, PYTHONPATH: clone } });
  if (status !== 0) throw new Error(`${program} ${words[0]} has failed${error ? `: ${error.message}` : ''}`);
};

/** Fetch what the lock files name, if it is not here yet. */
const fetchPackages = () => {
  if (!existsSync(join(here, 'node_modules/pyodide'))) run('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
  const wheels = join(here, '.wheels'), wanted = readFileSync(join(here, 'requirements.txt'), 'utf8').match(/^[a-z]/gm);
  if (existsSync(wheels) && readdirSync(wheels).length === wanted.length) return;
  rmSync(wheels, { recursive: true, force: true });
  run(python, '-m', 'pip', 'download', '--quiet', '--require-hashes', '--no-deps', '--only-binary=:all:',
    '--platform=pyemscripten_2026_0_wasm32', '--platform=manylinux2014_x86_64', '--platform=manylinux_2_17_x86_64',
    '--implementation=cp', '--python-version=3.14', '--abi=cp314', '--abi=abi3', `--dest=${wheels}`, '--requirement=requirements.txt');
};

/** Copy the page, Pyodide and the bundled editor. */
const copyPage = async () => {
  mkdirSync(output, { recursive: true });
  for (const folder of ['page', 'engine']) cpSync(join(here, folder), output, { recursive: true, filter: path => !/\.py$|codemirror\.js$/.test(path) });
  const client = join(clone, 'tenure/server/client');
  for (const name of readdirSync(client)) if (/\.(js|css)$/.test(name) && !/^(edit\.|idiomorph|preview\.js)/.test(name)) cpSync(join(client, name), join(output, name));
  cpSync(join(clone, 'themes/folio/assets/fonts/source-sans-3.woff2'), join(output, 'source-sans-3.woff2'));
  const pyodide = join(here, 'node_modules/pyodide');
  cpSync(join(pyodide, 'pyodide.mjs'), join(output, 'pyodide.mjs'));
  for (const name of ['pyodide.asm.mjs', 'pyodide.asm.wasm']) cpSync(join(pyodide, name), join(output, name));
  const { info } = JSON.parse(readFileSync(join(pyodide, 'pyodide-lock.json'), 'utf8'));
  writeFileSync(join(output, 'pyodide-lock.json'), JSON.stringify({ info, packages: {} }));  // no package of a server of Pyodide's
  const wheels = join(here, '.wheels');
  cpSync(join(wheels, readdirSync(wheels).find(name => name.startsWith('typst-'))), join(output, 'typst.whl'));
  const { build, transform } = await import('esbuild');
  for (const name of readdirSync(output).filter(one => /\.(js|css)$/.test(one))) {
    writeFileSync(join(output, name), (await transform(readFileSync(join(output, name), 'utf8'), { minify: true, loader: name.split('.').pop() })).code);
  }
  await build({ entryPoints: [join(here, 'page/codemirror.js')], outfile: join(output, 'codemirror.js'), bundle: true, format: 'esm', minify: true, legalComments: 'inline', logLevel: 'warning' });
};

/** Compress a file at its place; hosts compress such files or not, so the page decompresses them itself. */
const compress = path => {
  const body = gzipSync(readFileSync(path), { level: 9 });
  writeFileSync(`${path}.gz`, body);
  rmSync(path);
  process.stdout.write(`${relative(output, path)}.gz: ${(body.length / 1e6).toFixed(2)} MB\n`);
};

/** Write the JSON Schema of each source, which forms and completion use; the helps are comments of the program, which the archives do not have. */
const writeSchemas = () => {
  const site = mkdtempSync(join(tmpdir(), 'tenure-schemas-')), schemas = join(site, '.schemas');
  writeFileSync(join(site, 'site.yaml'), '');
  run(python, '-m', 'tenure', 'schema', '--site', site);
  const entries = readdirSync(schemas).map(name => [name.replace('.json', ''), JSON.parse(readFileSync(join(schemas, name), 'utf8'))]);
  writeFileSync(join(output, 'schemas.json'), JSON.stringify(Object.fromEntries(entries)));
  rmSync(site, { recursive: true });
};

/** Compile the modules under Pyodide, and write the archives. */
const compileModules = async () => {
  const { loadPyodide } = await import('pyodide'), cache = join(here, 'node_modules/.compiled');
  mkdirSync(cache, { recursive: true });
  const runtime = await loadPyodide({ stdout: console.log });
  for (const [at, root] of [['/clone', clone], ['/wheels', join(here, '.wheels')], ['/modules', join(here, 'node_modules')], ['/output', output], ['/starter', starter], ['/cache', cache]]) {
    runtime.FS.mkdirTree(at);
    runtime.FS.mount(runtime.FS.filesystems.NODEFS, { root }, at);
  }
  runtime.runPython(readFileSync(join(here, 'archives.py'), 'utf8'));
};

fetchPackages();
await copyPage();
writeSchemas();
const starter = mkdtempSync(join(tmpdir(), 'tenure-'));
run(python, 'starter.py', starter);
await compileModules();
for (const name of readdirSync(output, { recursive: true })) if (/\.zip$|pyodide\.asm\./.test(name) && !name.endsWith('.gz')) compress(join(output, name));
rmSync(starter, { recursive: true });

/** Write the digest of each file, and of all, into the service worker, which keeps the page. */
const writeDigests = () => {
  const compute = body => createHash('sha256').update(body).digest('hex');
  const names = readdirSync(output, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile()).map(entry => relative(output, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  const files = Object.fromEntries(names.filter(name => name !== 'sw.js').sort().map(name => [name, compute(readFileSync(join(output, name)))]));
  const packing = JSON.stringify({ digest: compute(JSON.stringify(files)), files });
  writeFileSync(join(output, 'sw.js'), `self.packing = ${packing};\n${readFileSync(join(output, 'sw.js'), 'utf8')}`);
};
writeDigests();

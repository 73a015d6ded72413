// Publishing on GitHub from this page: what it asks of GitHub's REST API, and when it asks the user instead.
// The token is a variable of this module, until the tab is closed.

/**
 * @typedef {Map<string, Uint8Array>} Files
 * @typedef {object} Known a commit that this page has made or opened
 * @property {string} repository "ada/ada.github.io"; "" for that of an opened ZIP
 * @property {string} commit
 * @property {string[]} own the files that are deleted there as soon as they are deleted here
 * @property {Map<string, string>} [digests] the Git digest of each file; not known of an opened ZIP
 * @property {string} [url] the address of the site, as soon as GitHub Pages has one
 * @typedef {object} Question what differs from a commit that this page has not made
 * @property {string} commit
 * @property {Map<string, string>} digests
 * @property {string[]} differing
 * @property {string[]} onlyThere
 * @property {string[]} onlyHere
 * @typedef {(text: string) => void} Say
 */

const API = 'https://api.github.com';
/** Milliseconds between two requests, and those to wait if GitHub does not say how long. */
const GAP = 1000;
const MINUTE = 60000;
const MOST_WAITS = 3;
const BASE64_STEP = 0x8000;
const FIRST_FILE = 'README.md';

let token = '';
let lastRequest = 0;

export const hasToken = () => token !== '';

/** Keep the token until the tab is closed; throws an Error for a classic one. @param {string} text */
export const keepToken = text => {
  if (/^gh[a-z]_|^[0-9a-f]{40}$/.test(text))
    throw new Error('This is a classic token, which opens all your repositories. Make a fine-grained one.');
  if (!/^github_pat_\w+$/.test(text)) throw new Error('A fine-grained token begins with github_pat_');
  token = text;
};

/** Whether GitHub gets a file: letters are private. @param {string} path */
export const isPublished = path => !path.startsWith('letters/');

/** The commit of a ZIP of GitHub, which is its comment; "" for another ZIP. @param {Uint8Array} zip */
export const readCommit = zip =>
  new TextDecoder('latin1').decode(zip.subarray(-62)).match(/^PK[^]{20}([0-9a-f]{40})$/)?.[1] ?? '';

/** @param {number} time in milliseconds */
const pause = time => new Promise(resolve => setTimeout(resolve, time));

/** The milliseconds that an answer asks to wait. @param {Response} response @param {string} message */
const findWait = ({ status, headers }, message) => {
  if (status !== 403 && status !== 429) return 0;
  const seconds = Number(headers.get('retry-after'));
  if (seconds) return seconds * 1000;
  const reset = Number(headers.get('x-ratelimit-reset')) * 1000;
  if (reset && headers.get('x-ratelimit-remaining') === '0') return Math.max(reset - Date.now(), GAP);
  return status === 429 || message.includes('rate limit') ? MINUTE : 0;
};

/**
 * Ask GitHub about a repository.
 * @param {Say} say
 * @param {string} method
 * @param {string} path
 * @param {any} [content]
 * @param {number[]} [allowed] the errors that are an answer, too
 * @returns {Promise<any>} the answer, with `status`
 */
const ask = async (say, method, path, content, allowed = []) => {
  for (let waits = 0; ; waits += 1) {
    await pause(lastRequest + GAP - Date.now());
    lastRequest = Date.now();
    const headers = { accept: 'application/vnd.github+json', authorization: `Bearer ${token}` };
    const body = content && JSON.stringify(content);
    const request = {
      method,
      headers,
      body,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    };
    const response = await fetch(`${API}/repos/${path}`, /** @type {RequestInit} */ (request)).catch(
      () => null,
    );
    if (!response)
      throw new Error('GitHub does not answer. The site there is as before, or complete. Try again.');
    const { status } = response;
    const answer = await response.json().catch(() => ({}));
    const message = answer.message ?? '';
    const wait = findWait(response, message);
    if (wait && waits < MOST_WAITS) {
      say(`GitHub asks to wait until ${new Date(Date.now() + wait).toLocaleTimeString()} …`);
      await pause(wait);
      continue;
    }
    if (response.ok || allowed.includes(status)) return { ...answer, status };
    if (status === 401) {
      token = '';
      throw new Error('GitHub does not know this token, or it has ended. Make a new one.');
    }
    const hint = [403, 404].includes(status)
      ? ' Has the token the rights of step 2, for this repository?'
      : '';
    throw new Error(`GitHub refuses this: ${message || status}.${hint}`);
  }
};

/** @param {Uint8Array} body */
const toBase64 = body => {
  let text = '';
  for (let at = 0; at < body.length; at += BASE64_STEP)
    text += String.fromCharCode(...body.subarray(at, at + BASE64_STEP));
  return btoa(text);
};
/** The text of a file, or null of a binary one. @param {Uint8Array} body */
const toText = body => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
};
/** The name that Git gives to a file with these bytes. @param {Uint8Array} body */
const findDigest = async body => {
  const blob = await new Blob([`blob ${body.length}\0`, /** @type {any} */ (body)]).arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-1', blob));
  return [...digest].map(byte => byte.toString(16).padStart(2, '0')).join('');
};

/**
 * The address of the site, or "" if Pages are not built by the workflow.
 * @param {Say} say @param {string} repository @param {boolean} isFirst
 */
const findAddress = async (say, repository, isFirst) => {
  const path = `${repository}/pages`;
  if (isFirst) {
    const made = await ask(say, 'POST', path, { build_type: 'workflow' }, [403, 404, 409, 422]);
    if (made.html_url) return made.html_url;
  }
  const pages = await ask(say, 'GET', path, undefined, [403, 404]);
  return pages.build_type === 'workflow' ? pages.html_url : '';
};

/**
 * Publish files as one commit on `main`, or return the question that the user must answer first.
 * @param {object} work
 * @param {string} work.repository
 * @param {Files} work.files
 * @param {Known[]} work.known
 * @param {(known: Known[]) => Promise<any>} work.keep stores what is known
 * @param {{commit: string, deleted: string[]}} [work.answer] "Keep mine", in view of this commit
 * @param {Say} work.say
 * @returns {Promise<{question?: Question, url?: string, isNew?: boolean}>}
 */
export const publish = async ({ repository, files, known, keep, answer, say }) => {
  say('Asking GitHub what is there …');
  const isFirst = !known.some(one => one.repository === repository);
  const branch = await ask(say, 'GET', `${repository}/branches/main`, undefined, [404]);
  if (isFirst || !branch.commit) {
    const { default_branch: name } = await ask(say, 'GET', repository);
    if (name !== 'main')
      throw new Error(
        `The default branch of ${repository} is “${name}”, and the workflow needs “main”. ` +
          'On GitHub, rename it: Settings, General, Default branch. Nothing was sent.',
      );
  }

  // GitHub's interface for several files refuses an empty repository: its first commit has one file.
  let commit = branch.commit?.sha;
  let tree = branch.commit?.commit.tree.sha;
  let state = known.find(one => one.commit === commit && ['', repository].includes(one.repository));
  if (!commit) {
    const body = files.get(FIRST_FILE) ?? new Uint8Array();
    const content = { message: 'Begin the site', content: toBase64(body), branch: 'main' };
    ({ sha: commit, tree } = (await ask(say, 'PUT', `${repository}/contents/${FIRST_FILE}`, content)).commit);
    tree = tree.sha;
    state = {
      repository,
      commit,
      own: [FIRST_FILE],
      digests: new Map([[FIRST_FILE, await findDigest(body)]]),
    };
    await keep([state]);
  }
  let there = state?.digests;
  if (!there) {
    const found = await ask(say, 'GET', `${repository}/git/trees/${tree}?recursive=1`);
    if (found.truncated) throw new Error(`${repository} has too many files.`);
    there = new Map(found.tree.filter(({ type }) => type === 'blob').map(({ path, sha }) => [path, sha]));
  }

  const here = new Map();
  for (const [path, body] of files) here.set(path, await findDigest(body));
  const onlyThere = [...there.keys()].filter(path => !files.has(path));
  const changed = [...files.keys()].filter(path => there.get(path) !== here.get(path));
  if (!state && answer?.commit !== commit && onlyThere.length + changed.length) {
    const differing = changed.filter(path => there.has(path));
    const onlyHere = changed.filter(path => !there.has(path));
    return { question: { commit, digests: there, differing, onlyThere, onlyHere } };
  }
  const deleted = onlyThere.filter(path => (state ? state.own : (answer?.deleted ?? [])).includes(path));

  const isNew = changed.length + deleted.length > 0;
  if (isNew) {
    const stored = new Set(there.values());
    /** @type {any[]} */
    const entries = deleted.map(path => ({ path, mode: '100644', type: 'blob', sha: null }));
    for (const [at, path] of changed.entries()) {
      const body = /** @type {Uint8Array} */ (files.get(path));
      const sha = here.get(path);
      const text = stored.has(sha) ? null : toText(body);
      if (text === null && !stored.has(sha)) {
        say(`Sending ${path} (${at + 1} of ${changed.length}) …`);
        await ask(say, 'POST', `${repository}/git/blobs`, { content: toBase64(body), encoding: 'base64' });
      }
      entries.push({ path, mode: '100644', type: 'blob', ...(text === null ? { sha } : { content: text }) });
    }
    say('Sending the texts …');
    const made = await ask(say, 'POST', `${repository}/git/trees`, { base_tree: tree, tree: entries });
    const content = { message: 'Edit the site in the browser', tree: made.sha, parents: [commit] };
    ({ sha: commit } = await ask(say, 'POST', `${repository}/git/commits`, content));
  }

  const url = state?.url || (await findAddress(say, repository, isFirst));
  const digests = new Map([...there, ...here]);
  for (const path of deleted) digests.delete(path);
  const next = { repository, commit, own: [...files.keys()], digests, url };
  if (isNew) {
    // If the answer is lost, the branch has either of the two commits.
    await keep([...(state ? [state] : []), next]);
    const moved = await ask(
      say,
      'PATCH',
      `${repository}/git/refs/heads/main`,
      { sha: commit, force: false },
      [422],
    );
    if (moved.status === 422)
      throw new Error(
        `GitHub did not take the commit: ${moved.message}. Nothing was overwritten. ` +
          'If somebody has changed the site meanwhile, the next click shows what differs.',
      );
  }
  await keep([next]);
  return { url, isNew };
};

/**
 * The bytes of files in the repository.
 * @param {Say} say @param {string} repository @param {Question} question @param {string[]} paths
 * @returns {Promise<Map<string, Uint8Array<ArrayBuffer>>>}
 */
export const readTheirs = async (say, repository, { digests }, paths) => {
  const files = new Map();
  for (const [at, path] of paths.entries()) {
    say(`Reading ${path} (${at + 1} of ${paths.length}) …`);
    const { content } = await ask(say, 'GET', `${repository}/git/blobs/${digests.get(path)}`);
    files.set(
      path,
      Uint8Array.from(atob(content), letter => letter.charCodeAt(0)),
    );
  }
  return files;
};

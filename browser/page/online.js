// The dialog “Put it online”: a ZIP for any host, a host that takes a folder, and GitHub.
import { createElement } from './panels.js';
import { hideSite } from './preview.js';
import { hasToken, isPublished, keepToken, publish, readTheirs } from './publish.js';

/** @param {string} id @returns {any} */
const find = id => document.getElementById(id);
/** Files that are made again, so that nobody needs those of another version. @param {string} path */
const isProgram = path => /^vendor\/|^(build\.py|requirements\.txt)$/.test(path);
const PAGES_STEPS =
  'Published, and one step is missing. On GitHub: Settings, Pages, “Build and deployment”, Source: “GitHub Actions”. ' +
  'Then Actions, “Site”, “Run workflow”.';

const createLink = url => createElement('a', { href: url, target: '_blank', rel: 'noopener' }, url);
const createList = (title, paths) =>
  paths.length && [
    createElement('p', {}, title),
    createElement('ul', { tabIndex: 0 }, ...paths.map(path => createElement('li', {}, path))),
  ];
const createChoices = (title, paths) =>
  paths.length && [
    createElement(
      'fieldset',
      {},
      createElement('legend', {}, title),
      ...paths.map(path =>
        createElement(
          'label',
          {},
          createElement('input', { type: 'checkbox', value: path }),
          ` Delete ${path}`,
        ),
      ),
    ),
  ];

/**
 * Connect the dialog.
 * @param {object} parts
 * @param {HTMLDialogElement} parts.dialog
 * @param {(name: string, ...values: any[]) => Promise<any>} parts.call
 * @param {import('./store.js').Store} parts.store
 * @param {import('./files.js').Sources} parts.sources
 * @param {{collectFiles: () => Promise<Map<string, Uint8Array<ArrayBuffer>>>, takeSite: (say: any) => Promise<void>}} parts.take
 * @param {() => Promise<void>} parts.finish waits until what was typed last is in the sources, and built
 * @param {() => string[]} parts.drafts the names of the drafts
 * @param {() => string} parts.findError what keeps the site from being published
 */
export const createOnline = ({ dialog, call, store, sources, take, finish, drafts, findError }) => {
  const say = text => find('online-status').replaceChildren(text);
  const showError = text => Object.assign(find('online-error'), { textContent: text, hidden: !text });
  const readKnown = async () =>
    /** @type {import('./publish.js').Known[]} */ ((await store.readFact('published')) ?? []);
  const keep = known => store.writeFact('published', known);
  /** @type {import('./publish.js').Question | null} */
  let question = null;

  // ---- What is shown: the field of the token only without one, and then no frame with the site.
  const showSteps = async () => {
    const isAsked = dialog.open && !hasToken();
    if (isAsked) await hideSite(true);
    for (const step of dialog.querySelectorAll('.online-once')) step.toggleAttribute('hidden', !isAsked);
    find('online-token').disabled = !isAsked;
    if (!isAsked) await hideSite(false);
  };
  const showNames = () => {
    const user = find('online-user').value.trim();
    const name = find('online-repository').value.trim() || `${user || 'ada'}.github.io`;
    find('online-repository').placeholder = name;
    const isMain = name.toLowerCase() === `${user || 'ada'}.github.io`.toLowerCase();
    for (const place of dialog.querySelectorAll('.online-name')) place.textContent = name;
    for (const place of dialog.querySelectorAll('.online-url'))
      place.textContent = `https://${user || 'ada'}.github.io/${isMain ? '' : `${name}/`}`;
    find('online-make').href =
      `https://github.com/new?${new URLSearchParams({ name, visibility: 'public' })}`;
  };
  find('online-user').oninput = find('online-repository').oninput = showNames;
  find('online-user').onchange = () => {
    find('online-repository').value ||= `${find('online-user').value.trim()}.github.io`;
    showNames();
  };
  const findRepository = () =>
    `${find('online-user').value.trim()}/${find('online-repository').value.trim()}`;
  const showDrafts = known => {
    const names = drafts();
    const [text, list] = find('online-drafts').children;
    const others = names.length ? `drafts (${names.length}) and comments` : 'comments';
    text.textContent = `Everybody can read these files, also ${others}.`;
    list.replaceChildren(...names.map(name => createElement('li', {}, name)));
    find('online-drafts').hidden = known.some(({ repository }) => repository);
  };
  const showQuestion = () => {
    find('online-question').hidden = !question;
    if (!question) return;
    const { differing, onlyThere, onlyHere } = question;
    const lists = [
      createList('These files differ:', differing),
      createChoices('Only the repository has these. They stay, except those that you tick:', onlyThere),
      createList('Only this page has these. “Keep mine” adds them:', onlyHere),
    ];
    find('online-question')
      .querySelector('.lists')
      .replaceChildren(...lists.filter(Boolean).flat());
    find('online-question').scrollIntoView();
  };
  const open = async () => {
    if (!sources.files.size) return;
    find('take').close();
    dialog.showModal();
    say('');
    showError('');
    const known = await readKnown();
    const [user, name] = known.find(({ repository }) => repository)?.repository.split('/') ?? ['', ''];
    find('online-user').value ||= user;
    find('online-repository').value ||= name;
    showNames();
    showDrafts(known);
    find('online-address').value = '';
    await showSteps();
    const form = JSON.parse(await call('read', 'readForm', 'site.yaml', readSettings()));
    find('online-address').value ||= form.entries[0]?.fields.url?.value ?? '';
  };
  for (const button of document.querySelectorAll('.open-online')) button.addEventListener('click', open);
  dialog.addEventListener('close', () => {
    find('online-token').value = '';
    showSteps();
  });

  // ---- What the buttons do: one thing at a time.
  const run = async action => {
    const buttons = [...dialog.querySelectorAll('button')].filter(button => !button.closest('.close'));
    for (const button of buttons) Object.assign(button, { disabled: true });
    showError('');
    try {
      await action();
    } catch (error) {
      say('');
      showError(error.message);
    }
    for (const button of buttons) Object.assign(button, { disabled: false });
    await showSteps();
  };
  const connect = (id, action) => {
    find(id).onsubmit = event => {
      event.preventDefault();
      run(action);
    };
  };
  const readSettings = () => (sources.files.has('site.yaml') ? sources.readText('site.yaml') : '');
  const writeAddress = async () => {
    const address = find('online-address').value.trim() || null;
    const text = readSettings();
    sources.write(await call('edit', 'setValue', 'site.yaml', text, text, ['url'], address));
  };
  connect('online-zip', async () => {
    await writeAddress();
    await take.takeSite(say);
  });
  connect('online-drop', () => take.takeSite(say));

  const publishSite = async answer => {
    await finish();
    const fault = findError();
    if (fault) throw new Error(`The site has an error, and GitHub would not publish it: ${fault}`);
    const repository = findRepository();
    const packed = [...await take.collectFiles()];
    const files = new Map(packed.filter(([path]) => isPublished(path)));
    const result = await publish({ repository, files, known: await readKnown(), keep, answer, say });
    question = result.question ?? null;
    showQuestion();
    if (question) return say('Nothing was sent. Choose what is published.');
    showDrafts(await readKnown());
    if (!result.url)
      return find('online-status').replaceChildren(
        `${PAGES_STEPS} `,
        createLink(`https://github.com/${repository}/settings/pages`),
      );
    const text = result.isNew
      ? 'Published. In about two minutes it is at '
      : 'GitHub has these files already. The site is at ';
    return find('online-status').replaceChildren(text, createLink(result.url));
  };
  const openTheirs = async () => {
    const { commit, digests, differing, onlyThere, onlyHere } =
      /** @type {import('./publish.js').Question} */ (question);
    const repository = findRepository();
    const paths = [];
    for (const path of [...differing, ...onlyThere]) {
      const folder = path.split('/').slice(0, -1).join('/');
      if (!isProgram(path) && !(await call('isUnread', folder))) paths.push(path);
    }
    const files = await readTheirs(
      say,
      repository,
      { commit, digests, differing, onlyThere, onlyHere },
      paths,
    );

    // What this page has published, and they do not have, they have deleted.
    const last = (await readKnown()).find(one => one.repository === repository);
    const deleted = onlyHere.filter(path => last?.digests?.has(path) && sources.files.has(path));
    sources.write(
      Object.fromEntries([...files, ...deleted.map(path => /** @type {[string, null]} */ ([path, null]))]),
    );
    const own = [...digests.keys()].filter(
      path => isProgram(path) || (isPublished(path) && sources.files.has(path)),
    );
    await keep([{ repository, commit, digests, own, url: last?.url }]);
    question = null;
    showQuestion();
    say('Their files are open here. “Undo” brings yours back.');
  };
  connect('online-github', () => {
    if (!hasToken()) {
      keepToken(find('online-token').value.trim());
      find('online-token').value = '';
    }
    return showSteps().then(() => publishSite());
  });
  find('online-theirs').onclick = () => run(openTheirs);
  find('online-mine').onclick = () => {
    const ticked = [...find('online-question').querySelectorAll(':checked')].map(box => box.value);
    run(() => publishSite({ commit: question?.commit ?? '', deleted: ticked }));
  };
};

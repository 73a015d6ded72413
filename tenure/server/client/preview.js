// Updates a previewed page after its sources change, with the protocol of LiveReload, version 7.
// The server puts this file into a function whose argument STYLE is the text of preview.css.
const own = document.currentScript, facts = JSON.parse(own.dataset.preview);
const loaded = new Promise(done => document.readyState === 'loading'
  ? addEventListener('DOMContentLoaded', done, { once: true }) : done());
let { build, file } = facts, served = null, queue = Promise.resolve();

// The messages of the preview are outside the page, with their own style.
const host = document.createElement('tenure-preview'), shade = host.attachShadow({ mode: 'open' });
// A constructed style sheet works under every Content-Security-Policy; a <style> element would need its digest in the policy.
const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLE);
shade.adoptedStyleSheets = [sheet];
const element = (name, properties, ...children) => {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children.filter(child => child));
  return node;
};
const draft = element('section', { className: 'draft', hidden: true, role: 'note' });
const problems = element('section', { className: 'problems', hidden: true, ariaLabel: 'Problems' });
const steps = element('section', { className: 'steps', hidden: true, ariaLabel: 'First steps' });
const settings = element('section', { className: 'settings', hidden: true, ariaLabel: 'Theme and options' });
shade.append(settings, steps, problems, draft);
document.documentElement.append(host);

// A closed panel stays closed in this tab until its content changes.
const storage = {
  get: name => { try { return sessionStorage.getItem(name); } catch { return null; } },
  set: (name, value) => { try { sessionStorage.setItem(name, value); } catch { /* storage is switched off in this browser */ } },
};
const fill = (panel, value, ...children) => {
  const name = `tenure-preview ${panel.className}`, content = JSON.stringify(value);
  if (panel.dataset.content === content) return;
  panel.dataset.content = content;
  const close = () => { panel.hidden = true; storage.set(name, content); };
  panel.replaceChildren(...children, element('button', { type: 'button', className: 'close', onclick: close }, 'Close'));
  panel.onkeydown = event => { if (event.key === 'Escape') close(); };
  panel.hidden = !children.length || storage.get(name) === content;
};
const opener = (link, ...children) => link
  ? element('a', { href: link, title: 'Open in the editor' }, ...children) : element('span', {}, ...children);
const list = items => element('ul', {}, ...items.map(item => element('li', {},
  opener(item.link, element('span', { className: 'place' }, item.place), ' ', item.message),
  item.excerpt && element('pre', { tabIndex: 0 }, item.excerpt), item.hint && element('p', { className: 'hint' }, item.hint))));
const tellProblems = ({ errors, warnings }) => fill(problems, [errors, warnings],
  ...errors ? [element('div', { className: 'errors' }, element('h1', { role: 'alert' }, errors.heading), list(errors.items))] : [],
  ...warnings ? [element('details', { className: 'warnings' },
    element('summary', {}, element('span', { role: 'status' }, warnings.heading)), list(warnings.items))] : []);
const copy = text => {
  const button = element('button', { type: 'button' }, 'Copy');
  button.onclick = () => navigator.clipboard.writeText(text).then(() => { button.textContent = 'Copied'; });
  return navigator.clipboard && button;
};
const tellSteps = items => fill(steps, items, ...items.length ? [
  element('h1', {}, 'This site is still empty. You could write next:'),
  element('ol', {}, ...items.map(item => element('li', {},
    element('h2', {}, item.title), opener(item.link, element('code', {}, item.file)),
    element('pre', { tabIndex: 0 }, item.lines), item.note && element('p', {}, item.note), copy(item.lines)))),
  element('p', {}, 'Only the preview shows this.')] : []);
const announce = drafts => {
  draft.hidden = !drafts.length;
  draft.textContent = drafts.length ? `Draft, shown only in the preview: ${drafts.join('; ')}` : '';
};
announce(facts.drafts);

// The panel tries themes and options; only "Save" changes site.yaml. The server offers it to browsers on its own machine.
const ask = async body => {
  const init = body && { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(facts.panel, init), data = await answer.json();
  if (!answer.ok) throw new Error(data.error);
  return data;
};
const labelled = (text, control) => {
  control.id = `option ${text}`;
  return element('div', {}, element('label', { htmlFor: control.id }, text), control);
};
const choose = (names, value) => {
  const select = element('select', {}, ...names.map(([name, text]) => element('option', { value: name }, text)));
  select.value = value;
  return select;
};
const hex = value => /^#[0-9a-f]{6}$/i.test(value) ? value : '#7a2d2d';
const opened = element('button', { type: 'button', className: 'open', hidden: !facts.panel, ariaExpanded: 'false' }, 'Theme and options');
shade.append(opened);
const tellSettings = state => {
  const status = element('p', { role: 'status' }), choice = { name: state.name, options: { ...state.options } };
  const say = text => { status.textContent = text; };
  const send = async (body, text) => {
    try {
      const next = await ask(body);
      // If only values change, the controls are not replaced, so that the focus stays.
      if (next.name === state.name && body.choice && !body.save) {
        state = next;
        say(text(next));
      } else {
        const panel = tellSettings(next);
        panel.say(text(next));
        panel.themes.focus();
      }
    } catch (error) { say(error.message); }
  };
  const show = () => send({ choice }, next => next.is_saved ? 'This is what site.yaml says.' : 'Shown here, not saved.');
  const set = (name, value) => { choice.options = { ...choice.options, [name]: value }; show(); };
  const themes = choose(Object.keys(state.themes).map(name => [name, name]), state.name);
  themes.onchange = () => {
    const known = new Set(state.themes[themes.value].options.map(option => option.name));
    choice.name = themes.value;
    choice.options = Object.fromEntries(Object.entries(choice.options).filter(([name]) => known.has(name)));
    show();
  };
  const controls = (state.themes[state.name]?.options ?? []).flatMap(option => {
    const value = choice.options[option.name] ?? option.default, name = option.name;
    const change = event => set(name, event.target.value);
    if (option.type === 'text') return [labelled(name, element('input', { value, title: option.help, onchange: change }))];
    const names = option.values.map(one => [one, one]);
    if (!option.default) names.unshift(['', 'that of the theme']);
    if (!names.some(([one]) => one === value)) names.push([value, value]);
    const select = Object.assign(choose(names, value), { title: option.help, onchange: change });
    const picker = option.type === 'colour' && element('input', { type: 'color', value: hex(value) });
    if (picker) picker.onchange = () => {
      if (![...select.options].some(one => one.value === picker.value)) select.append(element('option', { value: picker.value }, picker.value));
      select.value = picker.value;
      set(name, picker.value);
    };
    return [labelled(name, select), ...picker ? [labelled(`${name}, your own`, picker)] : []];
  });
  const action = (text, run) => element('button', { type: 'button', onclick: run }, text);
  const close = () => {
    settings.hidden = true;
    opened.hidden = false;
    opened.ariaExpanded = 'false';
    opened.focus();
  };
  settings.onkeydown = event => { if (event.key === 'Escape') close(); };
  settings.replaceChildren(element('h1', {}, 'Theme and options'),
    element('form', { onsubmit: event => event.preventDefault() }, labelled('theme', themes), ...controls),
    element('div', { className: 'actions' },
      action('Save in site.yaml', () => send({ choice, save: true, digest: state.digest },
        next => next.written ? `Written to site.yaml: ${next.written}` : 'site.yaml says this already.')),
      action('Back to site.yaml', () => send({ choice: null }, () => 'This is what site.yaml says.')), status),
    Object.assign(action('Close', close), { className: 'close' }));
  return { say, themes };
};
opened.onclick = async () => {
  try {
    const panel = tellSettings(await ask());
    settings.hidden = false;
    opened.hidden = true;
    panel.themes.focus();
  } catch { location.reload(); }
};

// A page from the server, and the data that came with it.
const fetched = async () => {
  const answer = await fetch(location.href, { cache: 'no-store' });
  if (answer.redirected) location.assign(answer.url);
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const script = page.querySelector('script[data-preview]');
  script?.remove();
  return [page, script && JSON.parse(script.dataset.preview)];
};
// The page before its own scripts changed it; a comparison with it leaves the changes of scripts and readers alone.
const remember = () => fetched().then(([page, now]) => { if (now?.build === build) served ??= page; }, () => {});
loaded.then(() => (window.requestIdleCallback ?? setTimeout)(remember));

const isProgram = node => node.nodeName === 'SCRIPT' && /^$|javascript|module/.test(node.type);
const isSheet = node => node.nodeName === 'LINK' && node.relList.contains('stylesheet');
const replaceSheet = (live, href) => {
  const next = live.cloneNode();
  next.setAttribute('href', href);
  next.onload = next.onerror = () => live.remove();
  live.after(next);
};

// Content that no script of a theme has a use for: it can be replaced.
const isPlain = node => !node.querySelector('[id], script, iframe, object, video, audio, form, input, button, select, textarea, details, dialog, pre, .scroll, .formula, math[display=block]');

// Collects changes of texts, attributes and plain content; false if anything else has changed.
const plan = (live, old, next, changes) => {
  if (live.nodeType !== next.nodeType || old.nodeName !== next.nodeName || live.nodeName !== next.nodeName) return false;
  if (next.nodeType !== 1) return changes.push(() => { live.data = next.data; });
  if (isProgram(next) || /^(IFRAME|OBJECT|VIDEO|AUDIO)$/.test(next.nodeName)) return false;
  for (const name of new Set([...old.getAttributeNames(), ...next.getAttributeNames()])) {
    const value = next.getAttribute(name);
    if (old.getAttribute(name) === value) continue;
    changes.push(isSheet(next) && name === 'href' ? () => replaceSheet(live, value)
      : () => value === null ? live.removeAttribute(name) : live.setAttribute(name, value));
  }
  const [a, b, c] = [live, old, next].map(node => [...node.childNodes].filter(child => child !== own && child !== host));
  // Where scripts have added nodes, the node of a changed one is the only one that is still as it was served.
  const find = i => {
    if (a.length === b.length) return a[i];
    const same = a.filter(node => node.isEqualNode(b[i]));
    return same.length === 1 ? same[0] : null;
  };
  if (b.length !== c.length) {
    return live.isEqualNode(old) && isPlain(old) && isPlain(next) && changes.push(() =>
      live.replaceChildren(...[...next.childNodes].map(child => document.importNode(child, true))));
  }
  return c.every((child, i) => {
    if (b[i].isEqualNode(child)) return true;
    const node = find(i);
    return node && plan(node, b[i], child, changes);
  });
};

// What a reader has opened, filled in, scrolled and focused on the page.
const key = (node, i) => node.id || `${node.nodeName} ${node.name ?? ''} ${node.querySelector?.('summary')?.textContent ?? ''} ${i}`;
const state = () => {
  const of = (query, take) => new Map([...document.querySelectorAll(query)].map((node, i) => [key(node, i), take(node)]));
  const active = document.activeElement, x = scrollX, y = scrollY;
  const open = of('details', node => node.open);
  const filled = of('input, textarea, select', node => [node.value, node.checked]);
  const scrolled = of('pre, .scroll', node => [node.scrollLeft, node.scrollTop]);
  const focus = active && active !== document.body ? key(/** @type {any} */ (active), [...document.querySelectorAll(active.nodeName)].indexOf(/** @type {any} */ (active))) : null;
  const name = active?.nodeName;
  return () => {
    const each = (query, values, give) => document.querySelectorAll(query).forEach((node, i) => {
      const value = values.get(key(node, i));
      if (value !== undefined) give(node, value);
    });
    each('details', open, (node, value) => { node.open = value; });
    each('input, textarea, select', filled, (node, [value, checked]) => {
      if (node.type !== 'file') node.value = value;
      if ('checked' in node) node.checked = checked;
    });
    each('pre, .scroll', scrolled, (node, [left, top]) => node.scrollTo(left, top));
    if (focus) [...document.querySelectorAll(name)].find((node, i) => key(node, i) === focus)?.focus({ preventScroll: true });
    scrollTo({ left: x, top: y, behavior: 'instant' });
  };
};

// Replaces the whole page: first the style sheets, so that all content has a style, then the scripts, as on a first visit.
const replace = async next => {
  const restore = state(), { head } = document;
  const old = [...head.childNodes].filter(node => node !== own);
  const made = [...next.head.childNodes].map(node => old.find(one => one.isEqualNode(node)) ?? document.importNode(node, true));
  const sheets = made.filter(node => isSheet(node) && !head.contains(node));
  const ready = sheets.map(node => new Promise(done => { node.onload = node.onerror = done; }));
  head.append(...sheets);
  await Promise.race([Promise.all(ready), new Promise(done => setTimeout(done, 1000))]);
  old.filter(node => !made.includes(node)).forEach(node => node.remove());
  head.append(...made.filter(node => !head.contains(node)));
  for (const name of served?.documentElement.getAttributeNames() ?? []) document.documentElement.removeAttribute(name);
  for (const { name, value } of next.documentElement.attributes) document.documentElement.setAttribute(name, value);
  const body = document.importNode(next.body, true);
  for (const image of body.querySelectorAll('img')) {
    const same = [...document.images].find(one => one.isEqualNode(image));
    if (same) image.replaceWith(same);
  }
  document.body.replaceWith(body);
  const stop = new AbortController();
  addEventListener('error', () => location.reload(), stop);  // a script that cannot run twice
  setTimeout(() => stop.abort(), 1000);
  restore();
  const programs = [...document.querySelectorAll('script')].filter(node => node !== own && isProgram(node));
  await Promise.all(programs.map(script => {
    const again = document.createElement('script');
    for (const { name, value } of script.attributes) again.setAttribute(name, value);
    again.text = script.text;
    const run = again.src && new Promise(done => { again.onload = again.onerror = done; });
    script.replaceWith(again);
    return run;
  }));
  restore();
};

// A browser applies a policy only while it loads a page.
const policy = page => page.querySelector('meta[http-equiv="Content-Security-Policy" i]')?.content;

const swap = async () => {
  const [next, now] = await fetched();
  if (!now || policy(next) !== policy(document)) return location.reload();
  await loaded;
  const changes = [];
  const small = served && plan(document.documentElement, served.documentElement, next.documentElement, changes);
  if (small) changes.forEach(change => change());
  else await replace(next);
  ({ build, file } = now);
  served = next;
  announce(now.drafts);
  document.dispatchEvent(new CustomEvent('tenure:shown', { detail: build }));
};

// Changes the only element that differs from the served page; false if the whole page must be loaded.
const swapElement = ({ before, after }) => {
  const [old, next] = [before, after].map(text => Object.assign(document.createElement('template'), { innerHTML: text }).content.firstElementChild);
  const known = served?.getElementById(old?.id), live = document.getElementById(old?.id), changes = [];
  if (!known?.isEqualNode(old) || !live || old.id !== next?.id || !plan(live, known, next, changes)) return false;
  changes.forEach(change => change());
  known.replaceWith(served.importNode(next, true));
  return true;
};

// Images keep their URLs when their bytes change.
const refresh = files => {
  for (const node of document.querySelectorAll('[src]')) {
    const address = new URL(node.src, location.href), name = decodeURI(address.pathname);
    if (address.origin !== location.origin || isProgram(node) || !files.some(one => name.endsWith(`/${one}`))) continue;
    address.searchParams.set('preview', build);
    node.src = address.href;
  }
};

const heard = async ({ build: latest, files, page, changed, report, element: one }) => {
  tellProblems(report);
  tellSteps(report.steps);
  if (latest === build) return;
  if (one?.file === file && one.build === build && swapElement(one)) document.dispatchEvent(new CustomEvent('tenure:shown', { detail: latest }));
  else if (!files || files.includes(file)) await swap();
  else if (page && !changed.includes(file)) return location.assign(page);
  build = latest;
  refresh(files ?? []);
};

let wait = 200;
const connect = () => {
  const socket = new WebSocket(`ws://${location.host}/livereload`);
  const say = message => socket.send(JSON.stringify(message));
  socket.onopen = () => {
    wait = 200;
    say({ command: 'hello', protocols: ['http://livereload.com/protocols/official-7'] });
    say({ command: 'info', url: location.href, build, file });
  };
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.command === 'reload') queue = queue.then(() => heard(message)).catch(() => location.reload());
  };
  // The page reconnects to a server that was restarted.
  socket.onclose = () => setTimeout(connect, wait = Math.min(wait * 1.5, 2000));
};
connect();

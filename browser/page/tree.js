// The files of the site as a tree, with the keys of the pattern “tree view” (ARIA Authoring Practices Guide).

/**
 * Show the files; a folder is opened and closed by a click.
 * @param {HTMLElement} tree
 * @param {string[]} paths
 * @param {string} current
 * @param {Record<string, string>} levels the level of the worst problem of each file
 * @param {(path: string) => void} onOpen
 */
export const showTree = (tree, paths, current, levels, onOpen) => {
  const closed = new Set([...tree.querySelectorAll('[aria-expanded=false]')].map(item => item.getAttribute('data-path')));
  const isFirst = !tree.childElementCount, focused = tree.querySelector(':focus')?.getAttribute('data-path');
  const addItem = (path, name, depth, isFolder) => {
    const item = document.createElement('button'), isClosed = isFolder && (closed.has(path) || (isFirst && /^(\.|schema|vendor|themes)/.test(path)));
    item.type = 'button';
    item.setAttribute('role', 'treeitem');
    item.setAttribute('aria-level', String(depth + 1));
    item.setAttribute('data-path', path);
    item.style.setProperty('--depth', String(depth));
    item.tabIndex = path === current ? 0 : -1;
    item.append(Object.assign(document.createElement('span'), { textContent: name }));
    if (isFolder) item.setAttribute('aria-expanded', String(!isClosed));
    else item.setAttribute('aria-selected', String(path === current));
    if (levels[path]) item.append(Object.assign(document.createElement('span'), { className: `mark ${levels[path]}`, textContent: levels[path] === 'error' ? '● ' : '○ ', title: `has an ${levels[path]}` }));
    item.onclick = () => {
      if (!isFolder) return onOpen(path);
      item.setAttribute('aria-expanded', String(item.getAttribute('aria-expanded') === 'false'));
      showTree(tree, paths, current, levels, onOpen);
    };
    tree.append(item);
    return isClosed;
  };
  tree.replaceChildren();
  const addLevel = (prefix, depth) => {
    const inside = paths.filter(path => path.startsWith(prefix)).map(path => path.slice(prefix.length));
    const folders = [...new Set(inside.filter(rest => rest.includes('/')).map(rest => rest.split('/')[0]))].sort();
    for (const name of folders) if (!addItem(`${prefix}${name}/`, name, depth, true)) addLevel(`${prefix}${name}/`, depth + 1);
    for (const name of inside.filter(rest => !rest.includes('/')).sort()) addItem(prefix + name, name, depth, false);
  };
  addLevel('', 0);
  const items = /** @type {HTMLElement[]} */ ([...tree.children]);
  if (!items.some(item => item.tabIndex === 0) && items[0]) items[0].tabIndex = 0;
  if (focused) items.find(item => item.dataset.path === focused)?.focus();
  tree.onkeydown = event => {
    const at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement)), item = items[at];
    if (!item) return;
    const isOpen = item.getAttribute('aria-expanded') === 'true';
    const move = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (move !== undefined) items[Math.max(0, Math.min(move, items.length - 1))].focus();
    else if ((event.key === 'ArrowRight' && item.getAttribute('aria-expanded') === 'false') || (event.key === 'ArrowLeft' && isOpen)) item.click();
    else return;
    event.preventDefault();
  };
};

"""What a page carries while it is previewed: a script that keeps it as its sources are."""

import html
import json
import re
from collections.abc import Mapping

SCRIPT = "/livereload.js"
SOCKET = "/livereload"
"""Where the script and its socket are on the preview's server, whatever the address of the site."""

_HEAD = re.compile(rb"<head\b[^>]*>", re.IGNORECASE)
_DOCTYPE = re.compile(rb"\s*<!doctype[^>]*>", re.IGNORECASE)
_POLICY = re.compile(rb"<meta\s[^>]*http-equiv=[\"']?content-security-policy[^>]*>", re.IGNORECASE)


def alive(page: bytes, told: Mapping[str, object]) -> bytes:
    """
    A page with the script, which is told these facts: the number of the build, the page's file, drafts on the page.

    The script stands first in the head, so that it runs however broken the rest is; a policy that would forbid it is
    left out.
    """
    facts = html.escape(json.dumps(told, ensure_ascii=False))
    tag = f'<script src="{SCRIPT}" data-preview="{facts}" async></script>'.encode()
    page = _POLICY.sub(b"", page)
    found = _HEAD.search(page) or _DOCTYPE.match(page)
    place = found.end() if found else 0
    return page[:place] + tag + page[place:]


WAITING = b"<!doctype html>\n<html lang=en><head><title>Preview</title></head><body></body></html>\n"
"""The page that stands for all while the site has never been built."""

CLIENT = r"""
// Keeps a previewed page as its sources are; it speaks the protocol of LiveReload, version 7.
(() => {
  const own = document.currentScript, facts = JSON.parse(own.dataset.preview);
  const loaded = new Promise(done => document.readyState === 'loading'
    ? addEventListener('DOMContentLoaded', done, { once: true }) : done());
  let { build, file } = facts, served = null, queue = Promise.resolve();

  // What the preview says stands outside the page, with a style of its own.
  const host = document.createElement('tenure-preview'), shade = host.attachShadow({ mode: 'open' });
  shade.innerHTML = `<style>
    :host { all: initial; position: fixed; inset: auto 0 0 0; z-index: 2147483647; color-scheme: light dark }
    section { font: 15px/1.5 system-ui, sans-serif; color: CanvasText; background: Canvas; padding: .75rem 1rem;
      border-block-start: 4px solid #c22; box-shadow: 0 0 24px #0006; max-block-size: 80vh; overflow: auto }
    section.draft { border-color: #c80; padding-block: .4rem }
    [hidden] { display: none }
    h1 { font: inherit; font-weight: 700; margin: 0 }
    pre { font: 13px/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; margin: .5rem 0 0 }
  </style><section class="draft" role="note" hidden></section>
  <section class="problems" role="alert" hidden><h1></h1><pre tabindex="0"></pre></section>`;
  const [draft, problems] = shade.querySelectorAll('section');
  document.documentElement.append(host);
  const tell = words => {
    problems.hidden = !words;
    problems.firstChild.textContent = words ? 'These mistakes keep the site from being built.' : '';
    problems.lastChild.textContent = words;
  };
  const announce = drafts => {
    draft.hidden = !drafts.length;
    draft.textContent = drafts.length ? `Draft, shown in the preview alone: ${drafts.join('; ')}` : '';
  };
  announce(facts.drafts);

  // A page as the server gives it, and the facts that came with it.
  const fetched = async () => {
    const answer = await fetch(location.href, { cache: 'no-store' });
    if (answer.redirected) location.assign(answer.url);
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const script = page.querySelector('script[data-preview]');
    script?.remove();
    return [page, script && JSON.parse(script.dataset.preview)];
  };
  // What the page was before its own scripts changed it: with it, they and what a reader opened are left alone.
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

  // Changes of text and attributes, where all else is as it was; false where it is not.
  const plan = (live, old, next, steps) => {
    if (old.isEqualNode(next)) return true;
    if (live.nodeType !== next.nodeType || old.nodeName !== next.nodeName || live.nodeName !== next.nodeName) return false;
    if (next.nodeType !== 1) return steps.push(() => { live.data = next.data; });
    if (isProgram(next) || /^(IFRAME|OBJECT|VIDEO|AUDIO)$/.test(next.nodeName)) return false;
    for (const name of new Set([...old.getAttributeNames(), ...next.getAttributeNames()])) {
      const value = next.getAttribute(name);
      if (old.getAttribute(name) === value) continue;
      steps.push(isSheet(next) && name === 'href' ? () => replaceSheet(live, value)
        : () => value === null ? live.removeAttribute(name) : live.setAttribute(name, value));
    }
    const [a, b, c] = [live, old, next].map(node => [...node.childNodes].filter(child => child !== own && child !== host));
    return a.length === c.length && b.length === c.length && c.every((child, i) => plan(a[i], b[i], child, steps));
  };

  // What a reader has done with the page: opened, filled in, scrolled, focused.
  const key = (node, i) => node.id || `${node.nodeName} ${node.name ?? ''} ${node.querySelector?.('summary')?.textContent ?? ''} ${i}`;
  const state = () => {
    const of = (query, take) => new Map([...document.querySelectorAll(query)].map((node, i) => [key(node, i), take(node)]));
    const active = document.activeElement, x = scrollX, y = scrollY;
    const open = of('details', node => node.open);
    const filled = of('input, textarea, select', node => [node.value, node.checked]);
    const scrolled = of('pre, .scroll', node => [node.scrollLeft, node.scrollTop]);
    const focus = active && active !== document.body ? key(active, [...document.querySelectorAll(active.nodeName)].indexOf(active)) : null;
    const name = active?.nodeName;
    return () => {
      const each = (query, kept, give) => document.querySelectorAll(query).forEach((node, i) => {
        const value = kept.get(key(node, i));
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

  // The whole page anew: style sheets first, so that nothing stands without style; then its scripts, as on a first visit.
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

  const swap = async () => {
    const [next, now] = await fetched();
    if (!now) return location.reload();
    await loaded;
    const steps = [];
    const small = served && plan(document.documentElement, served.documentElement, next.documentElement, steps);
    if (small) steps.forEach(step => step());
    else await replace(next);
    ({ build, file } = now);
    served = next;
    announce(now.drafts);
    document.dispatchEvent(new CustomEvent('tenure:shown', { detail: build }));
  };

  // Pictures keep their addresses when their bytes change.
  const refresh = files => {
    for (const node of document.querySelectorAll('[src]')) {
      const address = new URL(node.src, location), name = decodeURI(address.pathname);
      if (address.origin !== location.origin || isProgram(node) || !files.some(one => name.endsWith(`/${one}`))) continue;
      address.searchParams.set('preview', build);
      node.src = address;
    }
  };

  const heard = async ({ build: latest, files, page, changed, told }) => {
    tell(told);
    if (latest === build) return;
    if (!files || files.includes(file)) await swap();
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
    // A server that was stopped and started again is found again.
    socket.onclose = () => setTimeout(connect, wait = Math.min(wait * 1.5, 2000));
  };
  connect();
})();
"""
"""The script."""

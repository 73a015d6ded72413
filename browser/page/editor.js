// The editor: CodeMirror 6 with the languages of the sources, and problems underlined at their place.
import {
  EditorState, EditorView, GFM, HighlightStyle, Language, StreamLanguage, autocompletion, bracketMatching, closeBrackets, closeBracketsKeymap, completionKeymap,
  defaultKeymap, defineLanguageFacet, drawSelection, highlightActiveLine, highlightSelectionMatches, history, historyKeymap, indentUnit, keymap, lineNumbers, lintGutter,
  lintKeymap, markdownParser, search, searchKeymap, setDiagnostics, syntaxHighlighting, tags, yaml,
} from './codemirror.js';
import { completeYaml } from './completion.js';

/** @typedef {{file: string, line: number, column: number, length: number, level: string, message: string, hint: string, edits: any[]}} Problem */

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName), tags.keyword], class: 'tok-key' },
  { tag: [tags.string, tags.content], class: 'tok-text' },
  { tag: [tags.comment, tags.lineComment], class: 'tok-comment' },
  { tag: [tags.heading, tags.strong], class: 'tok-strong' },
  { tag: tags.emphasis, class: 'tok-emphasis' },
  { tag: [tags.link, tags.url], class: 'tok-link' },
  { tag: [tags.punctuation, tags.separator, tags.bracket, tags.meta], class: 'tok-sign' },
]);

// BibTeX: entries, keys, names of fields.
const bibtex = StreamLanguage.define({
  name: 'bibtex',
  token: stream => {
    if (stream.match(/^%.*/)) return 'comment';
    if (stream.match(/^@\w+/)) return 'keyword';
    if (stream.match(/^[\w-]+(?=\s*=)/)) return 'propertyName';
    if (stream.match(/^[{}(),=#]/)) return 'punctuation';
    stream.next();
    stream.eatWhile(/[^{}(),=#@%\n\s]/);
    return null;
  },
  languageData: { commentTokens: { line: '%' } },
});

const markdown = new Language(defineLanguageFacet({ commentTokens: { block: { open: '<!--', close: '-->' } } }), markdownParser.configure(GFM), [], 'markdown');

const findLanguage = path => {
  if (/\.ya?ml$/.test(path)) return yaml();
  if (/\.(md|markdown)$/.test(path)) return markdown;
  return path.endsWith('.bib') ? bibtex : [];
};

/**
 * Make the editor in an element.
 * @param {HTMLElement} parent
 * @param {(text: string) => void} onChange
 * @param {() => Record<string, any> | null} findSchema the JSON Schema of the open file
 */
export const createEditor = (parent, onChange, findSchema) => {
  const listener = EditorView.updateListener.of(update => {
    if (update.docChanged && !update.transactions.some(transaction => transaction.isUserEvent('load'))) onChange(update.state.doc.toString());
  });
  const createState = (path, text, isEditable = true) => EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(), history(), drawSelection(), indentUnit.of('  '), bracketMatching(), closeBrackets(), highlightActiveLine(), highlightSelectionMatches(),
      search({ top: true }), lintGutter(), syntaxHighlighting(COLOURS), findLanguage(path), EditorView.lineWrapping, EditorState.readOnly.of(!isEditable),
      autocompletion({ icons: false, override: /\.ya?ml$/.test(path) ? [completeYaml(findSchema)] : [] }),
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
      EditorView.contentAttributes.of({ 'aria-label': `Text of ${path}`, spellcheck: String(path.endsWith('.md')) }), listener,
    ],
  });
  const view = new EditorView({ parent, state: createState('', '') });
  return {
    view,
    /** @param {string} path @param {string} text @param {boolean} isEditable */
    open: (path, text, isEditable) => view.setState(createState(path, text, isEditable)),
    /** Replace what differs, and keep the selection. @param {string} text */
    update: text => {
      const { doc } = view.state, old = doc.toString();
      if (old === text) return;
      let start = 0, end = 0;
      while (start < Math.min(old.length, text.length) && old[start] === text[start]) start += 1;
      while (end < Math.min(old.length, text.length) - start && old.at(-1 - end) === text.at(-1 - end)) end += 1;
      view.dispatch({ changes: { from: start, to: old.length - end, insert: text.slice(start, text.length - end) }, userEvent: 'load' });
    },
    /** @param {Problem[]} problems @param {(problem: Problem) => void} repair */
    showProblems: (problems, repair) => {
      const { doc } = view.state;
      view.dispatch(setDiagnostics(view.state, problems.map(problem => {
        const line = doc.line(Math.min(Math.max(problem.line, 1), doc.lines)), from = Math.min(line.from + Math.max(problem.column - 1, 0), line.to);
        return {
          from, to: problem.column ? Math.min(from + Math.max(problem.length, 1), doc.length) : line.to, severity: /** @type {any} */ (problem.level),
          message: problem.hint ? `${problem.message}: ${problem.hint}` : problem.message,
          actions: problem.edits.length ? [{ name: 'Repair', apply: () => repair(problem) }] : [],
        };
      })));
    },
    /** @param {number} line @param {number} column */
    goTo: (line, column) => {
      const { doc } = view.state, place = doc.line(Math.min(Math.max(line, 1), doc.lines)).from + Math.max(column - 1, 0);
      view.dispatch({ selection: { anchor: Math.min(place, doc.length) }, effects: EditorView.scrollIntoView(Math.min(place, doc.length), { y: 'center' }) });
      view.focus();
    },
  };
};

// What the editor needs of CodeMirror 6; pack.mjs bundles it.
export { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
export { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
export { yaml } from '@codemirror/lang-yaml';
export { HighlightStyle, StreamLanguage, bracketMatching, defineLanguageFacet, indentUnit, Language, syntaxHighlighting } from '@codemirror/language';
export { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
export { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
export { EditorState } from '@codemirror/state';
export { tags } from '@lezer/highlight';
export { GFM, parser as markdownParser } from '@lezer/markdown';
export { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';

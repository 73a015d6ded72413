// What the scripts use and the declarations of the DOM in TypeScript do not have.
declare const Idiomorph: any;
declare const MiniSearch: any;
declare const STYLE: string;
declare let tenureSearch: any;
type FoundElement = HTMLElement & { src: string; contentWindow: Window };
interface Window { tenureSearch: any }
interface Navigator { connection?: { saveData: boolean } }
interface ParentNode {
  querySelector(selectors: string): FoundElement | null;
  querySelectorAll(selectors: 'script'): NodeListOf<HTMLScriptElement>;
  querySelectorAll(selectors: string): NodeListOf<FoundElement>;
}
interface Element { blur(): void }
interface Node { data?: string }
interface SVGScriptElement { src: string }
// No form of a page sends a file.
interface FormData {
  get(name: string): string | null;
  getAll(name: string): string[];
  [Symbol.iterator](): FormDataIterator<[string, string]>;
}
// Published libraries beside the page “Try it”.
declare module '*/codemirror.js';
declare module '*/pyodide.mjs';
// What a service worker has.
interface Window { skipWaiting(): Promise<void>; clients: any; registration: ServiceWorkerRegistration }
interface Event { waitUntil(work: Promise<any>): void; respondWith(answer: Promise<Response>): void; request: Request }

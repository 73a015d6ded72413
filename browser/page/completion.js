// Completion of keys and values of YAML from the JSON Schemas of Tenure. The path of a place comes from the indentation of the lines above.

/** @typedef {Record<string, any>} Schema */

/** All forms of a schema: what it refers to, and its alternatives. @param {Schema} schema @param {Schema} root @returns {Schema[]} */
const expand = (schema, root) => {
  if (schema.$ref) return expand(root.definitions[schema.$ref.split('/').pop()], root);
  return [schema, ...(schema.anyOf ?? []).flatMap(one => expand(one, root))];
};

/** The schemas of the value of a key; "" is an item of a list. @param {Schema[]} schemas @param {string} key @param {Schema} root */
const enter = (schemas, key, root) => schemas.flatMap(schema => {
  if (!key) return schema.items ? expand(schema.items, root) : [];
  const below = schema.properties?.[key] ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : null);
  return below ? expand(below, root) : [];
});

/**
 * The keys above a line, outermost first, and whether the line begins an item: `talks:\n  - ti` -> ['talks', ''].
 * @param {string[]} lines the lines up to and with the one that is written
 */
export const findPath = lines => {
  const path = [], last = lines.at(-1) ?? '';
  let indent = last.search(/\S|$/), marks = last.match(/^\s*((?:- +)*)/)?.[1] ?? '';
  for (const _ of marks.matchAll(/-/g)) path.unshift('');
  for (const line of lines.slice(0, -1).toReversed()) {
    const own = line.match(/^(\s*)((?:- +)*)(?:([\w-]+|"[^"]*")\s*:)?/), at = own?.[1].length ?? 0, width = at + (own?.[2].length ?? 0);
    if (!line.trim() || line.trim().startsWith('#') || !own) continue;
    if (own[2] && width === indent && at < indent) {
      path.unshift('');  // a key of the item that this line begins
      indent = at;
      marks = own[2];
    } else if (own[3] && (at < indent || (at === indent && marks && !own[2]))) {
      path.unshift(own[3].replaceAll('"', ''));
      indent = at;
      marks = own[2];
      if (own[2]) path.unshift('');
    }
  }
  return path;
};

/** A source of completions for CodeMirror. @param {() => Schema | null} findSchema the schema of the open file */
export const completeYaml = findSchema => context => {
  const { state, pos } = context, line = state.doc.lineAt(pos), root = findSchema();
  if (!root) return null;
  const before = line.text.slice(0, pos - line.from), lines = state.sliceDoc(0, line.from).split('\n').slice(0, -1);
  const schemas = findPath([...lines, before]).reduce((found, key) => enter(found, key, root), expand(root, root));
  const value = before.match(/^\s*(?:- +)*([\w-]+): *([\w-]*)$/), key = before.match(/^\s*(?:- +)*([\w-]*)$/);
  if (value) {
    const values = enter(schemas, value[1], root).flatMap(schema => schema.enum ?? []);
    return values.length ? { from: pos - value[2].length, options: values.map(label => ({ label: String(label), type: 'enum' })), validFor: /^[\w-]*$/ } : null;
  }
  if (!key || (!key[1] && !context.explicit)) return null;
  const options = schemas.flatMap(schema => [...Object.entries(schema.properties ?? {}), ...(schema.examples ?? []).map(name => [name, {}])])
    .map(([label, { description }]) => ({ label, type: 'property', info: description, apply: `${label}: ` }));
  return options.length ? { from: pos - key[1].length, options, validFor: /^[\w-]*$/ } : null;
};

/**
 * What browsers never do here and the router's code for it, by the file that holds it: pages change by links and searches (GET); what
 * people do goes to the API; nothing is fetched beside a page, prefetched on a link, or measured by the router.
 */
export const LEFT_OUT = {
  'react-router/dist/production/lib/router/router.js': ['handleAction', 'handleFetcherAction', 'handleFetcherLoader'],
  'react-router/dist/production/lib/router/instrumentation.js': [
    'getRouteInstrumentationUpdates',
    'instrumentClientSideRouter',
  ],
  'react-router/dist/production/lib/dom/ssr/components.js': ['PrefetchPageLinks'],
};

/**
 * @typedef {{ type: string; start: number; end: number }} Node
 * @typedef {Node & { id: { name: string } | null; body: Node }} FunctionNode
 */

/** @param {unknown} value @returns {value is Node} */
const isNode = (value) => typeof value === 'object' && value !== null && 'type' in value;

/**
 * @param {unknown} node
 * @param {string} name
 * @returns {FunctionNode | null} the declaration of a function, wherever it is
 */
function declarationOf(node, name) {
  if (Array.isArray(node)) {
    for (const part of node) {
      const found = declarationOf(part, name);
      if (found) return found;
    }
    return null;
  }
  if (!isNode(node)) return null;
  if (node.type === 'FunctionDeclaration') {
    const declared = /** @type {FunctionNode} */ (node);
    if (declared.id?.name === name) return declared;
  }
  for (const part of Object.values(node)) {
    const found = typeof part === 'object' ? declarationOf(part, name) : null;
    if (found) return found;
  }
  return null;
}

/**
 * A module without the bodies of some functions: whoever calls one gets an error.
 *
 * @param {string} code
 * @param {(code: string) => unknown} parse to an ESTree
 * @param {readonly string[]} names
 * @throws when the module has no such function: another release of the library has it elsewhere, or no more.
 */
export function withoutFunctions(code, parse, names) {
  const tree = parse(code);
  const bodies = names.map((name) => {
    const found = declarationOf(tree, name);
    if (!found)
      throw new Error(`The function ${name} does not exist any more: update LEFT_OUT in scripts/lib/router-parts.mjs`);
    return { name, ...found.body };
  });
  let shorter = code;
  for (const { name, start, end } of bodies.toSorted((a, b) => b.start - a.start))
    shorter = `${shorter.slice(0, start)}{ throw new Error('${name} is left out of this build'); }${shorter.slice(end)}`;
  return shorter;
}

/** @param {string} id of a module @returns the names of the functions that browsers do without in it */
export const leftOutOf = (id) => Object.entries(LEFT_OUT).find(([file]) => id.endsWith(file))?.[1];

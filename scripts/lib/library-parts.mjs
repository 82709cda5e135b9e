/**
 * @typedef {object} Parts
 * @property {readonly string[]} [functions] whoever calls one of these gets an error
 * @property {Readonly<Record<string, string>>} [bodies] functions that do less: their new bodies
 * @property {readonly RegExp[]} [assignments] statements that assign to these are removed
 * @property {readonly string[]} [cases] branches of a `switch` on a fiber's tag or an element's type that are never taken
 * @property {readonly string[]} [warnings] functions that only warn developers: statements that call them are removed
 * @property {readonly string[]} [messages] functions that check their first argument: calls have no other, so their errors have no message
 * @property {readonly (readonly [RegExp, string])[]} [edits] text that is replaced everywhere; each must occur
 */

/** React's tags of fibers for <SuspenseList>, <ViewTransition> and <Activity>. */
const UNUSED_TAGS = '(?:19|30|31)';

/**
 * What browsers never do here and the libraries' code for it, by the file that holds it. Router: pages change by links and searches
 * (GET); what people do goes to the API; nothing is fetched beside a page, prefetched on a link, or measured by the router; routes have
 * no `meta`; warnings are for development. React: no view transitions, activities, lists of suspended parts, references
 * to fragments, actions of forms, custom elements, events of compositions, or styles and scripts that components load.
 *
 * @type {Readonly<Record<string, Parts>>}
 */
export const LEFT_OUT = {
  'react-router/dist/production/lib/router/router.js': {
    edits: [
      // View transitions.
      [/pendingAction === "POP" && !isUninterruptedRevalidation && location !== state\.location/g, 'false'],
      [/else if \(pendingViewTransitionEnabled\)/g, 'else if (false)'],
    ],
    functions: [
      'handleAction',
      'handleFetcherAction',
      'handleFetcherLoader',
      'fetch',
      'setFetcherError',
      'getUpdatedRevalidatingFetchers',
      'getDoneFetcher',
      'getLoadingFetcher',
      'getSubmittingFetcher',
      'getSubmittingNavigation',
      'getInstrumentationNavigateMeta',
      'resetFetcher',
      'deleteFetcher',
    ],
    bodies: {
      // Nothing is ever fetched beside a page.
      abortStaleFetchLoads: '{ return false; }',
      markFetchRedirectsDone: '{ return false; }',
      restoreAppliedTransitions: '{}',
      persistAppliedTransitions: '{}',
      getInternalRouterError: '{ return new ErrorResponseImpl(status || 500, "", new Error(message || type), true); }',
    },
    warnings: ['warning'],
    messages: ['invariant'],
  },
  'react-router/dist/production/lib/router/utils.js': { warnings: ['warning'], messages: ['invariant'] },
  'react-router/dist/production/lib/router/history.js': { warnings: ['warning'], messages: ['invariant'] },
  'react-router/dist/production/lib/hooks.js': {
    // Server components.
    edits: [[/if \(this\.context && typeof error === "object"/g, 'if (false && typeof error === "object"']],
    functions: ['RSCErrorHandler'],
    warnings: ['warning', 'warningOnce'],
    messages: ['invariant'],
  },
  'react-router/dist/production/lib/dom/lib.js': { warnings: ['warning'], messages: ['invariant'] },
  'react-router/dist/production/lib/router/instrumentation.js': {
    functions: ['getRouteInstrumentationUpdates', 'instrumentClientSideRouter'],
    bodies: { consumeInstrumentationClientResultMetaReceiver: '{}' },
  },
  'react-router/dist/production/lib/components.js': {
    edits: [
      // View transitions.
      [/!viewTransitionOpts \|\| !isViewTransitionAvailable/g, 'true'],
      [/if \(renderDfd && pendingState/g, 'if (false'],
      [/if \(!vtContext\.isTransitioning && interruption\)/g, 'if (false)'],
      [/if \(vtContext\.isTransitioning && !vtContext\.flushSync\)/g, 'if (false)'],
    ],
    warnings: ['warning', 'warnOnce'],
    messages: ['invariant'],
  },
  'react-router/dist/production/lib/dom/ssr/routes.js': {
    functions: ['createClientRoutesWithHMRRevalidationOptOut', 'noActionDefinedError', 'wrapShouldRevalidateForHdr'],
    messages: ['invariant'],
  },
  'react-router/dist/production/lib/dom/ssr/components.js': {
    functions: ['PrefetchPageLinks'],
    messages: ['invariant'],
  },
  'react-router/dist/production/lib/dom/ssr/errorBoundaries.js': {
    bodies: {
      BoundaryShell: '{ return children; }',
      // Outside of the root's own error boundary.
      RemixRootDefaultErrorBoundary:
        '{ console.error(error); return React$1.createElement("html", null, React$1.createElement("body", null, String(error))); }',
    },
  },
  'react-router/dist/production/lib/dom/ssr/single-fetch.js': {
    functions: ['singleFetchActionStrategy', 'nonSsrStrategy', 'singleFetchLoaderFetcherStrategy', 'StreamTransfer'],
    messages: ['invariant'],
  },
  'react/cjs/react.production.js': {
    assignments: [
      /^exports\.(Activity|Profiler|ViewTransition|__COMPILER_RUNTIME|addTransitionType|cache|cacheSignal|useActionState)$/,
    ],
  },
  'react-dom/cjs/react-dom.production.js': {
    assignments: [
      /^exports\.(browser|preconnect|prefetchDNS|preinit|preinitModule|preload|preloadModule|requestFormReset|useFormState|useFormStatus)$/,
    ],
  },
  'react-dom/cjs/react-dom-client.production.js': {
    edits: [
      // The updates that may have view transitions.
      [/\((\w+) & 335544064\) === \1(?!\w)/g, '!1'],
      [new RegExp(`\\b${UNUSED_TAGS} === (?:\\w+\\.)*tag\\b`, 'g'), '!1'],
      [/(?<=pendingEffectsStatus = 1;\s*)shouldStartViewTransition(?=\s*\?)/g, '!1'],
      // Events of compositions.
      [/\beventType &&\s*\(useFallbackCompositionData/g, '!1 && (useFallbackCompositionData'],
    ],
    cases: ['19', '30', '31', 'REACT_ACTIVITY_TYPE', 'REACT_SUSPENSE_LIST_TYPE', 'REACT_VIEW_TRANSITION_TYPE'],
    assignments: [
      /^FragmentInstance\.prototype\.\w+$/,
      /^ViewTransitionPseudoElement\.prototype\.\w+$/,
      /^exports\.createRoot$/,
      /^ReactDOMSharedInternals\.findDOMNode$/,
      /^ReactDOMHydrationRoot\.prototype\.unstable_scheduleHydration$/,
    ],
    functions: [
      // View transitions.
      'applyViewTransitionToHostInstancesRecursive',
      'commitAfterMutationEffectsOnFiber',
      'commitAppearingPairViewTransitions',
      'commitDeletedPairViewTransitions',
      'commitEnterViewTransitions',
      'commitExitViewTransitions',
      'commitNestedViewTransitions',
      'createViewTransitionInstance',
      'flushAfterMutationEffects',
      'measureNestedViewTransitions',
      'measureViewTransitionHostInstancesRecursive',
      'restoreEnterOrExitViewTransitions',
      'restoreNestedViewTransitions',
      'restorePairedViewTransitions',
      'restoreViewTransitionOnHostInstances',
      'scheduleViewTransitionEvent',
      'startViewTransition',
      'trackEnterViewTransitions',
      // Fragments with a reference.
      'FragmentInstance',
      'ViewTransitionPseudoElement',
      'commitNewChildToFragmentInstance',
      'deleteChildFromFragmentInstance',
      'traverseVisibleInstancesAndTextInstances',
      // Lists of suspended parts, and activities.
      'updateActivityComponent',
      'updateSuspenseListComponent',
      // Styles and scripts that components load.
      'acquireResource',
      'estimateBandwidth',
      'insertStylesheetIntoRoot',
      'insertSuspendedStylesheets',
      'preconnectAs',
      'preinitModuleScript',
      'preinitScript',
      'preinitStyle',
      'preload',
      'preloadModule',
      'preloadResourceAndSuspendIfNeeded',
      'suspendInstance',
      'suspendResource',
      // Actions of forms.
      'mountActionState',
      'rerenderActionState',
      'updateActionState',
      'setPropOnCustomElement',
      'useMemoCache',
    ],
    bodies: {
      // Nothing that is loaded delays a commit.
      accumulateSuspenseyCommitOnFiber: '{}',
      waitForCommitToBeReady: '{ return null; }',
      // Compositions before they are entered.
      getFallbackBeforeInputChars: '{ return null; }',
      getNativeBeforeInputChars: '{ return null; }',
      // The browser's sign of loading.
      defaultOnDefaultTransitionIndicator: '{}',
      attemptExplicitHydrationTarget: '{}',
      commitFragmentInstanceDeletionEffects: '{}',
      commitFragmentInstanceInsertionEffects: '{}',
      commitNewChildToFragmentInstances: '{}',
      isFragmentInstanceParent: '{ return !1; }',
      // Submitting to a function.
      extractEvents$1: '{}',
      // Only links, titles and meta elements are moved to the head.
      getResource:
        "{ if (type === 'style' || type === 'script' || pendingProps.precedence) throw new Error('resources are left out of this build'); return null; }",
      getStackByFiberInDevAndProd: "{ return ''; }",
      isCustomElement: "{ return tagName.indexOf('-') >= 0; }",
      preloadInstanceAndSuspendIfNeeded: '{ workInProgress.flags &= -16777217; }',
    },
  },
};

/**
 * @typedef {{ type: string; start: number; end: number; [key: string]: unknown }} Node
 * @typedef {{ start: number; end: number; text: string }} Edit
 */

/** @param {unknown} value @returns {value is Node} */
const isNode = (value) => typeof value === 'object' && value !== null && 'type' in value;

/**
 * Visits all nodes, parents first.
 *
 * @param {unknown} node
 * @param {(node: Node) => void} visit
 */
function walk(node, visit) {
  if (Array.isArray(node)) {
    for (const part of node) walk(part, visit);
    return;
  }
  if (!isNode(node)) return;
  visit(node);
  for (const part of Object.values(node)) if (typeof part === 'object') walk(part, visit);
}

/** @param {Node | undefined} last of a branch @returns {boolean} whether the next branch begins here */
const ends = (last) => last !== undefined && /^(Break|Return|Throw|Continue)Statement$/.test(last.type);

/**
 * The branches of a `switch` that are never taken, without what they do; variables that they declare stay.
 *
 * @param {Node} statement
 * @param {(node: Node) => string} textOf
 * @param {readonly string[]} never
 * @returns {Edit[]}
 */
function unusedCases(statement, textOf, never) {
  const on = textOf(/** @type {Node} */ (statement['discriminant']));
  const branches = /** @type {(Node & { test: Node | null; consequent: Node[] })[]} */ (statement['cases']);
  return branches.flatMap(({ test, consequent }, index) => {
    if (!test || !never.includes(textOf(test))) return [];
    if (/^\d/.test(textOf(test)) ? !/(^|\.)tag$/.test(on) : test.type !== 'Identifier') return [];
    const before = branches[index - 1]?.consequent;
    const [first] = consequent;
    const last = consequent.at(-1);
    if (!first || !last || !ends(last) || (before && !ends(before.at(-1)) && before.length > 0)) return [];
    // A label above shares the branch, and may be taken.
    if (before?.length === 0 && /^\d/.test(textOf(test))) return [];
    /** @type {Set<string>} */
    const names = new Set();
    walk(consequent, (node) => {
      const { type, id } = /** @type {Node & { id?: Node }} */ (node);
      if (type === 'VariableDeclarator' && id?.type === 'Identifier') names.add(textOf(id));
    });
    const declared = names.size > 0 ? `var ${[...names].join(', ')}; ` : '';
    return [
      {
        start: first.start,
        end: last.end,
        text: `${declared}throw new Error('${textOf(test)} is left out of this build');`,
      },
    ];
  });
}

/**
 * A module without some of its parts.
 *
 * @param {string} code
 * @param {(code: string) => unknown} parse to an ESTree
 * @param {Parts} parts
 * @throws when the module has no such part: another release of the library has it elsewhere, or no more.
 */
export function withoutParts(
  code,
  parse,
  { functions = [], bodies = {}, assignments = [], cases = [], warnings = [], messages = [], edits = [] },
) {
  let whole = code;
  for (const [pattern, text] of edits) {
    const edited = whole.replace(pattern, text);
    if (edited === whole) throw missing(String(pattern));
    whole = edited;
  }
  /** @param {Node} node */
  const textOf = (node) => whole.slice(node.start, node.end);
  /** @type {Record<string, string>} */
  const replaced = Object.fromEntries([
    ...functions.map((name) => [name, `{ throw new Error('${name} is left out of this build'); }`]),
    ...Object.entries(bodies),
  ]);
  /** @type {Edit[]} */
  const found = [];
  const names = new Set(Object.keys(replaced));
  const patterns = new Set(assignments);
  const never = new Set(cases);
  const calls = new Set([...warnings, ...messages]);
  /** @param {Node} node @returns {string} name of the function that it calls; '' for all else */
  const calledBy = ({ type, callee }) =>
    type === 'CallExpression' && isNode(callee) && callee.type === 'Identifier' ? textOf(callee) : '';
  walk(parse(whole), (node) => {
    if (node.type === 'FunctionDeclaration') {
      const { id, body } = /** @type {Node & { id: Node | null; body: Node }} */ (node);
      const name = id ? textOf(id) : '';
      if (!Object.hasOwn(replaced, name)) return;
      names.delete(name);
      found.push({ start: body.start, end: body.end, text: replaced[name] ?? '' });
    } else if (messages.includes(calledBy(node))) {
      const [first, ...others] = /** @type {Node[]} */ (node['arguments']);
      const last = others.at(-1);
      if (!first || !last) return;
      calls.delete(calledBy(node));
      found.push({ start: first.end, end: last.end, text: '' });
    } else if (node.type === 'ExpressionStatement') {
      const called = calledBy(/** @type {Node} */ (node['expression']));
      if (warnings.includes(called)) {
        calls.delete(called);
        found.push({ start: node.start, end: node.end, text: ';' });
        return;
      }
      const { type, left } = /** @type {Node & { left: Node }} */ (node['expression']);
      const pattern = type === 'AssignmentExpression' && assignments.find((one) => one.test(textOf(left)));
      if (!pattern) return;
      patterns.delete(pattern);
      found.push({ start: node.start, end: node.end, text: '' });
    } else if (node.type === 'SwitchStatement') {
      for (const edit of unusedCases(node, textOf, cases)) {
        found.push(edit);
        for (const label of never) if (edit.text.includes(`'${label} is`)) never.delete(label);
      }
    }
  });
  for (const name of [...names, ...never, ...calls, ...[...patterns].map(String)]) throw missing(name);
  let shorter = '';
  let at = 0;
  // What lies in a part that is replaced goes with it.
  for (const { start, end, text } of found.toSorted((a, b) => a.start - b.start)) {
    if (start < at) continue;
    shorter += whole.slice(at, start) + text;
    at = end;
  }
  return shorter + whole.slice(at);
}

/** @param {string} name */
const missing = (name) =>
  new Error(`${name} does not exist any more: update LEFT_OUT in scripts/lib/library-parts.mjs`);

/** @param {string} id of a module @returns {Parts | undefined} what browsers do without in it */
export const leftOutOf = (id) => Object.entries(LEFT_OUT).find(([file]) => id.endsWith(file))?.[1];

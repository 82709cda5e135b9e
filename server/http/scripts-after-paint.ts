const PRELOAD = /<link rel="modulepreload" href="(\/assets\/[\w.-]+\.js)"\/>/g;
/** React Router's script: imports of the routes, what they are called by, and the start of the app. */
const START = /^;?\s*((?:import (?:\* as \w+ from )?"\/assets\/[\w.-]+";\s*)+)([\s\S]*)$/;
const IMPORT = /import (?:\* as (\w+) from )?("\/assets\/[\w.-]+");/g;
/**
 * Resolves once the browser has shown the document: no frame is drawn, and none asked for, while its styles are missing. A tab in
 * the background draws none at all.
 */
const PAINTED =
  'await new Promise(done=>{if(document.hidden)return done();requestAnimationFrame(()=>setTimeout(done));' +
  "addEventListener('visibilitychange',done,{once:true})})";

/**
 * A document whose scripts load after its first paint. On a slow network the preloads that React hoists into the head take
 * the bandwidth from the document and its styles, and nobody can use a page before it is shown.
 *
 * A document of another shape, as in development, stays what it is.
 *
 * @param html as rendered, with marks.
 * @param mark what its own inline scripts carry.
 */
export function scriptsAfterPaint(html: string, mark: string): string {
  const head = html.indexOf('</head>');
  const open = `<script nonce="${mark}" type="module" async="">`;
  const begin = html.indexOf(open);
  const end = html.indexOf('</script>', begin);
  if (head < 0 || begin < head || end < 0) return html;
  const [, imports, rest] = START.exec(html.slice(begin + open.length, end)) ?? [];
  if (imports === undefined || rest === undefined) return html;
  const modules = [...imports.matchAll(IMPORT)];
  const names = modules.map(([, name]) => name ?? '').join(',');
  const loads = modules.map(([, , source]) => `import(${source})`).join(',');
  const preloads = JSON.stringify([...html.slice(0, head).matchAll(PRELOAD)].map(([, href]) => href));
  // Without the links the browser would learn of each module's own imports only when it has the module.
  const hint = `for(const href of ${preloads})document.head.append(Object.assign(document.createElement('link'),{rel:'modulepreload',href}));`;
  return [
    html.slice(0, head).replace(PRELOAD, ''),
    html.slice(head, begin),
    `${open}${PAINTED};${hint}const [${names}]=await Promise.all([${loads}]);${rest}`,
    html.slice(end),
  ].join('');
}

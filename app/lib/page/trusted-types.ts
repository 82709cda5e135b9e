/**
 * Runs in the head before everything else. Pages are sent with `require-trusted-types-for 'script'`: a browser that supports it
 * accepts text as markup or as a script's URL only when this one policy allows it. It allows:
 * - text without '<', which creates no element (the styles of our controls, data for search engines);
 * - the empty script element that React creates before it has its type;
 * - drawings: shapes of SVG with the attributes that ours have (app/ui/art/drawings/TokenCoinShapes.tsx);
 * - the service worker and the workers of our build, from this site.
 * Text never becomes code; zod is configured not to try (it would detect that itself, and the browser would report each attempt).
 */
export const trustedTypesScript =
  'globalThis.__zod_globalConfig={jitless:true};' +
  "if(self.trustedTypes&&trustedTypes.createPolicy)trustedTypes.createPolicy('default',{" +
  'createHTML:function(h){' +
  "return h.indexOf('<')<0||h==='<script><\\/script>'||" +
  '/^(?:<(?:g|path|circle|ellipse|rect)(?: (?:c[xy]|d|fill|height|opacity|r[xy]?|stroke(?:-[a-z]+)?|transform|width|[xy])="[^"<>]*")* ?\\/?>|<\\/(?:g|path|circle|ellipse|rect)>|\\s)*$/.test(h)?h:null},' +
  'createScriptURL:function(u){var a=new URL(u,location.href);' +
  'return a.origin===location.origin&&/^\\/(?:sw\\.js$|assets\\/[\\w.-]+\\.js$)/.test(a.pathname)?u:null}})';

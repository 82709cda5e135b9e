/**
 * Runs in the head before everything else. Pages are sent with `require-trusted-types-for 'script'`: a browser that knows it
 * takes text for markup or for a script's address only where this one policy lets it pass. It lets pass:
 *
 * - text without '<', which makes no element (the styles of our controls, data for search engines);
 * - the empty script element that React makes before it knows its type;
 * - drawings: shapes of SVG with the attributes that ours have (app/ui/art/TokenArt.tsx);
 * - the service worker and the workers of our build, from this site.
 *
 * Text never becomes code; zod is told not to try (it would see that itself, and the browser would report each try).
 */
export const trustedTypesScript =
  'globalThis.__zod_globalConfig={jitless:true};' +
  "if(self.trustedTypes&&trustedTypes.createPolicy)trustedTypes.createPolicy('default',{" +
  'createHTML:function(h){' +
  "return h.indexOf('<')<0||h==='<script><\\/script>'||" +
  '/^(?:<(?:g|path|circle|ellipse|rect)(?: (?:c[xy]|d|fill|height|opacity|r[xy]?|stroke(?:-[a-z]+)?|transform|width|[xy])="[^"<>]*")* ?\\/?>|<\\/(?:g|path|circle|ellipse|rect)>|\\s)*$/.test(h)?h:null},' +
  'createScriptURL:function(u){var a=new URL(u,location.href);' +
  'return a.origin===location.origin&&/^\\/(?:sw\\.js$|assets\\/[\\w.-]+\\.js$)/.test(a.pathname)?u:null}})';

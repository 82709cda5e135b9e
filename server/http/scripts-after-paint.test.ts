import { expect, it } from 'vitest';
import { scriptsAfterPaint } from './scripts-after-paint.ts';

const HEAD = '<link rel="stylesheet" href="/assets/root-a.css"/>';
const PRELOADS =
  '<link rel="modulepreload" href="/assets/entry-a.js"/><link rel="modulepreload" href="/assets/root-b_1.js"/>';
const START = `;
import * as route0 from "/assets/root-b_1.js";
import * as route1 from "/assets/home-c.js";
  window.__reactRouterRouteModules = {"root":route0,"home":route1};

import("/assets/entry-a.js");`;
const documentOf = (preloads: string, start: string, mark = 'm4rk') =>
  `<html><head>${preloads}${HEAD}</head><body>${PRELOADS}<script nonce="${mark}" type="module" async="">${start}</script><script nonce="m4rk">x()</script></body></html>`;

it('takes the preloads out of the head, and loads the same modules after the first paint', () => {
  const html = scriptsAfterPaint(documentOf(PRELOADS, START), 'm4rk');
  expect(html).toMatch(/<head><link rel="stylesheet" href="\/assets\/root-a.css"\/><\/head>/);
  // What looks like one in the body is somebody's text, and stays.
  expect(html.split(PRELOADS)).toHaveLength(2);
  const [, script = ''] = /type="module" async="">([\s\S]*?)<\/script>/.exec(html) ?? [];
  expect(script).not.toMatch(/^\s*import [*"]/m);
  expect(script).toContain('["/assets/entry-a.js","/assets/root-b_1.js"]');
  expect(script).toContain(
    'const [route0,route1]=await Promise.all([import("/assets/root-b_1.js"),import("/assets/home-c.js")]);',
  );
  expect(script.indexOf('requestAnimationFrame')).toBeLessThan(script.indexOf('Promise.all'));
  expect(script).toMatch(/__reactRouterRouteModules = .*\n\nimport\("\/assets\/entry-a.js"\);$/);
  expect(html).toContain('</script><script nonce="m4rk">x()</script></body></html>');
});

it('leaves every other document as it is', () => {
  for (const html of [
    documentOf(PRELOADS, START, 'guessed'),
    documentOf(PRELOADS, 'import { inject } from "/@react-refresh"; import * as route0 from "/app/root.tsx"; go();'),
    documentOf(PRELOADS, START).replaceAll('</script>', ''),
    documentOf(PRELOADS, START).replace('</head>', ''),
    '<p>no app</p>',
  ])
    expect(scriptsAfterPaint(html, 'm4rk')).toBe(html);
});

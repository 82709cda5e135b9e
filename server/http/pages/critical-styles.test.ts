import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { criticalStyles, readStylesheet, stylesFor } from './critical-styles.ts';
import { finishPage } from './page-cache.ts';

const of = (css: string, html: string) => stylesFor(readStylesheet(css), html);
const page = (classes: string) => `<html><body class="${classes}"></body></html>`;

describe('the critical styles of a document contain', () => {
  test('rules whose classes it has, in their order, and all without a class', () => {
    const css = 'a{color:red}.b{top:0}.c{top:1px}[data-d] .b{top:2px}';
    expect(of(css, page('b'))).toBe('a{color:red}.b{top:0}[data-d] .b{top:2px}');
  });

  test('a rule when one of its selectors may match, and only with all classes of that one', () => {
    expect(of('.a .b,.c{top:0}', page('a'))).toBe('');
    expect(of('.a .b,.c{top:0}', page('c'))).toBe('.a .b,.c{top:0}');
    expect(of('.a .b,.c{top:0}', `${page('a')}<p class="x b">`)).toBe('.a .b,.c{top:0}');
  });

  test('rules with negated classes, and with one of several classes', () => {
    for (const css of [
      '.a:not(.b){top:0}',
      '.a:is(.b,:hover){top:0}',
      '.a:where(.b:not(.c)){top:0}',
      '.a:has(>.b){top:0}',
    ])
      expect(of(css, page('a'))).toBe(css);
  });

  test('rules with escaped class names', () => {
    const css =
      '.sm\\:px-1\\.5{top:0}.\\32xl\\:a{top:1px}.\\[\\&\\>p\\]\\:b{top:2px}.w-\\[calc\\(100\\%\\,2px\\)\\]{top:3px}';
    expect(of(css, page('sm:px-1.5 2xl:a [&amp;&gt;p]:b w-[calc(100%,2px)]'))).toBe(css);
    expect(of(css, page('other'))).toBe('');
  });

  test('groups with their remaining rules, and empty layers for their order', () => {
    const css =
      '@layer one,two;@media (width>=1px){.a{top:0}.b{top:0}}@layer two{.c{top:0}}@supports (top:0){.c{top:0}}';
    expect(of(css, page('a'))).toBe('@layer one,two;@media (width>=1px){.a{top:0}}@layer two{}');
  });

  test('keyframes and properties that one of the rules uses', () => {
    const css =
      '.a{animation:turn 1s}@keyframes turn{to{rotate:1turn}}@keyframes beat{to{scale:2}}@property --x{syntax:"*";inherits:false}';
    expect(of(css, page('a'))).toBe('.a{animation:turn 1s}@keyframes turn{to{rotate:1turn}}');
  });

  test('braces, commas and semicolons in strings and URLs unchanged', () => {
    const css = '.a{content:"}{"}.b[title="x,.c{"]{background:url("data:x;,{}")}.d{top:0}';
    expect(of(css, page('a b'))).toBe('.a{content:"}{"}.b[title="x,.c{"]{background:url("data:x;,{}")}');
  });
});

test('a sheet that ends within a rule is refused', () => {
  expect(() => readStylesheet('.a{top:0')).toThrow('does not end');
  expect(() => readStylesheet('.a{top:0}b')).toThrow('ends within a rule');
});

test('the styles are inserted before the stylesheets of single parts, which follow the common layers', async () => {
  const sheet = '<link rel="stylesheet" href="/assets/part-1.css"/>';
  const html = `<html><head><title>T</title>${sheet}</head><body>${sheet}</body></html>`;
  const { body } = await finishPage(
    new Response(html, { headers: { 'content-type': 'text/html' } }),
    false,
    'no-store',
    {
      nonce: 'M',
      stylesOf: () => '@layer base,components;',
    },
  );
  expect(body.identity.toString()).toBe(html.replace(sheet, `<style>@layer base,components;</style>${sheet}`));
});

test('the styles are inserted in the head, and nothing else of the document changes', async () => {
  const html = `<html><head><script nonce="M">1</script></head><body class="a">Ñ ${'</head>'}</body></html>`;
  const made = async (stylesOf?: (html: string) => string) =>
    finishPage(new Response(html, { headers: { 'content-type': 'text/html' } }), false, 'no-store', {
      nonce: 'M',
      stylesOf,
    });
  const [plain, styled] = [await made(), await made((page) => of('.a{top:0}', page))];
  expect(styled.body.identity.toString()).toBe(
    plain.body.identity.toString().replace('</head>', '<style>.a{top:0}</style></head>'),
  );
  expect(styled.scripts).toEqual(plain.scripts);
});

test('the styles come from the linked stylesheet, after all @font-face rules', () => {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'florka-styles-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  mkdirSync(path.join(dir, 'assets'));
  writeFileSync(path.join(dir, 'assets/faces-1.css'), '@font-face{font-family:A}');
  writeFileSync(path.join(dir, 'assets/app-1.css'), '.a{top:0}.b{top:0}');
  const stylesOf = criticalStyles(dir);
  const linked = '<p class="a"><link rel="stylesheet" href="/assets/app-1.css" data-faces="/assets/faces-1.css"/>';
  expect(stylesOf(linked)).toBe('@font-face{font-family:A}.a{top:0}');
  expect(stylesOf('<p class="a">')).toBe('');
});

test('the linked stylesheet has no @font-face rule: a second one would make the browser swap the font again', () => {
  expect(readFileSync('app/app.css', 'utf8')).not.toContain('fonts.css');
});

test('the fonts of the first paint do not cause a repaint', () => {
  const css = readFileSync('app/ui/styles/fonts.css', 'utf8');
  for (const name of ['Inter Variable', 'Bricolage Grotesque Variable'])
    expect(css).toMatch(new RegExp(`font-family: "${name}";[^}]*font-display: optional;`));
});

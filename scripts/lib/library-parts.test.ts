import { readdirSync, readFileSync } from 'node:fs';
import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';
import { LEFT_OUT, leftOutOf, withoutParts } from './library-parts.mjs';

const sourcesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'));

describe('parts that are left out of React and the router', () => {
  it.each(Object.entries(LEFT_OUT))('still exist in the installed version of %s', (file, parts) => {
    const whole = readFileSync(`node_modules/${file}`, 'utf8');
    const shorter = withoutParts(whole, parseAst, parts);
    expect(() => parseAst(shorter)).not.toThrow();
    expect(shorter.length).toBeLessThan(whole.length);
    expect(leftOutOf(`/anywhere/node_modules/${file}`)).toBe(parts);
  });

  it('are not used by the application', () => {
    const uses = [
      /import \{[^}]*\buse(Fetchers?|Submit)\b[^}]*\} from 'react-router'/,
      /\bPrefetchPageLinks\b|\sprefetch=/,
      /export (async )?(function|const) (action|clientAction)\b/,
      /\binstrumentations\b/,
      /<Form\b[^>]*method="(?!get")/,
      /\bcreateMemoryRouter\b/,
      /\bviewTransition=|<ViewTransition\b|\baddTransitionType\b/,
      /<(unstable_)?(Activity|SuspenseList)\b/,
      /<Fragment\b[^>]*\sref=/,
      /\buse(ActionState|FormState|FormStatus)\b|<form\b[^>]*\saction=\{(async|\()/,
      /\b(preload|preloadModule|preinit|preinitModule|preconnect|prefetchDNS)\b[^\n]* from 'react-dom'/,
      /\sprecedence=|<script\b[^>]*\ssrc=/,
      /\bcreateRoot\b/,
      // The root renders no <Meta>.
      /export (async )?(function|const) meta\b/,
      /import \{[^}]*\b(cache|cacheSignal|Profiler|browser)\b[^}]*\} from 'react(-dom)?'/,
      /\bon(BeforeInput|Composition(Start|Update|End))(Capture)?=/,
      // A custom element.
      /<[a-z]+-[a-z-]+[\s>]/,
    ];
    // What renders with react-dom/server never gets to a browser.
    const inBrowsers = sourcesOf('app').filter((text) => !text.includes("from 'react-dom/server'"));
    for (const source of inBrowsers.filter((text) => /from '(react|react-dom|react-router)(\/\w+)?'/.test(text)))
      for (const use of uses) expect(source).not.toMatch(use);
  });
});

describe('a module with parts left out', () => {
  it('throws if a left-out function is called, and keeps the others', () => {
    const code = 'function a(x){ return { b: x } } function outer(){ async function c(){ return 1 } return [a, c] }';
    const shorter = withoutParts(code, parseAst, { functions: ['c'] });
    expect(shorter).toContain('function a(x){ return { b: x } }');
    const [, c] = new Function(`${shorter}; return outer()`)() as [unknown, () => Promise<number>];
    return expect(c()).rejects.toThrow('c is left out of this build');
  });

  it('has the named function bodies and texts replaced, and the named assignments removed', () => {
    const code =
      'function a(){ return 1 } function b(){ return 2 } b.prototype.x = a; b.y = 7 === a() ? 3 : 4; out = [a(), b]';
    const shorter = withoutParts(code, parseAst, {
      bodies: { a: '{ return 5 }' },
      assignments: [/^b\.prototype\.\w+$/],
      edits: [[/7 === a\(\)/g, 'false']],
    });
    expect(shorter).toBe('function a(){ return 5 } function b(){ return 2 }  b.y = false ? 3 : 4; out = [a(), b]');
  });

  it('has the named warnings, and messages of the named checks, removed', () => {
    const code =
      'function f(x){ if (x > 1) warn(x > 2, "much"); check(x, x + " is odd", 1); return called } warn(true); check(1)';
    const shorter = withoutParts(code, parseAst, { warnings: ['warn'], messages: ['check'] });
    expect(shorter).toBe('function f(x){ if (x > 1) ; check(x); return called } ; check(1)');
  });

  it('keeps the other branches of a switch, and the variables that the left-out branch declares', () => {
    const code =
      'function f(x){ var r; switch (x.tag) { case 1: r = 1; break; case 30: var v = 3; r = v; break; case 4: v = 4; r = v + 1 } return r }';
    const shorter = withoutParts(code, parseAst, { cases: ['30'] });
    const f = new Function(`'use strict'; ${shorter}; return f`)() as (x: { tag: number }) => number;
    expect([f({ tag: 1 }), f({ tag: 4 })]).toEqual([1, 5]);
    expect(() => f({ tag: 30 })).toThrow('30 is left out of this build');
  });

  it('cannot leave out a branch that shares its label or that falls through', () => {
    for (const code of [
      'switch (x.tag) { case 2: case 30: a(); break; }',
      'switch (x.tag) { case 2: a(); case 30: b(); break; }',
      'switch (x.tag) { case 30: a(); case 2: b(); }',
    ])
      expect(() => withoutParts(code, parseAst, { cases: ['30'] })).toThrow('30 does not exist any more');
  });

  it.each([
    [{ functions: ['b'] }, 'b'],
    [{ bodies: { b: '{}' } }, 'b'],
    [{ assignments: [/^b$/] }, '/^b$/'],
    [{ cases: ['30'] }, '30'],
    [{ warnings: ['b'] }, 'b'],
    [{ messages: ['b'] }, 'b'],
    [{ edits: [[/b/g, 'c']] as const }, '/b/g'],
  ])('fails the build if the module no longer has the part: %o', (parts, name) => {
    expect(() => withoutParts('function a(){}', parseAst, parts)).toThrow(`${name} does not exist any more`);
  });
});

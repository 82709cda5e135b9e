import { readdirSync, readFileSync } from 'node:fs';
import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';
import { LEFT_OUT, leftOutOf, withoutFunctions } from './router-parts.mjs';

const sourcesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'));

describe('the router in browsers', () => {
  it.each(Object.entries(LEFT_OUT))('still has what is left out, in %s', (file, names) => {
    const whole = readFileSync(`node_modules/${file}`, 'utf8');
    const shorter = withoutFunctions(whole, parseAst, names);
    expect(() => parseAst(shorter)).not.toThrow();
    expect(shorter.length).toBeLessThan(whole.length);
    expect(leftOutOf(`/anywhere/node_modules/${file}`)).toBe(names);
  });

  it('is never asked for it', () => {
    const uses = [
      /import \{[^}]*\buse(Fetchers?|Submit)\b[^}]*\} from 'react-router'/,
      /\bPrefetchPageLinks\b|\sprefetch=/,
      /export (async )?(function|const) (action|clientAction)\b/,
      /\binstrumentations\b/,
      /<Form\b[^>]*method="(?!get")/,
      /\bcreateMemoryRouter\b/,
    ];
    for (const source of sourcesOf('app').filter((text) => /from 'react-router(\/dom)?'/.test(text)))
      for (const use of uses) expect(source).not.toMatch(use);
  });
});

it('a function that is left out says so when it is called, and the others stay', () => {
  const code = 'function a(x){ return { b: x } } function outer(){ async function c(){ return 1 } return [a, c] }';
  const shorter = withoutFunctions(code, parseAst, ['c']);
  expect(shorter).toContain('function a(x){ return { b: x } }');
  const [, c] = new Function(`${shorter}; return outer()`)() as [unknown, () => Promise<number>];
  return expect(c()).rejects.toThrow('c is left out of this build');
});

it('a name that the module no longer has ends the build', () => {
  expect(() => withoutFunctions('function a(){}', parseAst, ['b'])).toThrow('The function b does not exist');
});

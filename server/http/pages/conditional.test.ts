import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { isNotModified } from './conditional.ts';

const ask = (known: string | undefined, etag: string) =>
  isNotModified({ headers: known === undefined ? {} : { 'if-none-match': known } } as IncomingMessage, etag);

it.each<[known: string | undefined, etag: string, answer: boolean]>([
  [undefined, '"a"', false],
  ['', '"a"', false],
  ['"a"', '"a"', true],
  ['W/"a"', '"a"', true],
  ['"a"', 'W/"a"', true],
  ['W/"a"', 'W/"a"', true],
  ['"b", W/"a"', '"a"', true],
  ['"b","c"', '"a"', false],
  ['*', '"a"', true],
  [' * ', 'W/"a"', true],
  ['a', '"a"', false],
  ['"A"', '"a"', false],
  ['"*"', '"a"', false],
])('If-None-Match %s matches the ETag %s: %s', (known, etag, answer) => {
  expect(ask(known, etag)).toBe(answer);
});

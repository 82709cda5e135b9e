import { describe, expect, it } from 'vitest';
import { createForeignCheck } from './same-origin.ts';

const isForeign = (publicUrl: string, headers: Record<string, string>) =>
  createForeignCheck(publicUrl)(new Headers(headers));
const SITE = 'https://florka.example';

describe('a write from a page of another site', () => {
  it.each<[Record<string, string>, boolean]>([
    // Programs send neither header.
    [{}, false],
    [{ origin: SITE }, false],
    [{ origin: SITE, 'sec-fetch-site': 'same-origin' }, false],
    [{ origin: SITE, 'sec-fetch-site': 'none' }, false],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ 'sec-fetch-site': '' }, false],
    // Either header is enough to refuse.
    [{ origin: SITE, 'sec-fetch-site': 'cross-site' }, true],
    [{ origin: SITE, 'sec-fetch-site': 'same-site' }, true],
    [{ 'sec-fetch-site': 'cross-site' }, true],
    [{ origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }, true],
    [{ origin: 'https://evil.example' }, true],
    [{ origin: 'null' }, true],
    [{ origin: '' }, true],
    [{ origin: `${SITE}.evil.example` }, true],
    [{ origin: `${SITE}:8443` }, true],
    [{ origin: 'http://florka.example' }, true],
    [{ origin: 'https://www.florka.example' }, true],
    // This machine is not the site.
    [{ origin: 'http://localhost' }, true],
    [{ origin: 'https://localhost' }, true],
    [{ origin: 'https://127.0.0.1' }, true],
  ])('is detected at a public site: %j: %j', (headers, foreign) => {
    expect(isForeign(SITE, headers)).toBe(foreign);
  });

  it('is detected independently of Host and of a path in PUBLIC_URL', () => {
    expect(isForeign(SITE, { origin: 'https://evil.example', host: 'evil.example' })).toBe(true);
    expect(isForeign(`${SITE}/fair/`, { origin: SITE })).toBe(false);
  });

  it.each<[publicUrl: string, origin: string, foreign: boolean]>([
    // The three names of this machine are one.
    ['http://localhost:3000', 'http://127.0.0.1:3000', false],
    ['http://localhost:3000', 'http://[::1]:3000', false],
    ['http://127.0.0.1:3000', 'http://localhost:3000', false],
    ['http://[::1]:3000', 'http://localhost:3000', false],
    ['http://localhost:3000', 'http://localhost:3001', true],
    ['http://localhost:3000', 'https://127.0.0.1:3000', true],
    ['http://localhost:3000', 'http://evil.example:3000', true],
    ['http://localhost:3000', 'http://127.0.0.2:3000', true],
    ['http://localhost:3000', 'http://localhost:3000/', true],
    ['http://localhost:3000', 'http://ana@127.0.0.1:3000', true],
    ['http://localhost:3000', 'localhost', true],
    ['http://localhost:3000', 'null', true],
    // The system chose the port.
    ['http://localhost:0', 'http://127.0.0.1:45678', false],
    ['http://localhost:0', 'http://localhost', false],
    ['http://localhost:0', 'http://evil.example', true],
    ['http://localhost:0', 'https://localhost:45678', true],
  ])('is detected at a trial site at %s: from %s: %j', (publicUrl, origin, foreign) => {
    expect(isForeign(publicUrl, { origin })).toBe(foreign);
  });
});

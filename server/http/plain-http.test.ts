import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { parseTrustedProxies } from './client-address.ts';
import { plainAnswer } from './plain-http.ts';

const ORIGIN = 'https://florka.example';
const isRefused = (
  trust: string,
  peer: string | undefined,
  spoken?: string | string[],
  url = '/vote',
  method = 'GET',
) => {
  const headers = spoken === undefined ? {} : { 'x-forwarded-proto': spoken };
  const trusted = parseTrustedProxies(trust);
  if (!trusted) throw new Error(`${trust} was refused`);
  const answer = plainAnswer(
    { socket: { remoteAddress: peer }, headers, url, method } as unknown as IncomingMessage,
    trusted,
    ORIGIN,
  );
  return answer && ('location' in answer ? answer.location : 'refused');
};

describe('a request that came without TLS', () => {
  it.each([
    // Directly to the port, from another machine.
    ['0', '203.0.113.9', undefined, 'refused'],
    ['1', '10.0.0.7', undefined, 'refused'],
    ['1', '10.0.0.7', 'https', 'refused'],
    ['10.0.0.7', '10.0.0.8', 'https', 'refused'],
    ['10.0.0.7', '::ffff:10.0.0.8', 'https', 'refused'],
    // From this machine, or a trusted proxy.
    ['0', '127.0.0.1', undefined, null],
    ['0', '::ffff:127.0.0.1', 'http', null],
    ['1', '::1', 'https', null],
    ['10.0.0.7', '::ffff:10.0.0.7', undefined, null],
    ['10.0.0.7', '10.0.0.7', 'https', null],
    // The proxy reports that its client used http.
    ['10.0.0.7', '10.0.0.7', 'http', `${ORIGIN}/vote`],
    ['loopback', '127.0.0.1', 'HTTP , https', `${ORIGIN}/vote`],
    ['loopback', '127.0.0.1', ['http', 'https'], `${ORIGIN}/vote`],
    ['loopback', '127.0.0.1', 'https, http', null],
    // A closed connection has no address.
    ['1', undefined, undefined, null],
  ])('with TRUST_PROXY=%s from %s (%s): %s', (trust, peer, spoken, answer) => {
    expect(isRefused(trust, peer, spoken)).toBe(answer);
  });

  it.each([
    ['GET', '/api/me', 'refused'],
    ['GET', '/api?x', 'refused'],
    ['POST', '/rpc/auth/signIn', 'refused'],
    ['POST', '/vote', 'refused'],
    ['GET', '/live', 'refused'],
    ['POST', '/unsubscribe?token=x', 'refused'],
    ['POST', '/en/unsubscribe?token=x', 'refused'],
    ['GET', '/en/unsubscribe?token=x', 'refused'],
    ['GET', '*', 'refused'],
    ['GET', '/token/a?b=c', `${ORIGIN}/token/a?b=c`],
    ['HEAD', '/apiary', `${ORIGIN}/apiary`],
    // The redirect stays on this site.
    ['GET', '//evil.test/', `${ORIGIN}//evil.test/`],
    ['GET', '/healthz', null],
    ['GET', '/readyz', null],
    ['GET', '/readyz/..', `${ORIGIN}/readyz/..`],
  ])('%s %s: %s', (method, url, answer) => {
    expect(isRefused('loopback', '127.0.0.1', 'http', url, method)).toBe(answer);
  });
});

describe('a site whose address is https', async () => {
  const site = await startTestApp({ publicUrl: ORIGIN, trustProxy: 'loopback' });
  const by = (spoken: string) => ({ redirect: 'manual' as const, headers: { 'x-forwarded-proto': spoken } });

  it('redirects pages, also cached ones, and refuses the rest without reading it', async () => {
    for (let i = 0; i < 2; i++) {
      expect((await site.http('/vote', by('https'))).status).toBe(200);
      const moved = await site.http('/vote?a=b', by('http'));
      expect([moved.status, moved.headers.get('location')]).toEqual([308, `${ORIGIN}/vote?a=b`]);
    }
    const person = await site.member();
    const headers = { cookie: person.cookie, 'x-forwarded-proto': 'http' };
    const me = await site.http('/api/me', { headers });
    expect([me.status, await me.text()]).toEqual([403, 'This site answers over https only.']);
    expect(me.headers.get('strict-transport-security')).toContain('max-age=');
    expect((await site.http('/healthz', by('http'))).status).toBe(200);
  });

  it('differs from one whose address is http, which serves all requests', async () => {
    const plain = await startTestApp({ trustProxy: 'loopback' });
    expect((await plain.http('/api/me', by('http'))).status).toBe(200);
  });
});

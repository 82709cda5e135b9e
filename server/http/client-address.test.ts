import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { clientAddress, parseTrustedProxies, proxyWarning } from './client-address.ts';

const parse = (trust: string) => {
  const trusted = parseTrustedProxies(trust);
  if (!trusted) throw new Error(`${trust} was refused`);
  return trusted;
};
const request = (peer: string | undefined, forwarded?: string | string[]) => {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return { socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage;
};
const seen = (trust: string, peer: string | undefined, forwarded?: string | string[]) =>
  clientAddress(request(peer, forwarded), parse(trust));
const CLAIM = '6.6.6.6';

describe('the address of a client', () => {
  it.each([
    // No proxy is trusted.
    ['0', '127.0.0.1', CLAIM, '127.0.0.1'],
    // A hop count applies to connections from this machine only.
    ['1', '127.0.0.1', `${CLAIM}, 203.0.113.9`, '203.0.113.9'],
    ['1', '::ffff:127.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['1', '::1', '203.0.113.9', '203.0.113.9'],
    ['2', '127.0.0.1', `${CLAIM}, 203.0.113.9, 198.51.100.1`, '203.0.113.9'],
    ['1', '203.0.113.50', CLAIM, '203.0.113.50'],
    ['1', '10.0.0.7', CLAIM, '10.0.0.7'],
    // Listed proxies are trusted.
    ['10.0.0.7', '10.0.0.7', `${CLAIM}, 203.0.113.9`, '203.0.113.9'],
    ['10.0.0.7', '::ffff:10.0.0.7', '203.0.113.9', '203.0.113.9'],
    ['10.0.0.7', '10.0.0.8', CLAIM, '10.0.0.8'],
    ['10.0.0.0/24, 2001:db8::/32', '2001:db8::1', `${CLAIM}, 203.0.113.9, 10.0.0.8`, '203.0.113.9'],
    ['10.0.0.0/24', '127.0.0.1', `203.0.113.9, 10.0.0.1, 10.0.0.2`, '203.0.113.9'],
    ['loopback', '127.0.0.1', `${CLAIM}, 203.0.113.9`, '203.0.113.9'],
    ['loopback', '10.0.0.7', CLAIM, '10.0.0.7'],
    // A request that the proxy itself makes.
    ['10.0.0.7', '10.0.0.7', undefined, '10.0.0.7'],
    ['10.0.0.7', '10.0.0.7', '10.0.0.7', '10.0.0.7'],
    // Not every proxy sends addresses.
    ['10.0.0.7', '10.0.0.7', 'unknown', 'unknown'],
    ['10.0.0.7', '10.0.0.7', [CLAIM, '203.0.113.9'], '203.0.113.9'],
    ['2', '127.0.0.1', [`${CLAIM}, 203.0.113.9`, '10.0.0.7'], '203.0.113.9'],
    // A closed connection has no address.
    ['1', undefined, CLAIM, ''],
  ])('with TRUST_PROXY=%s, from %s, with X-Forwarded-For %s, is %s', (trust, peer, forwarded, address) => {
    expect(seen(trust, peer, forwarded)).toBe(address);
  });

  it.each([
    '11',
    '-1',
    '1.5',
    'yes',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '10.0.0.7/8/9',
    'proxy.example',
    '10.0.0.7,',
    '::1/129',
    '10.0.0.0/',
    '10.0.0.0/x',
    '10.0.0.0/1e1',
    '10.0.0.0/8 ,x',
    '99999999',
  ])('TRUST_PROXY=%s is refused', (trust) => {
    expect(parseTrustedProxies(trust)).toBeNull();
  });

  it('TRUST_PROXY may be a number of up to ten proxies, with spaces around it', () => {
    expect(parseTrustedProxies('10')).toEqual({ hops: 10, listed: null });
    expect(parseTrustedProxies(' 2 ')).toEqual({ hops: 2, listed: null });
  });

  it.each([
    ['128.0.0.0/1', '200.1.2.3', '100.1.2.3'],
    ['10.0.0.7/32', '10.0.0.7', '10.0.0.8'],
    ['2001:db8::/64', '2001:db8::9', '2001:db8:0:1::9'],
    ['2001:db8::7/128', '2001:db8::7', '2001:db8::8'],
    ['2001:db8::7', '2001:db8::7', '2001:db8::8'],
  ])('with TRUST_PROXY=%s is forwarded by %s, and not by %s', (trust, inside, outside) => {
    expect(seen(trust, inside, CLAIM)).toBe(CLAIM);
    expect(seen(trust, outside, CLAIM)).toBe(outside);
  });
});

describe('the warning about a proxy that TRUST_PROXY does not name', () => {
  const warnings = (trust: string, ...requests: IncomingMessage[]) => {
    const lines: string[] = [];
    const check = proxyWarning({ warn: (line: string) => void lines.push(line) }, parse(trust));
    for (const one of requests) check(one);
    return lines;
  };

  it('is logged once, at the first request with a forwarded address from an untrusted proxy', () => {
    const requests = [request('10.0.0.7', CLAIM), request('10.0.0.8'), request('10.0.0.8', CLAIM)];
    expect(warnings('10.0.0.7', ...requests)).toEqual([expect.stringContaining('TRUST_PROXY')]);
    expect(warnings('1', ...requests, request('10.0.0.9', CLAIM))).toEqual([expect.stringContaining('TRUST_PROXY')]);
    expect(warnings('10.0.0.0/24', ...requests)).toEqual([]);
  });

  it('is not logged when no proxy is trusted, because forwarded addresses are then ignored on purpose', () => {
    expect(warnings('0', request('10.0.0.8', CLAIM))).toEqual([]);
  });

  it('is logged for a connection without a known address', () => {
    expect(warnings('1', request(undefined, CLAIM))).toHaveLength(1);
  });
});

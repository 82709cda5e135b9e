import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { clientAddress } from '#server/http/client-address.ts';
import { addressKey, hashAddress, networksOf } from './address.ts';

describe('the key of an address', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::FFFF:203.0.113.9', '203.0.113.9'],
    ['::ffff:cb00:7109', '203.0.113.9'],
    ['0:0:0:0:0:ffff:203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:4711', '203.0.113.9'],
    ['[::ffff:203.0.113.9]:4711', '203.0.113.9'],
    ['[2001:db8:1:2::1]:4711', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
    [' 203.0.113.9 ', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
    ['not an address', 'not an address'],
  ])('of %s is %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });

  it('is the same for a whole /64 and differs for the next', () => {
    expect(addressKey('2001:db8:1:2:ffff::1')).toBe(addressKey('2001:db8:1:2::2'));
    expect(addressKey('2001:db8:1:3::2')).not.toBe(addressKey('2001:db8:1:2::2'));
  });
});

it('the networks of an address are ordered by size, each with its factor', () => {
  expect(networksOf('203.0.113.9')).toEqual([
    { key: '203.0.113.9', factor: 1 },
    { key: '203.0.113.0/24', factor: 8 },
  ]);
  expect(networksOf('2001:db8:1:23f::1')).toEqual([
    { key: '2001:db8:1:23f::/64', factor: 1 },
    { key: '2001:db8:1:200::/56', factor: 2 },
    { key: '2001:db8:1::/48', factor: 8 },
  ]);
  expect(networksOf('no address')).toEqual([{ key: 'no address', factor: 1 }]);
});

describe('the hash of an address', () => {
  const at = new Date('2026-03-10T12:00:00Z');
  const hash = (secret: string, address: string, now = at) => hashAddress(secret, address, now).toString('hex');

  it('is the same for one visitor, and differs for another visitor, secret or month', () => {
    const mine = hash('secret', '2001:db8:1:2::1');
    expect(mine).toMatch(/^[0-9a-f]{32}$/);
    expect(hash('secret', '2001:db8:1:2:9::9')).toBe(mine);
    expect(hash('secret', '2001:db8:1:3::1')).not.toBe(mine);
    expect(hash('other', '2001:db8:1:2::1')).not.toBe(mine);
    expect(hash('secret', '2001:db8:1:2::1', new Date(at.getTime() + 31 * 86_400_000))).not.toBe(mine);
  });
});

describe("the visitor's address", () => {
  const from = (forwarded: string | undefined, hops: number) =>
    clientAddress(
      {
        socket: { remoteAddress: '127.0.0.1' },
        headers: { 'x-forwarded-for': forwarded },
      } as unknown as IncomingMessage,
      { hops, listed: null },
    );

  it.each([
    ['203.0.113.1', 0, '127.0.0.1'],
    [undefined, 0, '127.0.0.1'],
    [undefined, 1, '127.0.0.1'],
    ['', 1, '127.0.0.1'],
    ['203.0.113.1', 1, '203.0.113.1'],
    ['1.1.1.1, 203.0.113.1', 1, '203.0.113.1'],
    ['1.1.1.1, 203.0.113.1, 10.0.0.2', 2, '203.0.113.1'],
    [' 203.0.113.1 , ', 1, '203.0.113.1'],
    ['203.0.113.1', 2, '203.0.113.1'],
  ])('with X-Forwarded-For %s and %i proxies is %s', (forwarded, hops, address) => {
    expect(from(forwarded, hops)).toBe(address);
  });
});

import { isIP, isIPv4, isIPv6 } from 'node:net';
import { hmacSha256 } from '#server/lib/crypto/hmac.ts';

/**
 * One form for one address: without port, brackets and zone, and IPv4 in IPv6 form (`::ffff:1.2.3.4`,
 * `::ffff:102:304`) as IPv4. Proxies write all of these into X-Forwarded-For. What is no address stays as it is.
 */
export function normalizeAddress(text: string): string {
  const trimmed = text.trim();
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(trimmed)?.[1];
  const withPort = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/.exec(trimmed)?.[1];
  const bare = (bracketed ?? withPort ?? trimmed).split('%')[0] ?? '';
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare)) return text;
  const groups = groupsOf(bare);
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (!mapped) return bare.toLowerCase();
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/** The eight numbers of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  // The last 32 bits may be written as an IPv4.
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const hex = dotted
    ? `${dotted[1]}${((Number(dotted[2]) << 8) | Number(dotted[3])).toString(16)}:${((Number(dotted[4]) << 8) | Number(dotted[5])).toString(16)}`
    : address;
  const [head = '', tail] = hex.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array<string>(gap).fill('0'), ...right].map((group) => Number.parseInt(group, 16));
}

export interface Network {
  /** Such as '203.0.113.9', '203.0.113.0/24' or '2001:db8:1:2::/64'. */
  key: string;
  /** How many times the allowance of one visitor the whole network has. */
  factor: number;
}

/**
 * The networks that an address is counted in, smallest first: an IPv4 alone and its /24, an IPv6 by its /64, /56 and
 * /48. People get a whole /64, households and servers a /56 or a /48 with thousands of them, so each counts too, with an
 * allowance that grows far slower than its size. What is no address counts as it is written.
 */
export function networksOf(address: string): readonly [Network, ...Network[]] {
  const bare = normalizeAddress(address);
  if (isIPv4(bare))
    return [
      { key: bare, factor: 1 },
      { key: `${bare.slice(0, bare.lastIndexOf('.'))}.0/24`, factor: 8 },
    ];
  if (!isIP(bare)) return [{ key: address, factor: 1 }];
  const [a = 0, b = 0, c = 0, d = 0] = groupsOf(bare);
  const text = (groups: number[], bits: number) => `${groups.map((group) => group.toString(16)).join(':')}::/${bits}`;
  return [
    { key: text([a, b, c, d], 64), factor: 1 },
    { key: text([a, b, c, d & 0xff00], 56), factor: 2 },
    { key: text([a, b, c], 48), factor: 8 },
  ];
}

/** The part of an address that stands for one visitor: an IPv4 whole, an IPv6 by its /64 (people get whole /64s). */
export const addressKey = (address: string): string => networksOf(address)[0].key;

/** Whether an address is this machine itself. */
export const isLoopback = (address: string): boolean => /^(127\.|::1$)/.test(normalizeAddress(address));

/**
 * The networks of an address, nearest first, each as a keyed hash. Not stored like this: with a vote goes a second hash, with
 * the key of its round (cast-votes.sql.ts).
 */
export const hashNetworks = (secret: string, address: string): Buffer[] =>
  networksOf(address).map(({ key }) => hmacSha256(`${secret}:vote-network`, key).subarray(0, 16));

const KEY_PERIOD = 30 * 86_400_000;

/** Keyed hash of an address for abuse limits; the key changes every 30 days, so old hashes can't be joined with new ones. */
export function hashAddress(secret: string, address: string, now: Date): Buffer {
  const period = Math.floor(now.getTime() / KEY_PERIOD);
  return hmacSha256(`${secret}:address:${period}`, addressKey(address)).subarray(0, 16);
}

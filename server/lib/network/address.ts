import { isIP, isIPv4, isIPv6 } from 'node:net';
import { hmacSha256, hmacWith } from '#server/lib/crypto/hmac.ts';

/**
 * Canonical form of an address: without port, brackets and zone, and an IPv4-mapped IPv6 address (`::ffff:1.2.3.4`,
 * `::ffff:102:304`) as IPv4. Proxies write all of these into X-Forwarded-For. Text that is no address is returned
 * unchanged.
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

/** The eight 16-bit groups of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  // The last 32 bits may be written in IPv4 notation.
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
  /** For example '203.0.113.9', '203.0.113.0/24' or '2001:db8:1:2::/64'. */
  key: string;
  /** Multiple of one client's limit that the whole network has. */
  factor: number;
}

/**
 * The networks that an address is counted in, smallest first: an IPv4 address itself and its /24; the /64, /56 and /48
 * of an IPv6 address. A connection often has a whole /56 or /48 and could use a new /64 for every request, so the
 * larger networks are limited too, with factors far smaller than their sizes. Text that is no address counts as itself.
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

/**
 * The key of one client in limits: an IPv4 address, or the /64 of an IPv6 address (the usual size of one connection's
 * network).
 */
export const addressKey = (address: string): string => networksOf(address)[0].key;

/** True for addresses of this machine (127.0.0.0/8, ::1). */
export const isLoopback = (address: string): boolean => /^(127\.|::1$)/.test(normalizeAddress(address));

/**
 * Returns what hashes the networks of an address, smallest first, each as a keyed hash of 16 bytes; the key is prepared once. Not stored
 * in this form: a vote stores a second hash, with the key of its round (cast-votes.sql.ts).
 */
export function networkHasher(secret: string): (address: string) => Buffer[] {
  const hash = hmacWith(`${secret}:vote-network`);
  return (address) => networksOf(address).map(({ key }) => hash(key).subarray(0, 16));
}

/** Milliseconds. */
const KEY_PERIOD = 30 * 86_400_000;

/**
 * Keyed hash of an address for abuse limits, 16 bytes; the key changes every 30 days, so hashes of different periods
 * cannot be linked.
 */
export function hashAddress(secret: string, address: string, now: Date): Buffer {
  const period = Math.floor(now.getTime() / KEY_PERIOD);
  return hmacSha256(`${secret}:address:${period}`, addressKey(address)).subarray(0, 16);
}

import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';

/**
 * The part of an address that stands for one visitor: an IPv4 whole, an IPv6 by its /64 (people get whole /64s).
 * IPv4 in IPv6 clothes (::ffff:1.2.3.4) counts as IPv4.
 */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  const bare = address.split('%')[0] ?? '';
  if (!isIPv6(bare)) return address;
  const [head = '', tail] = bare.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(Math.max(0, gap)).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** Whether an address is this machine itself. */
export const isLoopback = (address: string): boolean => /^(127\.|::1$|::ffff:127\.)/i.test(address);

const KEY_PERIOD = 30 * 86_400_000;

/** Keyed hash of an address for abuse limits; the key changes every 30 days, so old hashes can't be joined with new ones. */
export function hashAddress(secret: string, address: string, now: Date): Buffer {
  const period = Math.floor(now.getTime() / KEY_PERIOD);
  return createHmac('sha256', `${secret}:address:${period}`).update(addressKey(address)).digest().subarray(0, 16);
}

import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';

const digest = (key: string) => createHash('sha256').update(`florka demo ${key}`).digest();

/** Random numbers in [0, 1) that are deterministic per key on every machine (mulberry32). */
export function randomOf(key: string): () => number {
  let state = digest(key).readUInt32LE(0);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A UUID in the format of version 4, deterministic per key: the default images are derived from it. */
export function idOf(key: string): string {
  const bytes = digest(key).subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Has the format of a Solana address and no known private key. */
export const addressOf = (key: string): string => base58.encode(digest(`address ${key}`));

export const pick = <T>(next: () => number, list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;

import { hash } from 'node:crypto';

/** Block size of SHA-256, in bytes. */
const BLOCK = 64;
/** Length of its result, in bytes. */
const DIGEST = 32;

/**
 * HMAC-SHA-256 (RFC 2104) from two one-shot hashes. Same result as `createHmac`, which creates a key object for each
 * call: with new keys for every vote that costs several times as much as the hashing.
 *
 * @param key of any length.
 * @returns 32 bytes.
 */
export const hmacSha256 = (key: Uint8Array | string, message: string): Buffer => hmacWith(key)(message);

/**
 * HMAC-SHA-256 for many messages under one key, whose part of both hashes is prepared once.
 *
 * @param key of any length.
 * @returns a function from a message to 32 bytes.
 */
export function hmacWith(key: Uint8Array | string): (message: string) => Buffer {
  const bytes = typeof key === 'string' ? Buffer.from(key) : key;
  const short = bytes.length > BLOCK ? hash('sha256', bytes, 'buffer') : bytes;
  const innerKey = Buffer.alloc(BLOCK, 0x36);
  // Hashing is synchronous: every message can use the same bytes.
  const outer = Buffer.alloc(BLOCK + DIGEST, 0x5c);
  for (let i = 0; i < short.length; i++) {
    const byte = short[i] as number;
    innerKey[i] = byte ^ 0x36;
    outer[i] = byte ^ 0x5c;
  }
  return (message) => {
    const length = Buffer.byteLength(message);
    const inner = Buffer.allocUnsafe(BLOCK + length);
    inner.set(innerKey);
    inner.write(message, BLOCK);
    outer.set(hash('sha256', inner, 'buffer'), BLOCK);
    return hash('sha256', outer, 'buffer');
  };
}

import { hash } from 'node:crypto';

/** Block size of SHA-256, in bytes. */
const BLOCK = 64;

/**
 * HMAC-SHA-256 (RFC 2104) from two one-shot hashes. Same result as `createHmac`, which creates a key object for each
 * call: with new keys for every vote that costs several times as much as the hashing.
 *
 * @param key of any length.
 * @returns 32 bytes.
 */
export function hmacSha256(key: Uint8Array | string, message: string): Buffer {
  const bytes = typeof key === 'string' ? Buffer.from(key) : key;
  const short = bytes.length > BLOCK ? hash('sha256', bytes, 'buffer') : bytes;
  const text = Buffer.from(message);
  const inner = Buffer.alloc(BLOCK + text.length, 0x36);
  const outer = Buffer.alloc(BLOCK + 32, 0x5c);
  for (let i = 0; i < short.length; i++) {
    const byte = short[i] as number;
    inner[i] = byte ^ 0x36;
    outer[i] = byte ^ 0x5c;
  }
  text.copy(inner, BLOCK);
  hash('sha256', inner, 'buffer').copy(outer, BLOCK);
  return hash('sha256', outer, 'buffer');
}

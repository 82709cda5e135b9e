import { hkdfSync } from 'node:crypto';

/**
 * A key of its own for each use of the server's secret: HKDF with SHA-256.
 *
 * @param use what the key is for; the same text always gives the same key.
 * @returns 32 bytes.
 */
export const deriveKey = (secret: string, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'florka', use, 32));

import { hkdfSync } from 'node:crypto';

/**
 * Derives a separate key for each use of the server's secret: HKDF with SHA-256.
 *
 * @param use purpose of the key; the same text always gives the same key.
 * @returns 32 bytes.
 */
export const deriveKey = (secret: string, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'florka', use, 32));

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
/** Bytes of the nonce, which is never used twice with one key, and of the authentication tag. */
const NONCE = 12;
const TAG = 16;

/**
 * Encrypts a secret for the database. Its name is authenticated too: a row that is moved to another name can't be decrypted.
 *
 * @param key 32 bytes.
 * @returns nonce, tag and ciphertext.
 */
export function seal(key: Buffer, name: string, value: string): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(name));
  const body = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** The decrypted secret; null for another key or name, or when it was modified. */
export function unseal(key: Buffer, name: string, sealed: Buffer): string | null {
  try {
    const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE), { authTagLength: TAG })
      .setAAD(Buffer.from(name))
      .setAuthTag(sealed.subarray(NONCE, NONCE + TAG));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE + TAG)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

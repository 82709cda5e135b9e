import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { base32 } from '@better-auth/utils/base32';
import { renderSVG } from 'uqr';
import { deriveKey } from '#server/lib/derive-key.ts';

/** Seconds of one code, and codes before and after the present one that are taken too. */
const PERIOD = 30;
const WINDOW = 1;
const SECRET_BYTES = 20;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Letters and digits that nobody takes for each other. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

export const makeSecret = (): Buffer => randomBytes(SECRET_BYTES);

/** The step that an instant falls into (RFC 6238). */
export const stepAt = (now: Date): number => Math.floor(now.getTime() / 1_000 / PERIOD);

/** Six digits of one step (RFC 4226). */
export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** The step whose code this is, later than the last one that was used; null when there is none. */
export function stepOf(secret: Buffer, code: string, now: Date, lastStep: number): number | null {
  const present = stepAt(now);
  let found: number | null = null;
  for (let step = present - WINDOW; step <= present + WINDOW; step++) {
    const same = timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(code.padEnd(6).slice(0, 6)));
    if (same && step > lastStep) found ??= step;
  }
  return found;
}

/** AES-256-GCM; bound to the member, so that a row can't be moved to another. */
export function sealSecret(secret: Buffer, serverSecret: string, userId: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(serverSecret, 'second factor'), iv);
  cipher.setAAD(Buffer.from(userId));
  return Buffer.concat([iv, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
}

/** Null when it was sealed with another server secret or for another member, or was changed: then no code of it is right. */
export function openSecret(sealed: Buffer, serverSecret: string, userId: string): Buffer | null {
  const key = deriveKey(serverSecret, 'second factor');
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(userId));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}

/** What an authenticator app needs: the address, the same as text, and as a picture to scan. */
export function describeSecret(secret: Buffer, account: string): { uri: string; secret: string; qrSvg: string } {
  const text = base32.encode(new Uint8Array(secret), { padding: false });
  const uri = `otpauth://totp/Florka:${encodeURIComponent(account)}?secret=${text}&issuer=Florka&algorithm=SHA1&digits=6&period=${PERIOD}`;
  return { uri, secret: text, qrSvg: renderSVG(uri, { ecc: 'M', border: 3 }) };
}

/** A code for when the app is lost: 'abcde-fghjk', 49 random bits. */
export function makeRecoveryCode(): string {
  let code = '';
  while (code.length < 10) {
    // Values beyond the last whole round would make some letters likelier.
    const [value = 255] = randomBytes(1);
    if (value < 248) code += ALPHABET[value % ALPHABET.length];
  }
  return `${code.slice(0, 5)}-${code.slice(5)}`;
}

/** Hash of a recovery code, however it was typed. */
export const hashRecoveryCode = (serverSecret: string, userId: string, code: string): Buffer =>
  createHmac('sha256', deriveKey(serverSecret, 'recovery code'))
    .update(`${userId}:${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`)
    .digest();

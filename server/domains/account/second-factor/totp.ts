import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { HOTP, Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';
import { deriveKey } from '#server/lib/crypto/derive-key.ts';

/** Seconds per code, and number of codes before and after the current one that are accepted. */
const PERIOD = 30;
const DIGITS = 6;
const WINDOW = 1;
const SECRET_BYTES = 20;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Letters and digits that are not confusable. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

export const makeSecret = (): Buffer => randomBytes(SECRET_BYTES);

/** The time step of an instant (RFC 6238). */
export const stepAt = (now: Date): number => Math.floor(now.getTime() / 1_000 / PERIOD);

const asSecret = (secret: Buffer): Secret => new Secret({ buffer: Uint8Array.from(secret).buffer });

/**
 * The time step of this code, later than the last used one; null when there is none. The library compares; the accepted steps are
 * chosen here, so that no code works twice.
 */
export function stepOf(secret: Buffer, code: string, now: Date, lastStep: number): number | null {
  // Recovery codes are passed here too, with any length and alphabet.
  if (!/^\d{6}$/.test(code)) return null;
  const key = asSecret(secret);
  const present = stepAt(now);
  let found: number | null = null;
  for (let step = present - WINDOW; step <= present + WINDOW; step++) {
    const same = HOTP.validate({ token: code, secret: key, counter: step, window: 0 }) === 0;
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

/** Null when it was sealed with another server secret or for another member, or was modified: then no code is correct. */
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

/** Enrolment data for an authenticator app: the URI, the secret as text, and a QR code. */
export function describeSecret(
  secret: Buffer,
  { account, siteName }: { account: string; siteName: string },
): { uri: string; secret: string; qrSvg: string } {
  const totp = new TOTP({
    // A colon would separate it from the account name.
    issuer: siteName.replaceAll(':', ' '),
    label: account,
    secret: asSecret(secret),
    digits: DIGITS,
    period: PERIOD,
  });
  const uri = totp.toString();
  return { uri, secret: totp.secret.base32, qrSvg: renderSVG(uri, { ecc: 'M', border: 3 }) };
}

/** Characters of a recovery code, and of each of its groups. */
const RECOVERY_CHARACTERS = 25;
const RECOVERY_GROUP = /.{5}(?=.)/g;

/**
 * A recovery code for a lost app: five groups such as 'abcde', 123 random bits. More than the 112 of ASVS 5.0, 6.5.2, so that a
 * fast keyed hash of it is sufficient.
 */
export function makeRecoveryCode(): string {
  let code = '';
  while (code.length < RECOVERY_CHARACTERS) {
    // Values beyond the last full multiple would make some characters more likely.
    const [value = 255] = randomBytes(1);
    if (value < 248) code += ALPHABET[value % ALPHABET.length];
  }
  return code.replace(RECOVERY_GROUP, '$&-');
}

/** Hash of a recovery code, normalized for case and separators. */
export const hashRecoveryCode = (serverSecret: string, userId: string, code: string): Buffer =>
  createHmac('sha256', deriveKey(serverSecret, 'recovery code'))
    .update(`${userId}:${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`)
    .digest();

// Signed notes (c2sp.org/signed-note), checkpoints (tlog-checkpoint) and cosignatures (tlog-cosignature), with Ed25519.
import { concat, fromBase64, fromText, toBase64, toHex } from './bytes.ts';
import { type Sha256, sha256 } from './sha256.ts';

/** The log signs with type 1, a witness with type 4, whose signatures include the time. */
export type KeyType = 1 | 4;

export interface VerifierKey {
  name: string;
  type: KeyType;
  /** 8 hexadecimal digits. */
  id: string;
  /** 32 bytes. */
  publicKey: Uint8Array;
}

export interface SignatureLine {
  name: string;
  id: string;
  /** Bytes after the key id. */
  signature: Uint8Array;
}

export interface Note {
  /** Including the last line break, as it is signed. */
  text: string;
  signatures: SignatureLine[];
}

export interface Checkpoint {
  origin: string;
  size: number;
  root: Uint8Array;
}

/** Maximum number of signatures of a note. */
const MAX_SIGNATURES = 64;
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what a note must not have.
const CONTROL = /[\u0000-\u0009\u000b-\u001f]/;
const NAME = /^[^\s+]+$/u;

/** The first four bytes of SHA-256 over name, line break, type and key, as hexadecimal digits. */
export const keyId = (name: string, type: KeyType, publicKey: Uint8Array, hash: Sha256 = sha256): string =>
  toHex(hash(concat([fromText(`${name}\n`), Uint8Array.of(type), publicKey])).subarray(0, 4));

/** A verifier key as text: `<name>+<id>+<base64 of type and key>`; the inverse of `parseKey`. */
export const formatKey = ({ name, type, id, publicKey }: VerifierKey): string =>
  `${name}+${id}+${toBase64(concat([Uint8Array.of(type), publicKey]))}`;

/** @returns null if it is no Ed25519 verifier key, or its id does not match the key. */
export function parseKey(text: string): VerifierKey | null {
  const match = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/u.exec(text.trim());
  const bytes = match && fromBase64(match[3] as string);
  if (!match || bytes?.length !== 33 || (bytes[0] !== 1 && bytes[0] !== 4)) return null;
  const [name, type, publicKey] = [match[1] as string, bytes[0] as KeyType, bytes.subarray(1)];
  const id = keyId(name, type, publicKey);
  return id === match[2] ? { name, type, id, publicKey } : null;
}

/** A signature line of a note, with its line break; the inverse of `parseSignature`. */
export const formatSignature = ({ name, id, signature }: SignatureLine): string =>
  `\u2014 ${name} ${toBase64(concat([Uint8Array.from(id.match(/../g) ?? [], (two) => Number.parseInt(two, 16)), signature]))}\n`;

/** @returns null for a line that is no signature of a note. */
export function parseSignature(line: string): SignatureLine | null {
  const match = /^\u2014 (\S+) (\S+)$/u.exec(line);
  const bytes = match && fromBase64(match[2] as string);
  if (!match || !bytes || bytes.length < 5 || !NAME.test(match[1] as string)) return null;
  return { name: match[1] as string, id: toHex(bytes.subarray(0, 4)), signature: bytes.subarray(4) };
}

/** @returns null for a text that is no signed note. */
export function parseNote(text: string): Note | null {
  const gap = text.lastIndexOf('\n\n');
  if (gap < 0 || !text.endsWith('\n') || CONTROL.test(text)) return null;
  const lines = text.slice(gap + 2, -1).split('\n');
  const signatures = lines.map(parseSignature);
  if (lines.length > MAX_SIGNATURES || signatures.some((line) => line === null)) return null;
  return { text: text.slice(0, gap + 1), signatures: signatures as SignatureLine[] };
}

/** The text of a checkpoint, as it is signed: origin, size and root in Base64, a line each. */
export const formatCheckpoint = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${toBase64(root)}\n`;

/** @returns null for a text that is no checkpoint. Extension lines are not supported and refused. */
export function parseCheckpoint(text: string): Checkpoint | null {
  const match = /^([^\n]+)\n(0|[1-9]\d*)\n([A-Za-z0-9+/]+=*)\n$/.exec(text);
  const root = match && fromBase64(match[3] as string);
  const size = Number(match?.[2]);
  if (!match || root?.length !== 32 || !Number.isSafeInteger(size)) return null;
  return { origin: match[1] as string, size, root };
}

/** The message that a witness signs: this was the largest consistent tree it saw at this time (seconds since 1970). */
export const cosignedText = (time: number, text: string): string => `cosignature/v1\ntime ${time}\n${text}`;

/** Verifies an Ed25519 signature (RFC 8032). */
export type VerifyEd25519 = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => Promise<boolean>;

/** Verification with WebCrypto, in Node and browsers. @throws Error in a browser without Ed25519. */
export const webVerify: VerifyEd25519 = async (publicKey, message, signature) => {
  const key = await crypto.subtle.importKey('raw', publicKey as BufferSource, 'Ed25519', false, ['verify']);
  return crypto.subtle.verify('Ed25519', key, signature as BufferSource, message as BufferSource);
};

export type Verdict = { valid: true; time: number | null } | { valid: false; reason: 'absent' | 'wrong' };

/**
 * Verifies the signatures of a key on a note. One invalid signature of that key makes the result invalid, even beside a
 * valid one.
 *
 * @returns `time` (seconds since 1970) for a cosignature.
 */
export async function verifyNote(note: Note, key: VerifierKey, verify: VerifyEd25519 = webVerify): Promise<Verdict> {
  let found: Verdict = { valid: false, reason: 'absent' };
  for (const { name, id, signature } of note.signatures) {
    if (name !== key.name || id !== key.id) continue;
    const time = key.type === 4 && signature.length === 72 ? timeOf(signature) : null;
    const message = time === null ? note.text : cosignedText(time, note.text);
    const bytes = time === null ? signature : signature.subarray(8);
    const wellFormed = bytes.length === 64 && (key.type === 1 || time !== null);
    if (!wellFormed || !(await verify(key.publicKey, fromText(message), bytes)))
      return { valid: false, reason: 'wrong' };
    found = { valid: true, time };
  }
  return found;
}

/** The last second that a date can have. */
const MAX_TIME = 8_640_000_000_000n;

function timeOf(signature: Uint8Array): number | null {
  const time = new DataView(signature.buffer, signature.byteOffset, 8).getBigUint64(0);
  return time <= MAX_TIME ? Number(time) : null;
}

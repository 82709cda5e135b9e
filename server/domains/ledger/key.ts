import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { formatSignature, keyId, type VerifierKey } from '#verify/note.ts';
import { nodeSha256 } from '#verify/sources.ts';

/** PKCS #8 of an Ed25519 key, up to its 32 bytes (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface SigningKey {
  /** 32 bytes. */
  publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
}

/** @param seed 32 bytes. */
export function openSigningKey(seed: Uint8Array): SigningKey {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = new Uint8Array(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32));
  return { publicKey, sign: (message) => new Uint8Array(sign(null, message, key)) };
}

/** The log's public key under the log's name. */
export const verifierKeyOf = (origin: string, publicKey: Uint8Array): VerifierKey => ({
  name: origin,
  type: 1,
  id: keyId(origin, 1, publicKey, nodeSha256),
  publicKey,
});

/** @param text with its last line break. @returns the signed note. */
export function signNote(origin: string, key: SigningKey, text: string): string {
  const { name, id } = verifierKeyOf(origin, key.publicKey);
  return `${text}\n${formatSignature({ name, id, signature: key.sign(Buffer.from(text)) })}`;
}

import { hkdfSync } from 'node:crypto';
import {
  createKeyPairSignerFromBytes,
  createKeyPairSignerFromPrivateKeyBytes,
  getBase58Encoder,
  type KeyPairSigner,
} from '@solana/kit';

const KEY_BYTES = 64;
const SEED_BYTES = 32;

/**
 * Reads the deployer's key, in the format of `solana-keygen` (JSON list of 64 numbers) or in that of wallets (base58).
 * It cannot be read from the returned object.
 *
 * @throws RangeError which does not quote the text.
 */
export async function readSolanaKey(text: string): Promise<KeyPairSigner> {
  try {
    const bytes = text.trim().startsWith('[')
      ? Uint8Array.from(JSON.parse(text) as number[])
      : Uint8Array.from(getBase58Encoder().encode(text.trim()));
    if (bytes.length === KEY_BYTES) return await createKeyPairSignerFromBytes(bytes);
  } catch {
    // The parser's message would quote the key.
  }
  throw new RangeError('The Solana key is neither a JSON list of 64 numbers nor 64 bytes in base58');
}

/**
 * The secret from which the addresses of all tokens are derived: at least 32 bytes in hexadecimal digits.
 *
 * @throws RangeError which does not quote the text.
 */
export function readMintSeed(text: string): Uint8Array {
  const hex = text.trim();
  if (!/^([0-9a-f]{2})+$/i.test(hex) || hex.length < SEED_BYTES * 2)
    throw new RangeError(`The mint seed has less than ${SEED_BYTES} bytes in hexadecimal digits`);
  return Uint8Array.from(Buffer.from(hex, 'hex'));
}

/**
 * The key of a request's mint. It is derived from the request and the cluster, so the chain itself refuses to create a
 * request's token twice, and each cluster has another one.
 */
export const mintKey = (seed: Uint8Array, genesis: string, requestId: string): Promise<KeyPairSigner> =>
  createKeyPairSignerFromPrivateKeyBytes(
    new Uint8Array(hkdfSync('sha256', seed, `florka:mint:v1:${genesis}`, requestId.toLowerCase(), 32)),
  );

// Keys that the operator provides as text or in a file: they are in the memory of this process, and can't be read back from the
// returned objects.
import { parseSignature } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { readSolanaKey } from '../solana-keys.ts';
import type { EvmKey, SolanaKey } from './port.ts';

/** The key is local, so there is no service to query. */
const check = async (): Promise<void> => {};

/**
 * A key of EVM chains.
 *
 * @param text 64 hexadecimal digits, with or without 0x.
 * @throws RangeError which does not quote the text.
 */
export function evmFileKey(text: string): EvmKey {
  const account = accountOf(text);
  return { address: account.address, check, sign: async (hash) => parseSignature(await account.sign({ hash })) };
}

function accountOf(text: string): PrivateKeyAccount {
  try {
    return privateKeyToAccount(`0x${text.trim().replace(/^0x/i, '').toLowerCase()}`);
  } catch {
    // The library's error messages can quote the key.
    throw new RangeError('The key of the deployer is not 64 hexadecimal digits');
  }
}

/** A key of Solana, as {@link readSolanaKey} reads it. @throws RangeError which does not quote the text. */
export const solanaFileKey = async (text: string): Promise<SolanaKey> => ({ signer: await readSolanaKey(text), check });

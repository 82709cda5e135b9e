// Wallets with a real key of their own, for tests.
import { generateKeyPairSync, sign } from 'node:crypto';
import { base58 } from '@scure/base';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

export interface TestWallet {
  address: string;
  /** '0x' and hexadecimal digits, as in a wallet's response, or normalized. */
  sign: (message: string) => Promise<string>;
}

/** A wallet of Ethereum and compatible networks; its address has a checksum. */
export function evmWallet(): TestWallet {
  const account = privateKeyToAccount(generatePrivateKey());
  return { address: account.address, sign: (message) => account.signMessage({ message }) };
}

export function solanaWallet(): TestWallet {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    address: base58.encode(raw),
    sign: async (message) => `0x${sign(null, Buffer.from(message), privateKey).toString('hex')}`,
  };
}

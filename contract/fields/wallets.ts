// Validates the form of an address for a network. Browsers run this file too, so that forms and server agree.

import { EVM_CHAIN_IDS } from '../networks.ts';

/**
 * 'unchecksummed': well formed, but in one case, so a typing error is undetectable; 'pending': well formed, but the checksum
 * was not verified; 'unchecked': an unknown network.
 */
export type WalletCheck = 'ok' | 'unchecksummed' | 'pending' | 'invalid' | 'unchecked';

/** Writes an EVM address in the mixed case of its checksum: `checksummed` of evm-checksum.ts. */
export type Checksum = (address: string) => string;

/** True when addresses of a network have a checksum, which needs the hash function of evm-checksum.ts. */
export const hasEvmAddresses = (network: string): boolean => Object.hasOwn(EVM_CHAIN_IDS, network);

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Number of bytes that a base58 text encodes, leading zeros included; -1 when it is not base58. */
function base58Bytes(text: string): number {
  let value = 0n;
  for (const sign of text) {
    const digit = BASE58.indexOf(sign);
    if (digit < 0) return -1;
    value = value * 58n + BigInt(digit);
  }
  const zeros = /^1*/.exec(text)?.[0].length ?? 0;
  const hex = value === 0n ? '' : value.toString(16);
  return zeros + Math.ceil(hex.length / 2);
}

/**
 * Validates that a text can be the owner's address on a network. Its ownership cannot be verified.
 *
 * @param checksum null in a browser that has not loaded it: well-formed EVM addresses are 'pending' then.
 */
export function checkWallet(network: string, address: string, checksum: Checksum): Exclude<WalletCheck, 'pending'>;
export function checkWallet(network: string, address: string, checksum: Checksum | null): WalletCheck;
export function checkWallet(network: string, address: string, checksum: Checksum | null): WalletCheck {
  if (hasEvmAddresses(network)) {
    if (!/^0x[0-9a-fA-F]{40}$/.test(address) || /^0x0{40}$/.test(address)) return 'invalid';
    if (!checksum) return 'pending';
    const digits = address.slice(2);
    if (checksum(address) === address) return 'ok';
    return digits === digits.toLowerCase() || digits === digits.toUpperCase() ? 'unchecksummed' : 'invalid';
  }
  if (network === 'solana')
    // 32 ones are the System Program: assets sent to it are lost. Solana addresses have no checksum.
    return address.length >= 32 && address.length <= 44 && base58Bytes(address) === 32 && !/^1+$/.test(address)
      ? 'ok'
      : 'invalid';
  return 'unchecked';
}

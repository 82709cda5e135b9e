import { keccak256 } from './keccak.ts';

/** 'unchecksummed': well formed, but in one case, so a typing error would not show; 'unchecked': a network we don't know. */
export type WalletCheck = 'ok' | 'unchecksummed' | 'invalid' | 'unchecked';

const EVM = new Set(['ethereum', 'bnb', 'polygon']);

/** The mix of upper and lower case that protects an EVM address (EIP-55). */
export function checksummed(address: string): string {
  const hex = address.slice(2).toLowerCase();
  const hash = keccak256(Buffer.from(hex, 'ascii')).toString('hex');
  const signs = [...hex].map((sign, i) => (Number.parseInt(hash[i] ?? '0', 16) >= 8 ? sign.toUpperCase() : sign));
  return `0x${signs.join('')}`;
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Bytes that a base58 text stands for, leading zeros included; -1 when it is none. */
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

/** Whether a text can be the owner's address on a network. Nobody can tell whose it is. */
export function checkWallet(network: string, address: string): WalletCheck {
  if (EVM.has(network)) {
    if (!/^0x[0-9a-fA-F]{40}$/.test(address) || /^0x0{40}$/.test(address)) return 'invalid';
    const digits = address.slice(2);
    if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return 'unchecksummed';
    return checksummed(address) === address ? 'ok' : 'invalid';
  }
  if (network === 'solana')
    // 32 ones is the System Program: what is sent there is lost. No checksum exists.
    return address.length >= 32 && address.length <= 44 && base58Bytes(address) === 32 && !/^1+$/.test(address)
      ? 'ok'
      : 'invalid';
  return 'unchecked';
}

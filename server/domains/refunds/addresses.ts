import { createHash } from 'node:crypto';
import { bech32, bech32m, createBase58check } from '@scure/base';
import { checksummed } from '#contract/fields/evm-checksum.ts';
import { checkWallet } from '#contract/fields/wallets.ts';
import type { RefundChain } from '#contract/refund-assets.ts';

const base58check = createBase58check((bytes) => createHash('sha256').update(bytes).digest());

/** Version bytes of addresses, by chain. Those of old Litecoin script addresses equal Bitcoin's, so they are refused. */
const VERSIONS = { tron: [0x41], bitcoin: [0x00, 0x05], litecoin: [0x30, 0x32] } as const;
const PREFIX = { bitcoin: 'bc', litecoin: 'ltc' } as const;

/**
 * Twenty bytes in hex without a known private key, where money would be lost: one byte repeated, a chain's own contracts, and
 * common burn addresses.
 */
const KEYLESS = /^(?:(..)\1{19}|0{36}.{4}|dead0{36}|(?:dead){10})$/;

/**
 * True when money of a chain can be sent to an address: format and checksum are valid, and it is not a known burn address. The
 * owner can't be verified.
 */
export function isAddressOf(chain: RefundChain, address: string): boolean {
  switch (chain) {
    case 'evm':
      return (
        ['ok', 'unchecksummed'].includes(checkWallet('ethereum', address, checksummed)) &&
        !KEYLESS.test(address.slice(2).toLowerCase())
      );
    case 'solana':
      return checkWallet('solana', address, checksummed) === 'ok';
    case 'tron':
      return hasVersion(address, VERSIONS.tron);
    case 'bitcoin':
    case 'litecoin':
      return hasVersion(address, VERSIONS[chain]) || isSegwit(address, PREFIX[chain]);
  }
}

function hasVersion(address: string, versions: readonly number[]): boolean {
  try {
    const bytes = base58check.decode(address);
    const [version = -1, ...hash] = bytes;
    return hash.length === 20 && versions.includes(version) && !KEYLESS.test(Buffer.from(hash).toString('hex'));
  } catch {
    return false;
  }
}

/** BIP 173 and 350: version 0 uses the first checksum, later ones the second. */
function isSegwit(address: string, prefix: string): boolean {
  for (const [coder, later] of [
    [bech32, false],
    [bech32m, true],
  ] as const)
    try {
      const { prefix: found, words } = coder.decode(address as `${string}1${string}`);
      const [version = -1, ...rest] = words;
      const { length } = coder.fromWords(rest);
      const sized = version === 0 ? length === 20 || length === 32 : length >= 2 && length <= 40;
      if (found === prefix && version <= 16 && version > 0 === later && sized) return true;
    } catch {
      // Another checksum, or none.
    }
  return false;
}

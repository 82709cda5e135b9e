// The checksum of EVM addresses (EIP-55), in a module of its own because of its hash function: browsers load it only when an
// EVM address has to be validated (app/lib/forms/useChecksum.ts).
import { keccak_256 } from '@noble/hashes/sha3.js';

/**
 * The address in the mixed case that serves as its checksum.
 *
 * @param address 0x and 40 hexadecimal digits, in any case.
 */
export function checksummed(address: string): string {
  const hex = address.slice(2).toLowerCase();
  const hash = keccak_256(new TextEncoder().encode(hex));
  // Each digit's case follows from four bits of the hash.
  const digits = [...hex].map((digit, i) =>
    ((hash[i >> 1] ?? 0) >> (i % 2 ? 0 : 4)) & 8 ? digit.toUpperCase() : digit,
  );
  return `0x${digits.join('')}`;
}

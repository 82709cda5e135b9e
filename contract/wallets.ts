// Whether an address can belong to a network. Browsers run this file too, so that a form says the same as the server.

const MASK = (1n << 64n) - 1n;
const rotate = (value: bigint, by: bigint) => ((value << by) | (value >> (64n - by))) & MASK;

/** Round constants and rotations, computed as the standard defines them (FIPS 202, 3.2). */
const [ROUNDS, ROTATIONS] = (() => {
  let register = 1;
  const bit = () => {
    const out = register & 1;
    register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1;
    return out;
  };
  const rounds = Array.from({ length: 24 }, () => {
    let constant = 0n;
    for (let j = 0; j <= 6; j++) if (bit()) constant |= 1n << BigInt(2 ** j - 1);
    return constant;
  });
  const rotations = Array<bigint>(25).fill(0n);
  for (let t = 0, x = 1, y = 0; t < 24; t++) {
    rotations[x + 5 * y] = BigInt((((t + 1) * (t + 2)) / 2) % 64);
    [x, y] = [y, (2 * x + 3 * y) % 5];
  }
  return [rounds, rotations];
})();

const lane = (lanes: bigint[], x: number, y: number) => lanes[(x % 5) + 5 * (y % 5)] ?? 0n;

function permute(start: bigint[]): bigint[] {
  let a = start;
  for (const constant of ROUNDS) {
    const c = [0, 1, 2, 3, 4].map((x) => [0, 1, 2, 3, 4].reduce((sum, y) => sum ^ lane(a, x, y), 0n));
    const d = c.map((_, x) => (c[(x + 4) % 5] ?? 0n) ^ rotate(c[(x + 1) % 5] ?? 0n, 1n));
    const b = Array<bigint>(25).fill(0n);
    a.forEach((value, i) => {
      const [x, y] = [i % 5, Math.floor(i / 5)];
      b[y + 5 * ((2 * x + 3 * y) % 5)] = rotate(value ^ (d[x] ?? 0n), ROTATIONS[i] ?? 0n);
    });
    a = b.map((value, i) => {
      const [x, y] = [i % 5, Math.floor(i / 5)];
      return value ^ (~lane(b, x + 1, y) & MASK & lane(b, x + 2, y));
    });
    a[0] = (a[0] ?? 0n) ^ constant;
  }
  return a;
}

/**
 * 256-bit sponge over Keccak-f[1600], for the checksum in addresses: nothing secret depends on it. Node has SHA-3, which
 * is the same but for the first byte of the padding; wallets.test.ts compares the two.
 *
 * @param suffix 0x01 for Keccak-256 as Ethereum uses it, 0x06 for SHA3-256.
 */
export function keccak256(input: Uint8Array, suffix: 0x01 | 0x06 = 0x01): Uint8Array {
  const rate = 136;
  const padded = new Uint8Array(Math.ceil((input.length + 1) / rate) * rate);
  padded.set(input);
  padded[input.length] = suffix;
  padded[padded.length - 1] = (padded.at(-1) ?? 0) | 0x80;
  const words = new DataView(padded.buffer);
  let lanes = Array<bigint>(25).fill(0n);
  for (let block = 0; block < padded.length; block += rate)
    lanes = permute(lanes.map((value, i) => (i < rate / 8 ? value ^ words.getBigUint64(block + 8 * i, true) : value)));
  const out = new DataView(new ArrayBuffer(32));
  for (let i = 0; i < 4; i++) out.setBigUint64(8 * i, lanes[i] ?? 0n, true);
  return new Uint8Array(out.buffer);
}

/** 'unchecksummed': well formed, but in one case, so a typing error would not show; 'unchecked': a network we don't know. */
export type WalletCheck = 'ok' | 'unchecksummed' | 'invalid' | 'unchecked';

const EVM = new Set(['ethereum', 'bnb', 'polygon']);

/** The mix of upper and lower case that protects an EVM address (EIP-55). */
export function checksummed(address: string): string {
  const hex = address.slice(2).toLowerCase();
  const hash = keccak256(new TextEncoder().encode(hex));
  const signs = [...hex].map((sign, i) => (((hash[i >> 1] ?? 0) >> (i % 2 ? 0 : 4)) & 8 ? sign.toUpperCase() : sign));
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
    if (checksummed(address) === address) return 'ok';
    return digits === digits.toLowerCase() || digits === digits.toUpperCase() ? 'unchecksummed' : 'invalid';
  }
  if (network === 'solana')
    // 32 ones is the System Program: what is sent there is lost. No checksum exists.
    return address.length >= 32 && address.length <= 44 && base58Bytes(address) === 32 && !/^1+$/.test(address)
      ? 'ok'
      : 'invalid';
  return 'unchecked';
}

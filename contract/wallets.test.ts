import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checksummed, checkWallet, keccak256 } from './wallets.ts';

describe('Keccak-256', () => {
  it('is SHA3-256 of Node but for the padding, at every length around a block', () => {
    for (let length = 0; length < 420; length += length < 130 ? 13 : 1) {
      const input = Buffer.alloc(length, length);
      expect(Buffer.from(keccak256(input, 0x06)).toString('hex')).toBe(
        createHash('sha3-256').update(input).digest('hex'),
      );
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (input) => {
        expect(createHash('sha3-256').update(input).digest().equals(keccak256(input, 0x06))).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ['', 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
    ['testing', '5f16f4c7f149ac4f9510d9cf8cf384038ad348b3bcdc01915f95de12df9d1b02'],
    ['Transfer(address,address,uint256)', 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'],
  ])('of %j', (text, hex) => {
    expect(Buffer.from(keccak256(Buffer.from(text))).toString('hex')).toBe(hex);
  });
});

/** Examples of the standard itself (EIP-55). */
const EIP55 = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];

describe('wallets', () => {
  it.each(EIP55)('%s is right, and wrong with one letter in another case', (address) => {
    expect(checksummed(address.toLowerCase())).toBe(address);
    for (const network of ['ethereum', 'bnb', 'polygon']) expect(checkWallet(network, address)).toBe('ok');
    const at = [...address].findIndex((sign, i) => i > 1 && /[a-f]/i.test(sign));
    const sign = address[at] ?? '';
    const other = sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase();
    expect(checkWallet('ethereum', address.slice(0, at) + other + address.slice(at + 1))).toBe('invalid');
    expect(checkWallet('ethereum', address.toLowerCase())).toBe('unchecksummed');
    expect(checkWallet('ethereum', `0x${address.slice(2).toUpperCase()}`)).toBe('unchecksummed');
  });

  it.each([
    ['ethereum', '0x0000000000000000000000000000000000000000'],
    ['ethereum', '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['ethereum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe'],
    ['ethereum', 'So11111111111111111111111111111111111111112'],
    ['solana', EIP55[0] ?? ''],
    ['solana', '11111111111111111111111111111111'],
    ['solana', 'So1111111111111111111111111111111111111111O'],
    ['solana', '1111111111111111111111111111111'],
    ['solana', 'zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz'],
  ])('%s: %s is none', (network, address) => {
    expect(checkWallet(network, address)).toBe('invalid');
  });

  it('knows Solana addresses, and leaves networks alone that it does not know', () => {
    for (const address of [
      'So11111111111111111111111111111111111111112',
      'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
      'SysvarC1ock11111111111111111111111111111111',
    ])
      expect(checkWallet('solana', address)).toBe('ok');
    expect(checkWallet('tron', 'anything')).toBe('unchecked');
    // Without a letter there is no case to get wrong.
    expect(checkWallet('bnb', `0x${'12345'.repeat(8)}`)).toBe('ok');
  });
});

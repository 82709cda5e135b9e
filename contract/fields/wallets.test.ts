import { describe, expect, it } from 'vitest';
import { checksummed } from './evm-checksum.ts';
import { checkWallet, hasEvmAddresses } from './wallets.ts';

/** Examples from EIP-55. */
const EIP55 = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];

describe('the check of a wallet address', () => {
  it.each(EIP55)('accepts %s, and refuses it with one letter in the other case', (address) => {
    expect(checksummed(address.toLowerCase())).toBe(address);
    for (const network of ['ethereum', 'bnb', 'polygon']) expect(checkWallet(network, address, checksummed)).toBe('ok');
    const at = [...address].findIndex((sign, i) => i > 1 && /[a-f]/i.test(sign));
    const sign = address[at] ?? '';
    const other = sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase();
    expect(checkWallet('ethereum', address.slice(0, at) + other + address.slice(at + 1), checksummed)).toBe('invalid');
    expect(checkWallet('ethereum', address.toLowerCase(), checksummed)).toBe('unchecksummed');
    expect(checkWallet('ethereum', `0x${address.slice(2).toUpperCase()}`, checksummed)).toBe('unchecksummed');
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
  ])('refuses for %s: %s', (network, address) => {
    expect(checkWallet(network, address, checksummed)).toBe('invalid');
  });

  it('accepts Solana addresses, and does not check those of unknown networks', () => {
    for (const address of [
      'So11111111111111111111111111111111111111112',
      'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
      'SysvarC1ock11111111111111111111111111111111',
    ])
      expect(checkWallet('solana', address, checksummed)).toBe('ok');
    expect(checkWallet('tron', 'anything', checksummed)).toBe('unchecked');
    // Without letters there is no case to validate.
    expect(checkWallet('bnb', `0x${'12345'.repeat(8)}`, checksummed)).toBe('ok');
  });

  it('is pending for a well-formed EVM address while the checksum function is not loaded', () => {
    const [right = ''] = EIP55;
    for (const address of [right, right.toLowerCase(), right.replace('0x5a', '0x5A')])
      expect(checkWallet('ethereum', address, null)).toBe('pending');
    expect(checkWallet('ethereum', right.slice(0, -1), null)).toBe('invalid');
    expect(checkWallet('solana', 'So11111111111111111111111111111111111111112', null)).toBe('ok');
    expect(['ethereum', 'bnb', 'polygon', 'solana', 'tron', ''].filter(hasEvmAddresses)).toEqual([
      'ethereum',
      'bnb',
      'polygon',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { draftData } from '../domains/token-requests.ts';
import { creatableOn } from '../networks.ts';
import { checksummed } from './evm-checksum.ts';
import { creationErrors, EMPTY_DRAFT, isConfusable, maxSupplyOf, type TokenInput } from './token-form.ts';

const GOOD: TokenInput = {
  requestId: '5b6c5a3e-0d0b-4b6e-9a55-000000000000',
  tokenName: 'Ajolote',
  tokenSymbol: 'AJO',
  network: 'solana',
  totalSupply: '1000000000',
  ownerWallet: '4Nd1mYQFk8xq6w1J9nRzJ4qgJd6vY2m3t9pS5rW8aBcD',
  description: '',
  confirmation: 'AJO',
  lookAlikeAccepted: false,
};
const fieldErrors = (over: Partial<TokenInput>) =>
  creationErrors({ ...GOOD, confirmation: over.tokenSymbol ?? GOOD.tokenSymbol, ...over }, checksummed);

describe('a token to create', () => {
  it('has at most the supply that its chain can represent [AMB-189]', () => {
    expect(maxSupplyOf('solana')).toBe(18_446_744_073_709n);
    expect(fieldErrors({ totalSupply: '18446744073709' })).toEqual({});
    expect(fieldErrors({ totalSupply: '18446744073710' })).toEqual({ totalSupply: 'supplyTooLarge' });
    const evm = { network: 'ethereum', ownerWallet: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' } as const;
    expect(fieldErrors({ ...evm, totalSupply: '9007199254740991' })).toEqual({});
    expect(fieldErrors({ ...evm, totalSupply: '9007199254740992' })).toEqual({ totalSupply: 'supplyTooLarge' });
    expect(fieldErrors({ totalSupply: '1' })).toEqual({});
  });

  it('has a symbol with limits in characters and in bytes, without invisible characters, and confirmed exactly', () => {
    expect(fieldErrors({ tokenSymbol: 'ABCDEF' })).toEqual({});
    expect(fieldErrors({ tokenSymbol: 'ABCDEFG' })).toEqual({ tokenSymbol: 'symbolLong' });
    // Six characters of seven UTF-16 units and nine bytes.
    expect(fieldErrors({ tokenSymbol: '🚀ABCDE' })).toEqual({});
    expect(fieldErrors({ confirmation: 'ajo' })).toEqual({ confirmation: 'confirmationDiffers' });
    expect(fieldErrors({ tokenSymbol: 'ÑÑÑÑÑ' })).toEqual({});
    expect(fieldErrors({ tokenSymbol: 'ÑÑÑÑÑA' })).toEqual({ tokenSymbol: 'symbolBytes' });
    expect(fieldErrors({ tokenSymbol: 'A\u200bB' })).toEqual({ tokenSymbol: 'unprintable' });
  });

  it('is on Solana, Ethereum, BNB Smart Chain or Polygon [AMB-55] [AMB-216]', () => {
    expect(['solana', 'ethereum', 'bnb', 'polygon', 'binance', ''].map((one) => creatableOn(one))).toEqual([
      'solana',
      'ethereum',
      'binance',
      'polygon',
      null,
      null,
    ]);
  });
});

describe('the warning about confusable names', () => {
  it.each(['USDС', 'ВТС', 'ＳＯＬ', '𝐒𝐎𝐋', 'Εthereum', 'Ꭺpple'])('is given for %s', (text) => {
    expect(isConfusable(text)).toBe(true);
  });
  it.each(['USDC', 'Ñandú', 'Ajolote 2', '東京', 'Привет мир', 'Ελλάδα', 'A1-b'])('is not given for %s', (text) => {
    expect(isConfusable(text)).toBe(false);
  });
});

it('an empty token request has every field, each with a value that its schema accepts', () => {
  expect(draftData.parse(EMPTY_DRAFT)).toEqual(EMPTY_DRAFT);
});

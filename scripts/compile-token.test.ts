import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { compileToken } from './compile-token.ts';

const committed = (name: string) =>
  readFileSync(path.resolve(import.meta.dirname, '../server/providers/chains/contracts', name), 'utf8');

test('the committed contract is what its sources compile to, byte for byte', () => {
  for (const [name, text] of Object.entries(compileToken())) expect(text === committed(name), name).toBe(true);
}, 60_000);

test('the contract has nothing but what a token of fixed supply needs', () => {
  const { abi } = JSON.parse(committed('LaunchToken.json')) as { abi: { type: string; name?: string }[] };
  expect(abi.filter(({ type }) => type === 'function').map(({ name }) => name)).toEqual([
    ...['allowance', 'approve', 'balanceOf', 'decimals', 'name', 'symbol', 'totalSupply', 'transfer', 'transferFrom'],
  ]);
  expect(abi.filter(({ type }) => type === 'fallback' || type === 'receive')).toEqual([]);
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Hex, keccak256 } from 'viem';
import { expect, test } from 'vitest';
import { checkPlan, planOf } from '#server/providers/chains/evm-token.ts';
import { compileToken } from './compile-token.ts';

const committed = (name: string) =>
  readFileSync(path.resolve(import.meta.dirname, '../server/providers/chains/contracts', name), 'utf8');

test('the committed contract equals the compiled sources, byte for byte', () => {
  for (const [name, text] of Object.entries(compileToken())) expect(text === committed(name), name).toBe(true);
}, 60_000);

test('the signer knows the version and code hash of the committed contract', () => {
  const order = {
    requestId: '00000000-0000-4000-8000-000000000001',
    name: 'Axolotl',
    symbol: 'AJO',
    supply: 1_000n,
    owner: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    metadataUrl: 'https://florka.test/token-metadata/1.json',
  };
  const { codeHash } = checkPlan(1, planOf(1, order, 1n), order);
  const { runtimeCode } = JSON.parse(committed('LaunchToken.json')) as { runtimeCode: Hex };
  expect(keccak256(runtimeCode)).toBe(codeHash);
});

test('the contract has only the functions of an ERC-20 token of fixed supply', () => {
  const { abi } = JSON.parse(committed('LaunchToken.json')) as { abi: { type: string; name?: string }[] };
  expect(abi.filter(({ type }) => type === 'function').map(({ name }) => name)).toEqual([
    ...['allowance', 'approve', 'balanceOf', 'decimals', 'name', 'symbol', 'totalSupply', 'transfer', 'transferFrom'],
  ]);
  expect(abi.filter(({ type }) => type === 'fallback' || type === 'receive')).toEqual([]);
});

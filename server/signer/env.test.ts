import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readSignerEnv } from './env.ts';

const KEY = 'ab'.repeat(32);

function keyFile(mode: number): string {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'florka-key-')), 'key');
  writeFileSync(file, `${KEY}\n`);
  chmodSync(file, mode);
  return file;
}

const read = (file: string, more: NodeJS.ProcessEnv = {}) =>
  readSignerEnv({
    SIGNER_ETHEREUM_RPC_URL: 'http://127.0.0.1:1',
    SIGNER_ETHEREUM_KEY_FILE: file,
    ...more,
  } as NodeJS.ProcessEnv);

test.skipIf(process.platform === 'win32')(
  'a key file must be accessible to its owner only; systemd may provide one that the group can read',
  () => {
    for (const mode of [0o600, 0o400]) expect(read(keyFile(mode)).workers[0]?.key).toBe(KEY);
    for (const mode of [0o640, 0o604, 0o620, 0o440])
      expect(() => read(keyFile(mode)), mode.toString(8)).toThrow(/chmod 600/);

    const handed = (mode: number) => {
      const file = keyFile(mode);
      return read(file, { CREDENTIALS_DIRECTORY: path.dirname(file) });
    };
    expect(handed(0o440).workers[0]?.key).toBe(KEY);
    for (const mode of [0o444, 0o460]) expect(() => handed(mode), mode.toString(8)).toThrow(/chmod 600/);
    const elsewhere = { CREDENTIALS_DIRECTORY: path.dirname(keyFile(0o440)) };
    expect(() => read(keyFile(0o440), elsewhere)).toThrow(/chmod 600/);
  },
);

test('the maximum price of gas is given in gwei', async () => {
  const worker = (gwei: string) => read(keyFile(0o600), { SIGNER_ETHEREUM_MAX_FEE_GWEI: gwei }).workers[0];
  expect(worker('2.5')).toMatchObject({ MAX_FEE_GWEI: 2.5 });
  for (const wrong of ['0', '-1', 'much', '1e9']) expect(() => worker(wrong)).toThrow(/SIGNER_ETHEREUM_MAX_FEE_GWEI/);
});

test('the former name of the maximum price of gas is accepted, with a warning', async () => {
  const former = { SIGNER_ETHEREUM_FEE_MOST_GWEI: '2.5' };
  const { workers, warnings } = read(keyFile(0o600), former);
  expect(workers[0]).toMatchObject({ MAX_FEE_GWEI: 2.5 });
  expect(warnings).toEqual(['SIGNER_ETHEREUM_FEE_MOST_GWEI was renamed: SIGNER_ETHEREUM_MAX_FEE_GWEI']);
  expect(read(keyFile(0o600), { SIGNER_ETHEREUM_MAX_FEE_GWEI: '3' }).warnings).toEqual([]);
  const both = { ...former, SIGNER_ETHEREUM_MAX_FEE_GWEI: '3' };
  expect(() => read(keyFile(0o600), both)).toThrow(/only one of them/);
  expect(() => read(keyFile(0o600), { SIGNER_SOLANA_FEE_MOST_GWEI: '3' })).toThrow(
    /unknown: SIGNER_SOLANA_FEE_MOST_GWEI/,
  );
});

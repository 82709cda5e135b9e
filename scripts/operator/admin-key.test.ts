import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, expect, it, vi } from 'vitest';
import { isSignedBy, statementText, validAcceptance } from '#server/domains/payments/proof/signer-evidence.service.ts';
import { bareEnv } from '#tests/support/processes/programs.ts';
import { makeAdminKey, readHiddenLine, signAcceptance } from './admin-key.ts';

// Each command is a process of its own.
vi.setConfig({ testTimeout: 60_000 });

const folder = mkdtempSync(path.join(os.tmpdir(), 'florka-admin-key-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const PASSPHRASE = 'correct horse battery';

/** What a command prints and refuses, with this passphrase typed. */
async function printed(command: (read: () => Promise<string>) => Promise<boolean>, typed: string) {
  const out: string[] = [];
  const err: string[] = [];
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((line) => out.push(String(line))),
    vi.spyOn(console, 'error').mockImplementation((line) => err.push(String(line))),
  ];
  try {
    const done = await command(async () => typed);
    return { code: done ? 0 : 1, out: out.join('\n'), err: err.join('\n') };
  } catch (error) {
    return { code: 1, out: out.join('\n'), err: (error as Error).message };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
const florka = ([, command, file = '', statement = '']: string[], typed: string) =>
  printed((read) => (command === 'key' ? makeAdminKey(file, read) : signAcceptance(file, statement, read)), typed);

it('admin key reads the passphrase from a pipe', async () => {
  const file = path.join(folder, 'piped.key');
  const child = spawn(process.execPath, ['scripts/florka.ts', 'admin', 'key', file], {
    env: bareEnv() as never,
  });
  child.stdin.end(`${PASSPHRASE}\nmore`);
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
  const statement = path.join(folder, 'none.json');
  writeFileSync(statement, '{}');
  expect(await florka(['admin', 'sign', file, statement], PASSPHRASE)).toMatchObject({
    err: expect.stringContaining('not contain a statement'),
  });
});

it('the terminal prompt reads one line at a time, applies backspaces, and echoes no input', async () => {
  const raw: boolean[] = [];
  const terminal = Object.assign(new PassThrough(), { setRawMode: (on: boolean) => raw.push(on) });
  const shown: string[] = [];
  const read = (question: string, typed: string) => {
    const line = readHiddenLine(question, terminal, { write: (text) => shown.push(text) });
    terminal.write(typed);
    return line;
  };
  expect(await read('Passphrase: ', `${PASSPHRASE}x\u007f\r`)).toBe(PASSPHRASE);
  expect(await read('Once more: ', `${PASSPHRASE}\n`)).toBe(PASSPHRASE);
  await expect(read('Again: ', 'abc\u0003')).rejects.toThrow('Nothing was done.');
  expect(raw).toEqual([true, false, true, false, true, false]);
  expect(shown).toEqual(['Passphrase: ', '\n', 'Once more: ', '\n', 'Again: ', '\n']);
});

it('admin key makes a key that only its passphrase opens, and admin sign signs a statement of the site without a database', async () => {
  const file = path.join(folder, 'admin.key');
  const short = await florka(['admin', 'key', file], 'short');
  expect(short).toMatchObject({ code: 1, err: expect.stringContaining('12 characters') });
  const made = await florka(['admin', 'key', file], PASSPHRASE);
  expect(made).toMatchObject({ code: 0, err: '' });
  const publicKey = /SIGNER_ADMIN_KEYS=(\S+)/.exec(made.out)?.[1] ?? '';
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await florka(['admin', 'key', file], PASSPHRASE)).toMatchObject({
    code: 1,
    err: expect.stringContaining('EEXIST'),
  });

  const requestId = '5b2ad9f0-6a0c-4f7e-9b0c-1f2e3d4c5b6a';
  const text = statementText({
    what: 'florka payment acceptance 2',
    requestId,
    orderId: 'FL-0000000001',
    token: { network: 'ethereum', owner: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', name: 'Ajolote', symbol: 'AJO' },
    priceUsd: 50,
    deposits: [{ paymentId: '77', amount: '0.019', currency: 'eth' }],
    reason: 'Falta la comisión',
    at: '2026-03-10T12:00:00.000Z',
  });
  const statement = path.join(folder, 'statement.json');
  writeFileSync(statement, `${text}\n`);
  const wrong = await florka(['admin', 'sign', file, statement], 'another passphrase');
  expect(wrong).toMatchObject({ code: 1, out: '', err: expect.stringContaining('not the passphrase') });
  const signed = await florka(['admin', 'sign', file, statement], PASSPHRASE);
  expect(signed).toMatchObject({ code: 0, err: expect.stringContaining('0.019 eth (deposit 77)') });
  expect(signed.err).toContain('its whole supply goes to 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed');
  const acceptance = JSON.parse(signed.out) as { statement: string; publicKey: string; signature: string };
  expect(acceptance).toMatchObject({ statement: text, publicKey });
  expect(validAcceptance(acceptance, { requestId, adminKeys: [publicKey] })).toMatchObject({
    orderId: 'FL-0000000001',
  });
  expect(validAcceptance(acceptance, { requestId, adminKeys: [] })).toBeNull();
  expect(isSignedBy({ ...acceptance, statement: text.replace('0.019', '0.01') })).toBe(false);

  // Somebody puts another public key into the file: it opens no more.
  const content = JSON.parse(readFileSync(file, 'utf8')) as { publicKey: string };
  writeFileSync(file, JSON.stringify({ ...content, publicKey: Buffer.alloc(32, 7).toString('base64') }));
  expect(await florka(['admin', 'sign', file, statement], PASSPHRASE)).toMatchObject({ code: 1, out: '' });
  writeFileSync(statement, '{"what":"florka payment acceptance 1"}');
  expect(await florka(['admin', 'sign', file, statement], PASSPHRASE)).toMatchObject({ code: 1, out: '' });
});

import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startEmulator } from '../../../emulator/emulator.ts';
import { openPayments } from './open.ts';

const POLL = { timeout: 60_000, interval: 10 };

const root = path.resolve(import.meta.dirname, '../../..');
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'florka-emulator-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const env = {
  DEMO: true,
  DATA_DIR: dataDir,
  AUTH_SECRET: 'x'.repeat(40),
  NOWPAYMENTS_URL: 'https://api.nowpayments.io/v1',
};
const at = { publicUrl: 'http://florka.test', localUrl: 'http://127.0.0.1:9', root, warn: () => {} };
const invoice = {
  orderId: 'FL-0000000001',
  priceUsd: 50,
  description: 'x',
  callbackUrl: 'http://127.0.0.1:9/',
  returnUrl: 'http://x/',
};

describe('the emulator as a separate program', () => {
  it('starts with the first payment, or at once if there are earlier ones', async () => {
    const folder = path.join(dataDir, 'idle');
    const idle = openPayments({ ...env, DATA_DIR: folder }, at);
    // The jobs of every minute do not start it.
    expect(await idle?.provider.recent(0)).toEqual({ deposits: [], complete: true });
    expect(await idle?.provider.everything(() => Promise.reject(new Error('there is no deposit')))).toBe('whole');
    expect(idle?.emulator?.running).toBe(false);
    await idle?.provider.createInvoice(invoice);
    expect(idle?.emulator?.running).toBe(true);
    expect(await idle?.provider.recent(0)).toMatchObject({ complete: true });
    idle?.close();
    await expect.poll(() => idle?.emulator?.running, POLL).toBe(false);
    const again = openPayments({ ...env, DATA_DIR: folder }, at);
    expect(again?.emulator?.running).toBe(true);
    again?.close();
  });

  it('runs in its own process, and keeps its state over a restart', async () => {
    const first = openPayments(env, at);
    const made = await first?.provider.createInvoice(invoice);
    expect(made?.url).toBe(`http://florka.test/sandbox/pay/${made?.invoiceId}`);
    expect(first).toMatchObject({
      callbackUrl: 'http://127.0.0.1:9/webhooks/nowpayments',
      provider: { simulation: true },
    });
    expect(readFileSync(path.join(dataDir, 'emulator/state.json'), 'utf8')).toContain('FL-0000000001');
    first?.close();
    const second = openPayments(env, at);
    const page = await fetch(`${await second?.emulator?.origin()}/sandbox/pay/${made?.invoiceId}`);
    expect(await page.text()).toContain('FL-0000000001');
    expect(await second?.provider.deposits({ invoiceId: made?.invoiceId ?? '', orderId: 'x' })).toEqual({
      deposits: [],
      complete: true,
    });
    second?.close();
  });

  it('completes a payment that a restart interrupted', async () => {
    const options = {
      apiKey: 'a',
      ipnSecret: 'b',
      pageBase: 'http://florka.test/sandbox',
      file: path.join(dataDir, 'cut/state.json'),
    };
    const first = await startEmulator({ ...options, pace: 1_000 });
    const made = await fetch(`${first.origin}/v1/invoice`, {
      method: 'POST',
      headers: { 'x-api-key': 'a' },
      body: JSON.stringify({ price_amount: 50, price_currency: 'usd', order_id: 'FL-0000000009' }),
    });
    const { id } = (await made.json()) as { id: string };
    void first.apply(Number(id), 'pay_all');
    await expect.poll(() => first.payments(Number(id))[0]?.payment_status, POLL).toBe('confirming');
    await first.close();
    const second = await startEmulator({ ...options, pace: 0 });
    await expect.poll(() => second.payments(Number(id))[0]?.payment_status, POLL).toBe('finished');
    expect(second.payments(Number(id))[0]).toMatchObject({
      order_id: 'FL-0000000009',
      pay_amount: 50,
      actually_paid: 50,
    });
    await second.close();
  });

  it('ends when its parent closes the channel', async () => {
    const open = openPayments(env, at);
    const origin = await open?.emulator?.origin();
    open?.close();
    const gone = () =>
      fetch(`${origin}/v1/status`).then(
        () => false,
        () => true,
      );
    await expect.poll(gone).toBe(true);
  });

  it('ignores the signals that its parent receives too, and ends with the channel', async () => {
    const child = fork(path.join(root, 'emulator/main.ts'), {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {
        PATH: process.env['PATH'],
        DEMO: 'on',
        EMULATOR_API_KEY: 'a',
        EMULATOR_IPN_SECRET: 'b',
        EMULATOR_PAGE_BASE: 'http://x',
      },
    });
    const [{ origin }] = (await once(child, 'message')) as [{ origin: string }];
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      child.kill(signal);
      expect((await fetch(`${origin}/v1/status`)).status).toBe(200);
    }
    expect([child.exitCode, child.signalCode]).toEqual([null, null]);
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  const run = (over: NodeJS.ProcessEnv) =>
    spawnSync(process.execPath, ['emulator/main.ts'], {
      cwd: root,
      encoding: 'utf8',
      timeout: 10_000,
      env: {
        PATH: process.env['PATH'],
        EMULATOR_API_KEY: 'a',
        EMULATOR_IPN_SECRET: 'b',
        EMULATOR_PAGE_BASE: 'http://x',
        ...over,
      },
    });

  it.each([[{ DEMO: 'on', NOWPAYMENTS_API_KEY: 'real' }], [{ DEMO: 'off' }], [{}], [{ NODE_ENV: 'production' }]])(
    'refuses to run with %j',
    (over) => {
      const { status, stderr } = run(over);
      expect([status, stderr]).toEqual([1, expect.stringContaining('runs only with DEMO=on')]);
    },
  );
});

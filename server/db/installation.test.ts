import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { openPool } from '#server/db/client.ts';
import { claimInstallation, readPause, setPaused } from '#server/db/installation.ts';
import { startWorker } from '#server/jobs/worker.ts';
import { queueMail } from '#server/mail/mail.ts';
import type { Probe } from '#server/providers/chains/port.ts';
import { runWorker } from '#server/signer/workers.ts';
import { startDatabaseProxy } from '#tests/support/database/tcp-proxy.ts';
import { onDatabase, runStatements } from '#tests/support/database/test-server.ts';
import { paymentRig } from '#tests/support/payments/payments.ts';
import { runFlorka, urlOf } from '#tests/support/processes/florka.ts';

vi.setConfig({ testTimeout: 180_000 });

const { app, draft, order, fake, send } = await paymentRig();
const NOW = new Date('2026-03-10T12:00:00.000Z');

/** A copy of another database, like a dump that is loaded elsewhere. */
async function copyOf(config: pg.ClientConfig): Promise<pg.Pool> {
  const { template: _, ...server } = inject('testServer');
  const source = new pg.Client(config);
  await source.connect();
  const { rows } = await source.query<{ name: string }>('select current_database() as name');
  await source.end();
  const name = `florka_copy_${process.pid}_${randomBytes(4).toString('hex')}`;
  await runStatements(server, `create database ${name} template ${rows[0]?.name} strategy file_copy`);
  const pool = openPool({ ...onDatabase(server, name), max: 3 });
  onTestFinished(async () => {
    await pool.end();
    await runStatements(server, `drop database if exists ${name} with (force)`);
  });
  return pool;
}

/** A separate database with the tables of the program, claimed by its first start. */
async function original(): Promise<pg.ClientConfig> {
  const { template, ...server } = inject('testServer');
  const name = `florka_orig_${process.pid}_${randomBytes(4).toString('hex')}`;
  await runStatements(server, `create database ${name} template ${template} strategy file_copy`);
  onTestFinished(() => runStatements(server, `drop database if exists ${name} with (force)`));
  const config = onDatabase(server, name);
  const pool = openPool({ ...config, max: 2 });
  expect(await claimInstallation(pool, NOW)).toBeNull();
  expect(await claimInstallation(pool, NOW)).toBeNull();
  await pool.end();
  return config;
}

describe('an installation on a copied database', () => {
  it('is paused, also before its first start, until it is resumed', async () => {
    const copy = await copyOf(await original());
    expect(await readPause(copy)).toMatchObject({ reason: 'copied' });
    expect(await claimInstallation(copy, NOW)).toEqual({ reason: 'copied', since: NOW });
    expect(await claimInstallation(copy, new Date())).toEqual({ reason: 'copied', since: NOW });
    expect(await setPaused(copy, false, NOW)).toBe(true);
    expect(await claimInstallation(copy, new Date())).toBeNull();
  });

  it('may be resumed before its first start', async () => {
    const copy = await copyOf(await original());
    expect(await setPaused(copy, false, NOW)).toBe(true);
    expect(await setPaused(copy, false, NOW)).toBe(false);
    expect(await claimInstallation(copy, NOW)).toBeNull();
  });

  it('is detected by a role that may only read the settings', async () => {
    const role = `florka_plain_${randomBytes(4).toString('hex')}`;
    const copy = await copyOf(await original());
    await copy.query(`create role ${role} login password 'plain'`);
    onTestFinished(async () => {
      await runStatements(inject('testServer'), `drop owned by ${role}`, `drop role ${role}`).catch(() => {});
    });
    await copy.query(`grant select on settings to ${role}`);
    const client = await copy.connect();
    await client.query(`set role ${role}`);
    expect(await readPause(client as unknown as pg.Pool)).toMatchObject({ reason: 'copied' });
    await client.query('reset role');
    await client.query(`drop owned by ${role}`);
    client.release();
  });
});

describe('a paused installation', () => {
  it('is not paused when the entry of the audit log cannot be written', async () => {
    await app.sql(`create function refuse_entry() returns trigger language plpgsql as 'begin raise ''refused''; end'`);
    await app.sql(
      'create trigger refuse_entry before insert on audit_events for each row execute function refuse_entry()',
    );
    onTestFinished(async () => {
      await app.sql('drop function if exists refuse_entry cascade');
    });
    const env = { DATA_DIR: app.uploadsDir, DATABASE_URL: urlOf(app.config), AUTH_SECRET: app.secret };
    expect(await runFlorka(['pause'], env)).toMatchObject({ code: 1, err: expect.stringContaining('refused') });
    expect(await app.sql(`select key from settings where key in ('paused', 'ledger_unproven')`)).toEqual([]);
  });

  // Not retried: by then the worker of the first attempt would be processing it.
  it('serves pages, creates and polls no payments, stores callbacks and mails, and works again after florka resume', {
    retry: 0,
  }, async () => {
    const pool = openPool({ ...app.config, max: 1 });
    onTestFinished(async () => {
      await setPaused(pool, false, NOW);
      await pool.end();
    });
    const admin = await app.member({ role: 'admin' });
    const placed = await order();
    const florka = (command: string) =>
      runFlorka([command], { DATA_DIR: app.uploadsDir, DATABASE_URL: urlOf(app.config), AUTH_SECRET: app.secret });

    expect(await florka('pause')).toMatchObject({ code: 0, out: expect.stringContaining('Paused:') });
    expect((await app.http('/readyz')).status).toBe(200);
    expect(await app.as(admin).admin.session()).toMatchObject({ paused: { reason: 'operator' } });
    const request = await draft();
    await expect(request.pay()).rejects.toMatchObject({ code: 'PAYMENT_UNAVAILABLE' });
    const calls = { ...fake.box.calls };
    expect(await placed.check()).toBe('unknown');
    expect(await app.services.payments.reconcile()).toEqual({ polled: 0, unknown: 0 });
    expect(fake.box.calls).toEqual(calls);
    // A callback is stored without fetching the payment.
    const callback = fake.callback(placed.move('finished', 1));
    expect((await send(callback.body, callback.signature)).status).toBe(200);

    await app.services.db.transaction((tx) =>
      queueMail(tx, app.services.jobs, {
        to: 'ana@florka.test',
        locale: 'es',
        template: 'passwordChanged',
        data: {},
      }),
    );
    const paused = vi.spyOn(app.services, 'paused');
    await startWorker({ services: app.services, log: pino({ level: 'silent' }) });
    await vi.waitFor(() => expect(paused.mock.calls.length).toBeGreaterThan(2), { timeout: 120_000 });
    expect(await app.sql('select status, attempts from mails')).toContainEqual({ status: 'queued', attempts: 0 });
    expect(app.mails).toEqual([]);
    expect(await placed.state()).toBe('awaiting');
    expect(fake.box.calls).toEqual(calls);

    // Waiting jobs are expected: no alert about a running server.
    await app.sql(`update jobs.job set start_after = now() - interval '1 hour' where state = 'created'`);
    await app.sql(`update payments set next_check_at = now() - interval '1 day' where next_check_at is not null`);
    const report = await florka('doctor');
    expect(report).toMatchObject({ code: 1, out: expect.stringMatching(/^!! No mails, jobs/m) });
    expect(report.out).not.toContain('is the server running');
    expect(await florka('resume')).toMatchObject({ code: 0, out: expect.stringContaining('Resumed:') });
    await vi.waitFor(() => expect(app.mails.map(({ to }) => to)).toContain('ana@florka.test'), { timeout: 120_000 });
    await vi.waitFor(async () => expect(await placed.state()).toBe('paid'), { timeout: 120_000 });
    expect(await app.as(admin).admin.session()).toMatchObject({ paused: null });
    expect(await request.pay()).toHaveProperty('orderId');
    expect(await app.sql(`select action from audit_events where action like 'installation.%' order by id`)).toEqual([
      { action: 'installation.paused' },
      { action: 'installation.resumed' },
    ]);
  });
});

describe('a signer', () => {
  it('does nothing while the installation is paused, and works once it is resumed', async () => {
    const pool = openPool({ ...app.config, max: 2 });
    onTestFinished(() => pool.end());
    await setPaused(pool, true, NOW);
    const heartbeat = vi.fn(
      async () => ({ chainId: '1', deployer: `paused-${randomBytes(4).toString('hex')}` }) as Probe,
    );
    const paused = vi.fn(async () => (await readPause(pool)) !== null);
    const log = { info: () => {}, warn: () => {} };
    const work = vi.fn(async () => 10);
    const worker = runWorker({
      creator: { heartbeat, work, readAgain: async () => false },
      network: 'solana',
      config: app.config,
      paused,
      log,
    });
    onTestFinished(() => worker.stop());
    await vi.waitFor(() => expect(paused.mock.calls.length).toBeGreaterThan(1), { timeout: 60_000 });
    expect(heartbeat).not.toHaveBeenCalled();
    await setPaused(pool, false, NOW);
    await vi.waitFor(() => expect(work).toHaveBeenCalled(), { timeout: 60_000 });
  });

  it('acquires the lock although an abandoned connection was granted it late', async () => {
    const proxy = await startDatabaseProxy(app.config);
    proxy.holdAnswerTo('pg_try_advisory_lock');
    const probe = { chainId: '1', deployer: `late-${randomBytes(4).toString('hex')}` } as Probe;
    const work = vi.fn(async () => 10);
    const warn = vi.fn();
    const worker = runWorker({
      creator: { heartbeat: async () => probe, work, readAgain: async () => false },
      network: 'solana',
      config: proxy.config,
      paused: async () => false,
      log: { info: () => {}, warn },
    });
    onTestFinished(async () => {
      await worker.stop();
      await proxy.stop();
    });
    await vi.waitFor(() => expect(warn).toHaveBeenCalled(), { timeout: 60_000 });
    expect(work).not.toHaveBeenCalled();
    // The answer comes too late: the server has granted the lock.
    proxy.thaw();
    await vi.waitFor(() => expect(work).toHaveBeenCalled(), { timeout: 30_000 });
  });

  it('reports as a standby until it has the lock', async () => {
    const probe = { chainId: '1', deployer: `second-${randomBytes(4).toString('hex')}` } as Probe;
    const start = () => {
      const heartbeat = vi.fn(async (_role?: 'at work' | 'standby') => probe);
      const work = vi.fn(async () => 10);
      const log = { info: () => {}, warn: () => {} };
      const creator = { heartbeat, work, readAgain: async () => false };
      const worker = runWorker({
        creator,
        network: 'solana',
        config: app.config,
        paused: async () => false,
        log,
        beat: 50,
      });
      onTestFinished(() => worker.stop());
      const roles = () => heartbeat.mock.calls.map(([role]) => role);
      return { worker, work, roles };
    };
    const first = start();
    await vi.waitFor(() => expect(first.work).toHaveBeenCalled(), { timeout: 60_000 });
    expect(first.roles().slice(0, 2)).toEqual(['standby', 'at work']);
    const second = start();
    await vi.waitFor(() => expect(second.roles()).toEqual(['standby']), { timeout: 60_000 });
    await first.worker.stop();
    await vi.waitFor(() => expect(second.work).toHaveBeenCalled(), { timeout: 60_000 });
    expect(second.roles().slice(0, 2)).toEqual(['standby', 'at work']);
  });

  it('stops working on its network when the connection that holds the lock no longer answers', async () => {
    const proxy = await startDatabaseProxy(app.config);
    const probe = { chainId: '1', deployer: `lost-${randomBytes(4).toString('hex')}` } as Probe;
    let isCancelled = () => false;
    const work = vi.fn(async (cancelled: () => boolean) => {
      isCancelled = cancelled;
      return 10;
    });
    const log = { info: () => {}, warn: () => {} };
    const worker = runWorker({
      creator: { heartbeat: async () => probe, work, readAgain: async () => false },
      network: 'solana',
      config: proxy.config,
      paused: async () => false,
      log,
      beat: 50,
    });
    onTestFinished(async () => {
      await worker.stop();
      await proxy.stop();
    });
    await vi.waitFor(() => expect(work).toHaveBeenCalled(), { timeout: 60_000 });
    expect(isCancelled()).toBe(false);
    proxy.forget();
    await vi.waitFor(() => expect(isCancelled()).toBe(true), { timeout: 60_000 });
  });

  it('keeps sending heartbeats after the clock of its machine was set back', async () => {
    const probe = { chainId: '1', deployer: `clock-${randomBytes(4).toString('hex')}` } as Probe;
    const heartbeat = vi.fn(async () => probe);
    const work = vi.fn(async () => 10);
    const read = Date.now.bind(Date);
    let behind = 0;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => read() - behind);
    const worker = runWorker({
      creator: { heartbeat, work, readAgain: async () => false },
      network: 'solana',
      config: app.config,
      paused: async () => false,
      log: { info: () => {}, warn: () => {} },
      beat: 50,
    });
    onTestFinished(async () => {
      clock.mockRestore();
      await worker.stop();
    });
    await vi.waitFor(() => expect(work).toHaveBeenCalled(), { timeout: 60_000 });
    behind = 3_600_000;
    const before = heartbeat.mock.calls.length;
    await vi.waitFor(() => expect(heartbeat.mock.calls.length).toBeGreaterThan(before + 2), { timeout: 30_000 });
  });
});

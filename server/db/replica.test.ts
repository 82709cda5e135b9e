import { describe, expect, it } from 'vitest';
import { type openDb, openPool } from '#server/db/client.ts';
import { startTelemetry } from '#server/telemetry/telemetry.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { startReplicated } from '#tests/support/database/replicated.ts';
import { Replica } from './replica.ts';

const pair = await startReplicated();
let replica: Replica;

const telemetry = await startTelemetry(
  { METRICS_PORT: undefined, METRICS_HOST: '127.0.0.1', METRICS_TOKEN: 'x'.repeat(32) } as Parameters<
    typeof startTelemetry
  >[0],
  '0',
  { info: () => {} } as never,
);
const warned: string[] = [];
const openReplica = (primary: Parameters<typeof openDb>[0], wait = 50) =>
  new Replica({
    primary,
    replica: openPool({ ...pair.replica.app, max: 3 }),
    warn: (about, message) => void warned.push([about['state'], message].join(' ')),
    beat: 0,
    wait,
  });

const app = await startTestApp({
  database: pair.database,
  telemetry,
  replica: (primary) => {
    replica = openReplica(primary);
    return replica;
  },
});

const back = app.as(await app.member({ role: 'admin' })).admin;
let made = 0;
/** A change as made by the site, received by its caches. */
async function change(): Promise<string> {
  const name = `Red ${++made}`;
  const received = new Promise<void>((resolve) => {
    const off = app.services.hub.onEvent((event) => {
      if (event.type !== 'domain.changed' || event.domain !== 'networks') return;
      off();
      resolve();
    });
  });
  await back.networks.create({ name, symbol: `R${made}`, isActive: true });
  await received;
  return name;
}
const names = async () =>
  ((await (await app.http('/api/networks')).json()) as { name: string }[]).map(({ name }) => name);
async function changeAndRead(): Promise<void> {
  await change();
  await names();
}
const ready = async () => (await app.http('/readyz')).text();
/** Waits for a measurement, because replication takes an unknown time. */
const inStep = () =>
  expect
    .poll(async () => {
      await replica.measure();
      return replica.state;
    })
    .toBe('in step');
/** Number of statements sent to each server by a block. */
async function counted(work: () => Promise<unknown>) {
  const before = { ...replica.reads };
  await work();
  return { replica: replica.reads.replica - before.replica, primary: replica.reads.primary - before.primary };
}

describe('a replica', () => {
  it('answers public reads, which include all earlier writes', async () => {
    await inStep();
    for (let i = 0; i < 10; i++) {
      const name = await change();
      expect(await names()).toContain(name);
    }
    // On a busy machine the replica was behind at each of the reads above.
    await expect
      .poll(async () => {
        await replica.measure();
        await names();
        return replica.reads.replica;
      })
      .toBeGreaterThan(0);
    expect(await ready()).toBe('ready');
  });

  it('delays a read until it has replayed the earlier writes', async () => {
    const patient = openReplica(app.services.pool, 60_000);
    await patient.measure();
    await pair.replay(false);
    const name = await change();
    const reading = patient.reader(app.services.db).$client.query('select name from blockchain_networks');
    await pair.replay(true);
    expect((await reading).rows.map((row) => row['name'])).toContain(name);
    expect(patient.reads).toEqual({ replica: 1, primary: 0 });
    await patient.close();
  });

  it('that is behind is reported, and never fills a cache with outdated data', async () => {
    await inStep();
    await names();
    await pair.replay(false);
    for (let i = 0; i < 5; i++) {
      const name = await change();
      expect(await names()).toContain(name);
    }
    expect(replica.state).toBe('behind');
    expect(await ready()).toBe('ready; replica behind');
    expect(warned).toContain('behind public reads and reports go to the primary');
    // The replica is not used any more, so no read waits for it.
    expect((await counted(changeAndRead)).replica).toBe(0);
    await replica.measure();
    expect(replica.lagBytes).toBeGreaterThan(0);
    const numbers = await (
      await app.http('/metrics', { headers: { authorization: `Bearer ${'x'.repeat(32)}` } })
    ).text();
    expect(numbers).toMatch(/^florka_replica_in_step 0$/m);
    expect(numbers).toMatch(/^florka_replica_lag_bytes [1-9]/m);
    expect(numbers).toMatch(/^florka_replica_reads_total\{source="primary"\} [1-9]/m);

    await pair.replay(true);
    await inStep();
    expect(await ready()).toBe('ready');
    expect((await counted(changeAndRead)).replica).toBeGreaterThan(0);
  });

  it('answers reports of the back office', async () => {
    await inStep();
    expect((await counted(() => back.dashboard.counts({}))).replica).toBeGreaterThan(0);
    expect((await counted(() => back.money.list({}))).replica).toBeGreaterThan(0);
  });

  it('passes writes and transactions to the primary', async () => {
    await inStep();
    const reader = replica.reader(app.services.db);
    await reader.$client.query("update blockchain_networks set symbol = 'RZ' where name = 'Red 1'");
    expect(await app.sql("select 1 from blockchain_networks where symbol = 'RZ'")).toHaveLength(1);
    // A transaction uses the primary from its start.
    await reader.transaction(async (tx) => {
      expect((await tx.$client.query('select pg_is_in_recovery() as copy')).rows).toEqual([{ copy: false }]);
    });
    await expect(reader.$client.query('select nothing_of_this_name')).rejects.toThrow('nothing_of_this_name');
    expect(replica.state).toBe('in step');
  });

  it('may be stopped and started again; until then reads use the primary', async () => {
    await inStep();
    await pair.stopReplica();
    const name = await change();
    expect(await names()).toContain(name);
    expect(replica.state).toBe('away');
    expect(await ready()).toBe('ready; replica away');
    await pair.startReplica();
    await inStep();
    expect(await ready()).toBe('ready');
  });

  it('is no longer used after its promotion', async () => {
    await inStep();
    await pair.promote();
    expect(await names()).toContain('Red 1');
    const name = await change();
    expect(await names()).toContain(name);
    expect(replica.state).toBe('away');
    await replica.measure();
    expect(replica.state).toBe('away');
    await replica.close();
  });
});

import { describe, expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { createdToken } from '#tests/support/chains/created-token.ts';
import { fakeChain } from '#tests/support/chains/fake-chain.ts';
import { freshMemory } from '#tests/support/chains/signer-memory.ts';
import { COMPLETE } from '#tests/support/payments/complete-draft.ts';
import { checkTokenFiles } from './readings.service.ts';
import { createTokenCreator } from './token-creator.service.ts';

const app = await startTestApp();
const signerDb = app.signerDb();
const admin = await app.member({ role: 'admin' });
const DAY = 86_400_000;
const HOUR = 3_600_000;

/** A token created on a chain, a project showcased from it, and a signer that reads it. */
async function made() {
  const fair = fakeChain('nonces', 'binance');
  const guest = app.as(null, { address: '10.67.1.1' });
  const { id } = await guest.tokenRequests.create({ data: COMPLETE });
  const { address } = await createdToken(app, id);
  const { chainId } = await fair.chain.probe();
  const creator = createTokenCreator({
    db: signerDb,
    chain: fair.chain,
    dailyCap: 10,
    provider: null,
    adminKeys: [],
    memory: freshMemory(),
    now: () => app.now,
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
  const creation = async () => {
    const { creation: one } = await app.as(admin).admin.tokenRequests.read({ id });
    if (!one) throw new Error('no creation');
    return one;
  };
  return { id, address, fair, chainId, creation, readAgain: (on = '31337') => creator.readAgain(on) };
}
const inbox = async (id: string) =>
  (await app.as(admin).admin.inbox.list({ source: 'reading' })).items.find((item) => item.id === id);
const auditActions = async (id: string) =>
  (
    await app.sql<{ action: string }>(
      `select action from audit_events where resource_id = $1 and action in ('token.differs', 'token.same_again') order by id`,
      [id],
    )
  ).map(({ action }) => action);
/** All tokens of other tests count as just read. */
const settle = (but: string | null = null) =>
  app.sql(
    `insert into token_readings (creation_id, what, outcome, read_at)
     select c.id, w, 'same', $1 from token_creations c, unnest(array['chain', 'files']) w
     where c.state = 'completed' and c.submission_id is distinct from $2`,
    [app.now, but],
  );

describe('a created token', () => {
  it('is read again each day, and every reading is kept', async () => {
    await settle();
    const one = await made();
    // Created in March, so its first day is over; there is one reading per day.
    expect(await one.readAgain()).toBe(true);
    expect(await one.readAgain()).toBe(false);
    app.pass(DAY - HOUR);
    await settle(one.id);
    expect(await one.readAgain()).toBe(false);
    app.pass(HOUR);
    expect(await one.readAgain()).toBe(true);
    const { readings } = await one.creation();
    expect(readings).toMatchObject([
      { what: 'chain', outcome: 'same', differences: [], supply: `1000${'0'.repeat(18)}`, block: '100' },
      { what: 'chain', outcome: 'same' },
    ]);
    expect(await inbox(one.id)).toBeUndefined();
    expect(await auditActions(one.id)).toEqual([]);
    await expect(app.sql('delete from token_readings')).rejects.toMatchObject({ code: '23001' });
    await expect(app.sql("update token_readings set outcome = 'same'")).rejects.toMatchObject({ code: '23001' });
  });

  it('is not read on another chain than its own', async () => {
    await settle();
    const one = await made();
    expect(await one.readAgain('97')).toBe(false);
  });

  it('has an unanswered reading without differences while the chain does not answer', async () => {
    await settle();
    const one = await made();
    one.fair.world.trouble = (call) => (call === 'recheck' ? 'unreachable' : null);
    expect(await one.readAgain()).toBe(true);
    expect((await one.creation()).readings).toMatchObject([{ outcome: 'unanswered', differences: [] }]);
    expect(await inbox(one.id)).toBeUndefined();
    // It is polled again within the hour, not with every heartbeat.
    expect(await one.readAgain()).toBe(false);
    app.pass(HOUR);
    one.fair.world.trouble = () => null;
    expect(await one.readAgain()).toBe(true);
    expect((await one.creation()).readings[0]).toMatchObject({ outcome: 'same' });
  });

  it('that differs is in the inbox at once, and on its public page after a second reading', async () => {
    await settle();
    const one = await made();
    await app.sql('update sessions set proved_at = now() where user_id = $1', [admin.id]);
    const shown = await app
      .as(admin)
      .admin.showcase.add({ requestId: one.id, resemblanceAccepted: true, as: 'project' });
    const readAgain = async () => (await app.as(null).tokens.find({ slug: shown.id })).facts.creation?.again;
    expect(await readAgain()).toBeNull();
    await one.readAgain();
    const same = { at: app.now.toISOString(), differences: [] };
    expect(await readAgain()).toEqual(same);
    app.pass(DAY);
    await settle(one.id);
    one.fair.world.differs = 'supply';
    await one.readAgain();
    expect((await one.creation()).readings[0]).toMatchObject({ outcome: 'different', differences: ['supply'] });
    const since = app.now.toISOString();
    expect(await inbox(one.id)).toMatchObject({ title: 'Ajolote (Ajo)', details: ['binance', 'supply'], since });
    // The public page still shows the reading before the first one that differs.
    expect(await readAgain()).toEqual(same);
    // A failed reading reverts nothing.
    app.pass(HOUR);
    one.fair.world.trouble = (call) => (call === 'recheck' ? 'unreachable' : null);
    await one.readAgain();
    expect(await inbox(one.id)).toBeDefined();
    app.pass(HOUR);
    one.fair.world.trouble = () => null;
    await one.readAgain();
    // It is read again each hour, and its inbox item keeps the time of the first reading that differed.
    expect(await inbox(one.id)).toMatchObject({ since });
    expect(await readAgain()).toEqual({ at: app.now.toISOString(), differences: ['supply'] });
    expect(await auditActions(one.id)).toEqual(['token.differs']);
    app.pass(HOUR);
    one.fair.world.differs = null;
    await one.readAgain();
    expect(await readAgain()).toMatchObject({ differences: [] });
    expect(await inbox(one.id)).toBeUndefined();
    expect(await auditActions(one.id)).toEqual(['token.differs', 'token.same_again']);
  });

  it('has its files read again too', async () => {
    await settle();
    const one = await made();
    const [row] = await app.sql<{ snapshot: { metadata: string } }>(
      'select snapshot from token_creations where submission_id = $1',
      [one.id],
    );
    const hash = row?.snapshot.metadata ?? '';
    const files = new Map<string, Buffer>();
    const media = { openPinned: async (file: string) => files.get(file) ?? null };
    // The site's own storage has no files of a token of another test.
    expect(await checkTokenFiles(app.services.db, app.services.media, app.now)).toEqual({ read: 1, different: 1 });
    expect((await one.creation()).readings[0]).toMatchObject({ what: 'files', differences: ['metadata_file'] });
    expect(await inbox(one.id)).toMatchObject({ details: ['binance', 'metadata_file'] });
    files.set(`${hash}.json`, Buffer.from('there'));
    app.pass(HOUR);
    expect(await checkTokenFiles(app.services.db, media, app.now)).toEqual({ read: 1, different: 0 });
    expect(await inbox(one.id)).toBeUndefined();
    app.pass(DAY);
    const away = { openPinned: () => Promise.reject(new Error('away')) };
    await checkTokenFiles(app.services.db, away, app.now);
    expect((await one.creation()).readings[0]).toMatchObject({ what: 'files', outcome: 'unanswered' });
    expect(await inbox(one.id)).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { createdToken } from '#tests/support/chains/created-token.ts';
import { COMPLETE } from '#tests/support/payments/complete-draft.ts';

const app = await startTestApp();
const visitor = app.as(null, { address: '10.68.1.1' });
const KEPT = '23001';

const pageOf = async (id: string) => (await visitor.tokens.find({ slug: id })).launch;
const move = (id: string, over: { launch?: string | null; countdown?: string | null }) =>
  app.sql('update next_projects set launch_date = $2, countdown_end = $3 where id = $1', [
    id,
    over.launch ?? null,
    over.countdown ?? null,
  ]);
const iso = (day: number) => `2026-05-${String(day).padStart(2, '0')}T10:00:00.000Z`;
const storedFacts = (id: string) =>
  app.sql<{ was: Date | null; becomes: Date | null; announced: boolean }>(
    'select was, becomes, announced from next_launch_changes where project_id = $1 order by id',
    [id],
  );

describe('the announced time of a launch', () => {
  it('is recorded with every change in the database, and shown newest first', async () => {
    const { id } = await app.nextProject();
    expect((await pageOf(id))?.changes).toEqual([]);
    await move(id, { launch: iso(1) });
    await move(id, { launch: iso(1), countdown: iso(3) });
    // The countdown has priority: another launch date next to it announces nothing new.
    await move(id, { launch: iso(2), countdown: iso(3) });
    await move(id, {});
    const changes = (await pageOf(id))?.changes ?? [];
    expect(changes.map(({ was, becomes }) => [was, becomes])).toEqual([
      [iso(3), null],
      [iso(1), iso(3)],
      [null, iso(1)],
    ]);
    // The time is that of the database's clock, which tests can't set.
    expect(changes.every(({ at }) => Math.abs(Date.parse(at) - Date.now()) < 600_000)).toBe(true);
  });

  it('is recorded for drafts too, and shown only if it could be read on the site', async () => {
    const { id } = await app.nextProject({ status: 'pending', launch_date: iso(1) });
    await move(id, { launch: iso(2) });
    await app.sql("update next_projects set status = 'published' where id = $1", [id]);
    expect((await pageOf(id))?.changes).toEqual([]);
    await move(id, { launch: iso(3) });
    // Hidden, moved and shown again: followers were notified of the previous time.
    await app.sql("update next_projects set status = 'pending', told_launch_at = launch_date where id = $1", [id]);
    await move(id, { launch: iso(4) });
    await app.sql("update next_projects set status = 'published' where id = $1", [id]);
    expect((await pageOf(id))?.changes.map(({ was, becomes }) => [was, becomes])).toEqual([
      [iso(3), iso(4)],
      [iso(2), iso(3)],
    ]);
    expect((await storedFacts(id)).map(({ announced }) => announced)).toEqual([false, true, true]);
  });

  it('has a history that cannot be changed, until its project is deleted permanently', async () => {
    const { id } = await app.nextProject();
    await move(id, { launch: iso(1) });
    for (const sql of [
      'update next_launch_changes set becomes = null where project_id = $1',
      'delete from next_launch_changes where project_id = $1',
    ])
      await expect(app.sql(sql, [id])).rejects.toMatchObject({ code: KEPT });
    await expect(app.sql('truncate next_launch_changes')).rejects.toMatchObject({ code: KEPT });
    expect(await storedFacts(id)).toHaveLength(1);
    await app.sql('delete from next_projects where id = $1', [id]);
    expect(await storedFacts(id)).toEqual([]);
  });

  it('shows the newest twenty of its changes', async () => {
    const { id } = await app.nextProject();
    for (let day = 1; day <= 23; day++) await move(id, { launch: iso(day) });
    const changes = (await pageOf(id))?.changes ?? [];
    expect(changes).toHaveLength(20);
    expect(changes[0]).toMatchObject({ was: iso(22), becomes: iso(23) });
    expect(await storedFacts(id)).toHaveLength(23);
  });
});

describe('the evidence of a launch [AMB-214]', () => {
  const proofs = async (id: string) => {
    const list = (await visitor.nextProjects.list({ limit: 100 })).items.find((one) => one.id === id)?.proof;
    const explored = (await visitor.tokens.explore({ kind: 'next', order: 'new', limit: 50 })).items.find(
      (one) => one.id === id,
    );
    const page = (await pageOf(id))?.proof;
    expect(list).toEqual(page);
    expect(explored?.proof).toEqual(page);
    return page;
  };

  it('is none when only its time has come, and the team’s statement when an admin says so', async () => {
    const { id } = await app.nextProject({ launch_date: '2026-01-01T00:00:00Z' });
    expect(await proofs(id)).toEqual({ by: 'none' });
    await app.sql("update next_projects set status = 'launched' where id = $1", [id]);
    expect(await proofs(id)).toEqual({ by: 'team' });
  });

  it('is transaction and block of a token that was created here, on its network, and whether that is a test chain', async () => {
    const { id: request } = await visitor.tokenRequests.create({ data: COMPLETE });
    const { address, transaction } = await createdToken(app, request);
    const made = {
      by: 'chain',
      test: true,
      transaction,
      transactionUrl: `https://explorer.test/tx/${transaction}`,
      block: '12',
    };
    const { id } = await app.nextProject({
      contract_address: address.toUpperCase().replace('0X', '0x'),
      network: 'bnb',
    });
    expect(await proofs(id)).toEqual(made);
    await app.sql("update next_projects set network = 'polygon' where id = $1", [id]);
    expect(await proofs(id)).toEqual({ by: 'none' });
    // Solana addresses are case-sensitive.
    await app.sql("update next_projects set network = 'solana' where id = $1", [id]);
    expect(await proofs(id)).toEqual({ by: 'none' });
  });

  it('is not a token that is only ordered', async () => {
    const { id: request } = await visitor.tokenRequests.create({ data: COMPLETE });
    const { address } = await createdToken(app, request, { queued: true });
    const { id } = await app.nextProject({ contract_address: address, network: 'bnb', status: 'launched' });
    expect(await proofs(id)).toEqual({ by: 'team' });
  });
});

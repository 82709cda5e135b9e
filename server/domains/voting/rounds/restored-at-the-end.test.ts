import { expect, it, vi } from 'vitest';
import { added, app, rounds, voted } from '#tests/fixtures/votes/manage-voting.ts';
import { closeDueRound } from './round-ends.service.ts';

it('the closing of a round waits for a candidate that is being restored from the trash [AMB-212]', async () => {
  const { id } = await added();
  await voted(id, 2);
  const { round } = await rounds.current();
  const trashed = 'update voting_candidates set is_active = $2, deleted_at = $3 where id = $1';
  await app.sql(trashed, [id, false, app.now]);
  // The database has microseconds.
  app.setNow(new Date(Date.parse(round?.closesAt ?? '') + 1).toISOString());
  const client = await app.sqlClient();
  try {
    await client.query('begin');
    await client.query(trashed, [id, true, null]);
    const closing = closeDueRound(app.services.db, app.now);
    closing.catch(() => {});
    await vi.waitUntil(async () => (await app.waiting()) === 1, { timeout: 10_000, interval: 10 });
    await client.query('commit');
    expect(await closing).toMatchObject({ number: round?.number, winnerId: id });
  } finally {
    await client.end();
  }
});

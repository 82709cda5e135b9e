import { describe, expect, it } from 'vitest';
import { findMiscounts } from '#server/domains/voting/manage-votes.service.ts';
import { changeVoteStates } from '#server/domains/voting/vote-states.service.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { finishEndedBans } from './ended-bans.service.ts';

const app = await startTestApp();
const { db } = app.services;
const api = app.as(await app.member({ role: 'admin' })).admin;

const DAY = 86_400_000;
const finish = () => finishEndedBans(db, app.now, app.now);
const countersOf = async (id: string) =>
  (
    await app.sql(
      `select total_votes, total_reached_at::text, votes_under_review, votes_void,
         (select json_agg(json_build_array(day, votes) order by day) from candidate_daily_votes where candidate_id = c.id) as days
       from voting_candidates c where id = $1`,
      [id],
    )
  )[0];
const statesOf = async (userId: string) =>
  (await app.sql<{ state: string }>('select state from votes where user_id = $1 order by id', [userId])).map(
    ({ state }) => state,
  );

describe('a temporary ban', () => {
  it('restores the votes that it voided to their earlier state when it ends, once', async () => {
    const [a, b] = [await app.candidate(), await app.candidate()];
    const [banned, other] = await app.members(2);
    if (!banned || !other) throw new Error('no members');
    for (const { id } of [a, b]) {
      await app.as(other).voting.cast({ candidateId: id });
      await app.as(banned).voting.cast({ candidateId: id });
    }
    const [held] = await app.sql<{ id: string }>('select id from votes where user_id = $1 and candidate_id = $2', [
      banned.id,
      b.id,
    ]);
    await db.transaction((tx) =>
      changeVoteStates(tx, { voteIds: [Number(held?.id)], to: 'under_review', reason: 'lockstep', now: app.now }),
    );
    const before = [await countersOf(a.id), await countersOf(b.id)];
    await api.users.ban({ ids: [banned.id], days: 2, reason: 'spam' });
    expect(await statesOf(banned.id)).toEqual(['void', 'void']);
    app.pass(2 * DAY - 1_000);
    expect(await finish()).toBe(0);
    app.pass(1_000);
    expect(await Promise.all([finish(), finish()]).then((both) => both[0] + both[1])).toBe(1);
    expect(await finish()).toBe(0);
    expect(await statesOf(banned.id)).toEqual(['counted', 'under_review']);
    expect([await countersOf(a.id), await countersOf(b.id)]).toEqual(before);
    expect(await findMiscounts(db)).toEqual([]);
    expect(
      await app.sql(
        `select actor_role, after from audit_events where resource_id = $1 and action = 'member.unbanned'`,
        [banned.id],
      ),
    ).toEqual([{ actor_role: 'system', after: { bannedUntil: null, votes: 2 } }]);
  });

  it('keeps votes void when it was extended, has no end, or staff decided about them', async () => {
    const { id } = await app.candidate();
    const [longer, disabled, decided] = await app.members(3);
    if (!longer || !disabled || !decided) throw new Error('no members');
    for (const one of [longer, disabled, decided]) await app.as(one).voting.cast({ candidateId: id });
    await api.users.ban({ ids: [longer.id, decided.id], days: 1, reason: 'spam' });
    await api.users.ban({ ids: [longer.id], days: 5, reason: 'spam' });
    await api.users.ban({ ids: [disabled.id], days: null, reason: 'spam' });
    await app.sql("update votes set state_reason = 'moderator' where user_id = $1", [decided.id]);
    app.pass(2 * DAY);
    expect(await finish()).toBe(1);
    expect((await Promise.all([longer, disabled, decided].map(({ id: one }) => statesOf(one)))).flat()).toEqual([
      'void',
      'void',
      'void',
    ]);
    expect(await findMiscounts(db)).toEqual([]);
    app.pass(4 * DAY);
    expect(await finish()).toBe(1);
    expect(await statesOf(longer.id)).toEqual(['counted']);
  });

  it('ends although ending the ban of another member fails', async () => {
    const [first, second] = (await app.members(2)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const ids = [first?.id, second?.id].map((id) => id ?? '');
    await api.users.ban({ ids, days: 1, reason: 'spam' });
    await app.sql(`create function still_banned() returns trigger language plpgsql as
      $$ begin raise exception 'not this one'; end $$`);
    await app.sql(`create trigger still_banned before update on users for each row
      when (old.id = '${ids[0]}') execute function still_banned()`);
    app.pass(2 * DAY);
    await expect(finish()).rejects.toThrow();
    expect(await app.sql('select id from users where id = any($1) and banned_until is not null', [ids])).toEqual([
      { id: ids[0] },
    ]);
    await app.sql('drop trigger still_banned on users');
    expect(await finish()).toBe(1);
  });
});

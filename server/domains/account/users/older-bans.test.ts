// Bans of earlier versions left votes in states that current bans do not create.
import { describe, expect, it } from 'vitest';
import { findMiscounts } from '#server/domains/voting/manage-votes.service.ts';
import { app, back, clustersOf, counters, db, farm, run, size } from '#tests/fixtures/votes/vote-review.ts';
import { updateVotesOfBanned } from './older-bans.service.ts';

const admin = await app.member({ role: 'admin' });
const { users } = app.as(admin).admin;
const prove = () => app.sql('update sessions set proved_at = now() where user_id = $1', [admin.id]);
const update = () => updateVotesOfBanned(db, app.now, app.now);

const VOID = { state: 'void', state_reason: 'member_banned' };
const HELD = { state: 'under_review', state_reason: 'network_burst' };

/** A cluster of a vote farm under review, and functions that ban and unban one of its members. */
async function held() {
  const { id } = await app.candidate();
  const people = await farm(size, id);
  await run();
  const [cluster] = await clustersOf(id);
  const that = { id: cluster?.id ?? '' };
  const bad = people[0]?.id ?? '';
  const state = async () => (await app.sql('select state, state_reason from votes where user_id = $1', [bad]))[0];
  const ban = async () => {
    await prove();
    await users.ban({ ids: [bad], days: null, reason: 'Votos comprados' });
  };
  const unban = async () => {
    await prove();
    await users.unban({ ids: [bad] });
  };
  return { id, bad, that, state, ban, unban };
}

describe('votes of a member whom an earlier version banned', () => {
  it('stay void whatever is decided about their cluster, and get the decided state when the ban ends', async () => {
    const { id, bad, that, state, ban, unban } = await held();
    await back.void({ ...that, reason: 'a farm' });
    await ban();
    await app.sql(
      "update votes set state_reason = 'moderator', banned_state = null, banned_reason = null where user_id = $1",
      [bad],
    );
    expect(await update()).toBe(1);
    expect(await update()).toBe(0);
    expect(await state()).toEqual(VOID);
    await back.undo(that);
    await back.release(that);
    expect(await state()).toEqual(VOID);
    expect(await counters(id)).toMatchObject({ total: size - 1, void: 1 });
    await unban();
    expect(await state()).toEqual({ state: 'counted', state_reason: null });
    expect(await findMiscounts(db)).toEqual([]);
  });

  it('are made void again where a decision counted them', async () => {
    const { id, bad, that, state, ban } = await held();
    await back.void({ ...that, reason: 'a farm' });
    await ban();
    await app.sql(
      "update votes set state_reason = 'moderator', banned_state = null, banned_reason = null where user_id = $1",
      [bad],
    );
    await back.undo(that);
    await back.release(that);
    expect(await counters(id)).toMatchObject({ total: size });
    expect(await update()).toBe(1);
    expect(await state()).toEqual(VOID);
    expect(await counters(id)).toMatchObject({ total: size - 1, void: 1 });
    expect(await findMiscounts(db)).toEqual([]);
    const [entry] = await app.sql(
      "select actor_role, after from audit_events where resource_id = $1 and action = 'member.banned_votes_updated'",
      [bad],
    );
    expect(entry).toEqual({ actor_role: 'system', after: { votes: 1 } });
  });

  it.each([
    ['released', { state: 'counted', state_reason: null }],
    ['void', { state: 'void', state_reason: 'moderator' }],
  ] as const)(
    'get the state of their cluster (%s during the ban) when the ban ends, and are under review again after its undo',
    async (made, after) => {
      const { bad, that, state, ban, unban } = await held();
      await ban();
      await (made === 'void' ? back.void({ ...that, reason: 'a farm' }) : back.release(that));
      await app.sql(
        "update votes set banned_state = 'under_review', banned_reason = 'network_burst' where user_id = $1",
        [bad],
      );
      await app.sql('update vote_review_votes set decided_as = null where user_id = $1', [bad]);
      expect(await update()).toBe(1);
      expect(await update()).toBe(0);
      expect(await state()).toEqual(VOID);
      await unban();
      expect(await state()).toEqual(after);
      await back.undo(that);
      expect(await state()).toEqual(HELD);
      expect(await findMiscounts(db)).toEqual([]);
    },
  );

  it('are not changed when the current version banned the member, or when the member is not banned', async () => {
    const { state, ban } = await held();
    expect(await update()).toBe(0);
    await ban();
    expect(await update()).toBe(0);
    expect(await state()).toEqual(VOID);
  });
});

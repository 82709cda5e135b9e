// A ban and a decision about a cluster concern the same votes. In either order: during the ban they are void, and when it ends they
// have the state without it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finishEndedBans } from '#server/domains/account/users/ended-bans.service.ts';
import { app, back, clustersOf, counters, db, farm, run, size } from '#tests/fixtures/votes/vote-review.ts';
import { propertyRuns } from '#tests/support/runner/property-runs.ts';

const admin = await app.member({ role: 'admin' });
const { users } = app.as(admin).admin;
const prove = () => app.sql('update sessions set proved_at = now() where user_id = $1', [admin.id]);
const ban = async (id: string, days: number | null = null) => {
  await prove();
  await users.ban({ ids: [id], days, reason: 'Votos comprados' });
};
const unban = async (id: string) => {
  await prove();
  await users.unban({ ids: [id] });
};

/** A cluster of votes of a farm, and one of its members. */
async function held() {
  const { id } = await app.candidate();
  const people = await farm(size, id);
  await run();
  const [cluster] = await clustersOf(id);
  const that = { id: cluster?.id ?? '' };
  const bad = people[0]?.id ?? '';
  const state = async () => (await app.sql('select state, state_reason from votes where user_id = $1', [bad]))[0];
  return { id, bad, that, state };
}

const decisions = {
  release: (that: { id: string }) => back.release(that),
  void: (that: { id: string }) => back.void({ ...that, reason: 'a farm' }),
};
const AFTER = {
  release: { state: 'counted', state_reason: null },
  void: { state: 'void', state_reason: 'moderator' },
} as const;
const VOID = { state: 'void', state_reason: 'member_banned' };
const HELD = { state: 'under_review', state_reason: 'network_burst' };

describe.each(['release', 'void'] as const)('the decision to %s a cluster', (decision) => {
  it('includes the votes of a banned member, which get their new state when the ban ends', async () => {
    const { id, bad, that, state } = await held();
    await ban(bad);
    expect(await counters(id)).toMatchObject({ total: 0, review: size - 1, void: 1 });
    expect(await decisions[decision](that)).toMatchObject({ changed: size, banned: 1 });
    expect(await state()).toEqual(VOID);
    await unban(bad);
    expect(await state()).toEqual(AFTER[decision]);
    expect(await counters(id)).toMatchObject(
      decision === 'release' ? { total: size, void: 0 } : { total: 0, void: size },
    );
    expect(await back.undo(that)).toMatchObject({ changed: size, banned: 0 });
    expect(await counters(id)).toMatchObject({ total: 0, review: size, void: 0 });
  });

  it('undone during a ban, leaves the votes under review when the ban ends, and not counted before', async () => {
    const { id, bad, that, state } = await held();
    await decisions[decision](that);
    await ban(bad, 3);
    expect(await back.undo(that)).toMatchObject({ changed: size, banned: 1 });
    expect(await state()).toEqual(VOID);
    expect(await counters(id)).toMatchObject({ total: 0, review: size - 1, void: 1 });
    app.pass(3 * 86_400_000);
    await finishEndedBans(db, app.now, app.now);
    expect(await state()).toEqual(HELD);
    expect((await decisions[decision](that)).changed).toBe(size);
    expect(await state()).toEqual(AFTER[decision]);
  });

  it('does not restore the vote of a banned member, however often it is undone and made again', async () => {
    const { id, bad, that, state } = await held();
    await decisions.void(that);
    await ban(bad);
    await back.undo(that);
    await decisions[decision](that);
    expect(await state()).toEqual(VOID);
    expect((await counters(id))?.['total']).toBe(decision === 'release' ? size - 1 : 0);
    await unban(bad);
    expect(await state()).toEqual(AFTER[decision]);
  });
});

it('bans and decisions in any order lead to the state of the last ban and the last decision', async () => {
  const step = fc.constantFrom('release', 'void', 'undo', 'ban', 'unban');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
      const { id, bad, that, state } = await held();
      let decided: 'release' | 'void' | null = null;
      let banned = false;
      for (const one of steps) {
        if (one === 'ban' || one === 'unban') {
          await (one === 'ban' ? ban : unban)(bad);
          banned = one === 'ban';
        } else if (one === 'undo') {
          if (decided === null) continue;
          expect((await back.undo(that)).changed).toBe(size);
          decided = null;
        } else if (decided === null) {
          expect((await decisions[one](that)).changed).toBe(size);
          decided = one;
        }
        const there = size - Number(banned);
        expect(await state()).toEqual(banned ? VOID : decided === null ? HELD : AFTER[decided]);
        expect(await counters(id)).toMatchObject({
          total: decided === 'release' ? there : 0,
          review: decided === null ? there : 0,
          void: (decided === 'void' ? there : 0) + Number(banned),
        });
        app.pass(1_000);
      }
    }),
    { numRuns: propertyRuns(10) },
  );
});

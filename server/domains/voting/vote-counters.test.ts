// Counters of votes of the open round, of a reset, and of other days.
import { describe, expect, it } from 'vitest';
import { removeMember } from '#server/domains/account/removal.service.ts';
import { app, change, counters, voted, voteIds } from '#tests/fixtures/votes/vote-states.ts';
import { listenTo, type Person } from '#tests/support/app/test-app.ts';

const { db } = app.services;
const OTHER_ROUND = '22222222-2222-4222-8222-222222222222';

/** The moment at which the open round began, to the microsecond. */
async function opening(): Promise<string> {
  const [round] = await app.sql<{ at: string }>(
    `select to_char(opens_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at from voting_rounds where status = 'open'`,
  );
  return round?.at ?? '';
}

/** Five votes: of the open round, of another round, and three without a round, from before, at and after the opening. */
async function ofAllRounds() {
  const { id, people, ids } = await voted(5);
  const at = await opening();
  const put = (i: number, round: string | null, earlier: string) =>
    app.sql('update votes set round_id = $2, created_at = $3::timestamptz - $4::interval where id = $1', [
      ids[i],
      round,
      at,
      earlier,
    ]);
  await put(1, OTHER_ROUND, '-1 second');
  await put(2, null, '1 microsecond');
  await put(3, null, '0');
  await put(4, null, '-1 second');
  return { id, ids, people: people as [Person, Person, Person, Person, Person] };
}

const admin = await app.member({ role: 'admin' });
const { candidates } = app.as(admin).admin;
async function reset(id: string): Promise<string> {
  await app.sql('update sessions set proved_at = now() where user_id = $1', [admin.id]);
  const { resetId } = await candidates.resetVotes({ id, reason: 'Bots' });
  return resetId ?? '';
}

describe('the counts of uncounted votes', () => {
  it('include votes of the open round: by its id, or without one by its opening time', async () => {
    const { id, ids } = await ofAllRounds();
    for (const [i, counted] of [true, false, false, true, true].entries()) {
      await change(ids.slice(i, i + 1), 'under_review', 'burst');
      expect(await counters(id)).toMatchObject({ total: 4, review: counted ? 1 : 0, void: 0 });
      await change(ids.slice(i, i + 1), 'void', 'moderator');
      expect(await counters(id)).toMatchObject({ total: 4, review: 0, void: counted ? 1 : 0 });
      await change(ids.slice(i, i + 1), 'counted');
    }
    expect(await counters(id)).toMatchObject({ total: 5, review: 0, void: 0 });
  });

  it('decrease with the account of a voter, by its votes of the open round', async () => {
    for (const [state, name] of [
      ['under_review', 'review'],
      ['void', 'void'],
    ] as const) {
      const { id, ids, people } = await ofAllRounds();
      await change(ids, state, 'moderator');
      expect(await counters(id)).toMatchObject({ total: 0, [name]: 3 });
      const left = [2, 2, 2, 1, 0];
      for (const [i, person] of people.entries()) {
        await db.transaction((tx) => removeMember(tx, person.id, app.now));
        expect(await counters(id)).toMatchObject({ total: 0, [name]: left[i] });
      }
    }
  });
});

describe('a withdrawal', () => {
  it('is possible for a vote of the open round: by its id, or without one by its opening time', async () => {
    const { id, people } = await ofAllRounds();
    for (const [i, possible] of [true, false, false, true, true].entries()) {
      const withdrawn = app.as(people[i] as Person).voting.withdraw({ candidateId: id });
      if (possible) await withdrawn;
      else await expect(withdrawn).rejects.toMatchObject({ code: 'ROUND_ENDED' });
    }
    expect(await counters(id)).toMatchObject({ total: 2 });
  });

  it('finds no vote that a reset removed', async () => {
    const { id, people } = await voted(2);
    const resetId = await reset(id);
    const withdraw = () => app.as(people[0] as Person).voting.withdraw({ candidateId: id });
    await expect(withdraw()).rejects.toMatchObject({ code: 'NO_VOTE' });
    await candidates.undoReset({ id, resetId });
    expect(await withdraw()).toMatchObject({ totalVotes: 1 });
  });
});

describe('a change of votes of several days', () => {
  const twoDays = async () => {
    const { id, people } = await voted(3);
    app.pass(86_400_000);
    for (const person of people.slice(1)) await app.as(person).voting.cast({ candidateId: id });
    return { id, ids: await voteIds(id) };
  };

  it('changes the counts of each day by the votes of that day', async () => {
    const { id, ids } = await twoDays();
    const before = await counters(id);
    await change(ids, 'void', 'moderator');
    expect(await counters(id)).toMatchObject({ total: 0, days: {} });
    await change(ids, 'counted');
    expect(await counters(id)).toEqual(before);
  });

  it('does so too while a reset is in effect', async () => {
    const { id, ids } = await twoDays();
    const before = await counters(id);
    const resetId = await reset(id);
    await change(ids, 'void', 'moderator');
    await change(ids, 'counted');
    await candidates.undoReset({ id, resetId });
    expect(await counters(id)).toEqual(before);
  });
});

it('the time of a total is that of its newest counted vote, whichever reset was undone', async () => {
  const { id, ids } = await voted(2);
  const resetId = await reset(id);
  const people = await app.members(2);
  for (const person of people) {
    await app.as(person).voting.cast({ candidateId: id });
    app.pass(1_000);
  }
  const reached = (await counters(id))?.['reached'];
  await candidates.undoReset({ id, resetId });
  await change(ids.slice(0, 1), 'void', 'moderator');
  expect(await counters(id)).toMatchObject({ total: 3, reached });
});

it('open pages get no counts of a candidate that is hidden or deleted', async () => {
  const [hidden, deleted, shown] = [await voted(1), await voted(1), await voted(1)];
  await app.sql('update voting_candidates set is_active = false where id = $1', [hidden.id]);
  await app.sql('update voting_candidates set deleted_at = now() where id = $1', [deleted.id]);
  const listener = listenTo(app.services);
  await change([...hidden.ids, ...deleted.ids, ...shown.ids], 'under_review', 'burst');
  // Events of the earlier votes, with a total of one, may still arrive.
  const emptied = () =>
    listener.liveEvents.flatMap((event) =>
      event.type === 'votes.changed' ? event.tallies.filter(({ totalVotes }) => totalVotes === 0) : [],
    );
  await listener.until(() => emptied().some(({ candidateId }) => candidateId === shown.id));
  expect(emptied().map(({ candidateId }) => candidateId)).toEqual([shown.id]);
});

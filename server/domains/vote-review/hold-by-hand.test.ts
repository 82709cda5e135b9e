import { expect, it } from 'vitest';
import { app, back, counters, DAY, membersOf, vote } from '#tests/fixtures/votes/vote-review.ts';

const someVotes = async () => {
  const [one, two] = [await app.candidate(), await app.candidate()];
  const [person, other] = await membersOf(2, 90 * DAY);
  if (!person || !other) throw new Error('no members');
  for (const { id } of [one, two]) await vote(person, id, '192.0.2.1');
  await vote(other, one.id, '198.51.100.1');
  return { one: one.id, two: two.id, person };
};
const hold = (memberId: string, reason = 'sold votes') => back.hold({ memberId, reason });

it('holding the votes of a member takes the counted ones out of the totals, is audited, and is reversed by a release', async () => {
  const { one, two, person } = await someVotes();
  const before = [await counters(one), await counters(two)];
  const { cluster, changed } = await hold(person.id);
  expect(changed).toBe(2);
  expect(cluster).toMatchObject({
    signal: 'by_hand',
    state: 'open',
    candidateId: null,
    waiting: 2,
    members: 1,
    facts: { reason: 'sold votes' },
  });
  expect([await counters(one), await counters(two)]).toMatchObject([
    { total: 1, review: 1, void: 0 },
    { total: 0, review: 1, void: 0 },
  ]);
  expect(await app.as(person).voting.uncounted()).toMatchObject([
    { reason: 'team', state: 'under_review' },
    { reason: 'team', state: 'under_review' },
  ]);
  const entries = await app.sql('select action, reason, actor_role, after from audit_events where resource_id = $1', [
    cluster.id,
  ]);
  expect(entries).toEqual([
    {
      action: 'votes.held',
      reason: 'sold votes',
      actor_role: 'admin',
      after: { signal: 'by_hand', votes: 2, candidateId: null },
    },
  ]);
  await back.release({ id: cluster.id });
  expect([await counters(one), await counters(two)]).toEqual(before);
});

it('holding one vote names its candidate, can be voided and undone, and needs a reason and a counted vote', async () => {
  const { one, two, person } = await someVotes();
  await app.as(person).voting.withdraw({ candidateId: two });
  const before = await counters(one);
  await expect(hold(person.id, ' ')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(await counters(one)).toEqual(before);
  const { cluster } = await hold(person.id);
  expect(cluster.candidateId).toBe(one);
  await expect(hold(person.id)).rejects.toMatchObject({ code: 'ALREADY_DONE' });
  await back.void({ id: cluster.id, reason: 'proved' });
  expect(await counters(one)).toMatchObject({ total: 1, review: 0, void: 1 });
  await back.undo({ id: cluster.id });
  await back.release({ id: cluster.id });
  expect(await counters(one)).toEqual(before);
  // A released vote was decided: it is not held again.
  await expect(hold(person.id)).rejects.toMatchObject({ code: 'ALREADY_DONE' });
});

it('concurrent requests to hold the votes of a member change each vote once', async () => {
  const { one, person } = await someVotes();
  const before = await counters(one);
  const outcomes = await Promise.allSettled([hold(person.id), hold(person.id), hold(person.id)]);
  const done = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  expect(done.reduce((sum, { changed }) => sum + changed, 0)).toBe(2);
  expect(await counters(one)).toMatchObject({ total: 1, review: 1 });
  for (const { cluster } of done) await back.release({ id: cluster.id });
  expect(await counters(one)).toEqual(before);
});

// Whatever members and admins do with the votes of two candidates, one after the other: counters equal the votes, the votes
// are those of a model that only keeps lists, and whoever reads the queue of changes ends with the same.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import type { VoteState } from '#server/db/tables/voting.ts';
import { removeMember } from '#server/domains/account/removal.service.ts';
import { startTestApp } from '#tests/support/test-app.ts';
import { lockVotesOf, restoreVotesOfBanned, voidVotesOfBanned } from './banned-votes.service.ts';
import { findMiscounts, resetVotes, undoReset } from './manage-votes.service.ts';
import { changeVoteStates } from './vote-states.service.ts';
import { withdrawVote } from './votes.service.ts';

const app = await startTestApp();
const { db, votes: service } = app.services;
const SYSTEM = { id: null, role: 'system', ipHash: null, requestId: null } as const;
const limits = { minute: LIMITS.voteAccountMinute, day: LIMITS.voteAccountDay };
const editor = () => ({ actor: SYSTEM, now: app.now });

interface Vote {
  user: string;
  candidate: string;
  day: string;
  at: number;
  state: VoteState;
  reason: string | null;
  /** Before a ban. */
  was: { state: VoteState; reason: string | null } | null;
}

/** Lists, and nothing else. */
class Model {
  votes: Vote[] = [];
  readonly banned = new Set<string>();
  readonly resets: { id: string; candidate: string; votes: Vote[]; undone: boolean }[] = [];

  #everywhere = (user: string) =>
    [...this.votes, ...this.resets.flatMap(({ votes }) => votes)].filter((vote) => vote.user === user);

  ban(user: string) {
    this.banned.add(user);
    for (const vote of this.#everywhere(user)) {
      if (vote.state === 'void') continue;
      vote.was = { state: vote.state, reason: vote.reason };
      Object.assign(vote, { state: 'void', reason: 'member_banned' });
    }
  }

  unban(user: string) {
    this.banned.delete(user);
    for (const vote of this.#everywhere(user)) {
      if (vote.was && vote.state === 'void' && vote.reason === 'member_banned') Object.assign(vote, vote.was);
      vote.was = null;
    }
  }

  remove(user: string) {
    this.votes = this.votes.filter((vote) => vote.user !== user);
    for (const reset of this.resets) reset.votes = reset.votes.filter((vote) => vote.user !== user);
  }

  undo(id: string) {
    const reset = this.resets.find((one) => one.id === id);
    if (!reset) return;
    const isSame = (one: Vote, other: Vote) =>
      one.candidate === other.candidate && one.user === other.user && one.day === other.day;
    this.votes.push(...reset.votes.filter((vote) => !this.votes.some((newer) => isSame(newer, vote))));
    Object.assign(reset, { votes: [], undone: true });
  }
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/** What the database has, in the words of the model. */
async function stored(candidates: readonly string[]) {
  const rows = await app.sql<{ of: string; state: VoteState }>(
    `select candidate_id || ' ' || user_id || ' ' || voted_on as of, state, state_reason from votes
     where candidate_id = any($1::uuid[]) order by 1`,
    [candidates],
  );
  const counters = await app.sql(
    `select id, total_votes as total, votes_under_review as review, votes_void as void,
       (extract(epoch from total_reached_at) * 1000)::float8 as reached
     from voting_candidates where id = any($1::uuid[]) order by id`,
    [candidates],
  );
  return { rows, counters };
}

function expected(model: Model, candidates: readonly string[]) {
  const rows = model.votes
    .map((vote) => ({
      of: `${vote.candidate} ${vote.user} ${vote.day}`,
      state: vote.state,
      state_reason: vote.reason,
    }))
    .toSorted((a, b) => (a.of < b.of ? -1 : 1));
  const counters = candidates.toSorted().map((id) => {
    const of = (state: VoteState) => model.votes.filter((vote) => vote.candidate === id && vote.state === state);
    const counted = of('counted');
    return {
      id,
      total: counted.length,
      review: of('under_review').length,
      void: of('void').length,
      reached: counted.length > 0 ? Math.max(...counted.map(({ at }) => at)) : null,
    };
  });
  return { rows, counters };
}

/** Reads the queue as the ledger does: each vote ends as it is, or as withdrawn when it is gone, and no change comes twice. */
async function checkQueue(candidates: readonly string[]) {
  const changes = await app.sql<{ vote_id: string; state: string }>(
    'select vote_id, state from vote_changes where candidate_id = any($1::uuid[]) order by id',
    [candidates],
  );
  const last = new Map<string, string>();
  for (const { vote_id: id, state } of changes) {
    expect(last.get(id), `vote ${id}`).not.toBe(state);
    expect(last.get(id), `vote ${id} was gone`).not.toBe('withdrawn');
    last.set(id, state);
  }
  const present = await app.sql<{ id: string; state: string }>(
    'select id, state from votes where candidate_id = any($1::uuid[])',
    [candidates],
  );
  expect(new Map([...last].filter(([, state]) => state !== 'withdrawn'))).toEqual(
    new Map(present.map(({ id, state }) => [id, state])),
  );
}

const member = fc.nat({ max: 3 });
const candidate = fc.nat({ max: 1 });
const act = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('cast' as const), member, candidate }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('withdraw' as const), member, candidate }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reset' as const), candidate }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('undo' as const), which: fc.nat({ max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('ban' as const, 'unban' as const), member }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hold' as const), candidate }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release' as const), candidate }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), member }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('day' as const) }) },
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

/** Does one act to both. What is refused changes neither. */
async function perform(step: Act, model: Model, users: readonly string[], candidates: readonly string[]) {
  const user = 'member' in step ? (users[step.member] ?? '') : '';
  const id = 'candidate' in step ? (candidates[step.candidate] ?? '') : '';
  const at = app.now;
  const mine = (vote: Vote) => vote.user === user && vote.candidate === id && vote.day === dayOf(at);
  const refused = (code: string) => (error: { code?: string }) => expect(error.code).toBe(code);
  const statesTo = async (from: VoteState, to: VoteState, reason: string | null) => {
    const rows = await app.sql<{ id: string }>('select id from votes where candidate_id = $1 and state = $2', [
      id,
      from,
    ]);
    const voteIds = rows.map((row) => Number(row.id));
    await db.transaction((tx) => changeVoteStates(tx, { voteIds, to, reason, now: at }));
    for (const vote of model.votes)
      if (vote.candidate === id && vote.state === from) Object.assign(vote, { state: to, reason });
  };
  switch (step.do) {
    case 'cast': {
      const [alive] = await app.sql('select 1 from users where id = $1', [user]);
      const casting = service.cast({ candidateId: id, userId: user, networks: [], limits });
      if (!alive || model.banned.has(user)) return casting.then(() => expect.unreachable(), refused('UNAUTHORIZED'));
      if (model.votes.some(mine)) return casting.then(() => expect.unreachable(), refused('ALREADY_VOTED'));
      await casting;
      model.votes.push({
        user,
        candidate: id,
        day: dayOf(at),
        at: at.getTime(),
        state: 'counted',
        reason: null,
        was: null,
      });
      return;
    }
    case 'withdraw': {
      const going = withdrawVote(db, { ...SYSTEM, id: user }, id, at);
      if (!model.votes.some((vote) => mine(vote) && vote.state === 'counted'))
        return going.then(() => expect.unreachable(), refused('NO_VOTE'));
      await going;
      model.votes = model.votes.filter((vote) => !mine(vote));
      return;
    }
    case 'reset': {
      const of = model.votes.filter((vote) => vote.candidate === id);
      const resetting = resetVotes(db, editor(), { id, reason: '' });
      if (of.length === 0) return resetting.then(() => expect.unreachable(), refused('ALREADY_DONE'));
      const { resetId, totalVotes } = await resetting;
      expect(totalVotes).toBe(0);
      model.votes = model.votes.filter((vote) => vote.candidate !== id);
      model.resets.push({ id: resetId ?? '', candidate: id, votes: of, undone: false });
      return;
    }
    case 'undo': {
      const reset = model.resets[step.which % Math.max(1, model.resets.length)];
      if (!reset) return;
      const undoing = undoReset(db, editor(), { id: reset.candidate, resetId: reset.id });
      if (reset.undone) return undoing.then(() => expect.unreachable(), refused('ALREADY_DONE'));
      const before = model.votes.length;
      model.undo(reset.id);
      expect((await undoing).restored).toBe(model.votes.length - before);
      return;
    }
    case 'ban':
    case 'unban':
      await db.transaction(async (tx) => {
        await lockVotesOf(tx, user);
        await tx.$client.query('update users set banned_until = $2 where id = $1', [
          user,
          step.do === 'ban' ? 'infinity' : null,
        ]);
        await (step.do === 'ban' ? voidVotesOfBanned : restoreVotesOfBanned)(tx, user, at);
      });
      return step.do === 'ban' ? model.ban(user) : model.unban(user);
    case 'hold':
      return statesTo('counted', 'under_review', 'network_burst');
    case 'release':
      return statesTo('under_review', 'counted', null);
    case 'remove':
      await db.transaction((tx) => removeMember(tx, user, at));
      model.banned.delete(user);
      return model.remove(user);
    case 'day':
      app.pass(86_400_000);
  }
}

it('ends as a model of plain lists does, after any sequence of votes, withdrawals, bans, resets and undos', async () => {
  await app.sql(`update voting_rounds set opens_at = $1, closes_at = $2 where status = 'open'`, [
    new Date(app.now.getTime() - 86_400_000),
    new Date(app.now.getTime() + 3_000 * 86_400_000),
  ]);
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 16 }), async (steps) => {
      const users = (await app.members(4)).map(({ id }) => id);
      const candidates = [(await app.candidate()).id, (await app.candidate()).id];
      const model = new Model();
      for (const step of steps) {
        await perform(step, model, users, candidates);
        expect(await stored(candidates)).toEqual(expected(model, candidates));
        app.pass(61_000);
      }
      expect(await findMiscounts(db)).toEqual([]);
      await checkQueue(candidates);
    }),
    { numRuns: 40 },
  );
});

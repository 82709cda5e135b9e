// Random sequences of actions of members and admins on the votes of two candidates: counters equal the votes, the votes equal those of a
// model that only keeps lists, and the ledger, however far it has read, states for each moment what was true then.
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import { openDb, openPool } from '#server/db/client.ts';
import type { VoteState } from '#server/db/tables/voting.ts';
import { removeMember } from '#server/domains/account/removal.service.ts';
import { appendBatch } from '#server/domains/ledger/append.service.ts';
import { openSigningKey } from '#server/domains/ledger/key.ts';
import { lockVotesOf, restoreVotesOfBanned, voidVotesOfBanned } from '#server/domains/voting/banned-votes.service.ts';
import { findMiscounts, resetVotes, undoReset } from '#server/domains/voting/manage-votes.service.ts';
import { carrySome } from '#server/domains/voting/old-votes/carry-votes.sql.ts';
import { changeVoteStates, lockCandidates, withdrawing } from '#server/domains/voting/vote-states.service.ts';
import { withdrawVote } from '#server/domains/voting/votes.service.ts';
import { Model, type Vote } from '#tests/fixtures/votes/vote-model.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { propertyRuns } from '#tests/support/runner/property-runs.ts';
import { parseEntry } from '#verify/entries.ts';

const app = await startTestApp();
const { db, votes: service } = app.services;
/** Sums are the owner's: the site can't make any up. */
const pool = openPool({ ...app.config, max: 1 });
afterAll(() => pool.end());
const owner = openDb(pool);
const SYSTEM = { id: null, role: 'system', ipHash: null, requestId: null } as const;
const limits = { minute: LIMITS.voteAccountMinute, day: LIMITS.voteAccountDay };
const editor = () => ({ actor: SYSTEM, now: app.now });

const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/** The rows of the database, in the form of the model. */
async function stored(candidates: readonly string[]) {
  const rows = await app.sql<{ of: string; state: VoteState }>(
    `select candidate_id || ' ' || user_id || ' ' || voted_on as of, state, state_reason from present_votes
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
    .filter((vote) => !vote.carried)
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

/** What an undo would give back equals the votes that resets took. */
async function checkResets(candidates: readonly string[]) {
  const wrong = await app.sql(
    `select r.id from vote_resets r
     left join votes v on v.candidate_id = r.candidate_id and v.generation = any(r.generations) and r.undone_at is null
     where r.candidate_id = any($1::uuid[]) group by r.id
     having r.total_votes <> count(v.*) filter (where v.state = 'counted') + coalesce((select sum(k.votes) from carried_votes k
         where k.candidate_id = r.candidate_id and k.generation = any(r.generations) and r.undone_at is null), 0)
       or r.votes_under_review <> count(v.*) filter (where v.state = 'under_review')
       or r.votes_void <> count(v.*) filter (where v.state = 'void')
       or coalesce((select sum(votes) from vote_reset_days d where d.reset_id = r.id), 0) <> r.total_votes`,
    [candidates],
  );
  expect(wrong).toEqual([]);
}

/** The ledger, which reads a batch on request, and stops at marks as at the end of a round. */
class Reader {
  static readonly #key = openSigningKey(new Uint8Array(32).fill(1));
  readonly #marks = new Map<string, Map<string, number>>();
  readonly #states = new Map<string, { of: string; state: string }>();
  #seen = 0;

  /** Marks this position: read exactly up to here, the ledger must have these counts. */
  async mark(counts: Map<string, number>) {
    const [round] = await app.sql<{ id: string }>(
      `insert into voting_rounds (number, status, opens_at, closes_at, closed_at)
       select max(number) + 1, 'closed', now() - interval '1 day', now(), now() from voting_rounds returning id`,
    );
    await app.sql(
      `insert into ledger_round_ends (round_id, last_change, ended_at) select $1, last_value, '-infinity' from vote_changes_id_seq`,
      [round?.id],
    );
    this.#marks.set(round?.id ?? '', counts);
  }

  /** Enters one batch, and compares at a mark. @returns whether more is pending. */
  async read(batch: number): Promise<boolean> {
    const { more } = await appendBatch(db, { origin: 'test.example/ledger', key: Reader.#key, batch });
    for (const leaf of await app.sql<{ seq: string; entry: string }>(
      'select seq, entry from ledger_leaves where seq >= $1 order by seq',
      [this.#seen],
    )) {
      this.#seen = Number(leaf.seq) + 1;
      const entry = parseEntry(leaf.entry);
      if (entry?.kind !== 'vote') continue;
      const key = `${entry.candidate} ${entry.day} ${entry.voter}`;
      expect(this.#states.get(key)?.state, leaf.entry).not.toBe(entry.state);
      this.#states.set(key, { of: `${entry.candidate} ${entry.day}`, state: entry.state });
    }
    for (const { id } of await app.sql<{ id: string }>(
      'delete from ledger_round_ends where stated_at is not null returning round_id as id',
    )) {
      expect(this.#counts()).toEqual(this.#marks.get(id));
      this.#marks.delete(id);
    }
    return more;
  }

  #counts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { of, state } of this.#states.values()) {
      if (state === 'withdrawn') continue;
      counts.set(`${of} ${state}`, (counts.get(`${of} ${state}`) ?? 0) + 1);
    }
    return counts;
  }

  /** Reads everything that is pending, and resets the reader. */
  async finish() {
    while (await this.read(1_000));
    expect(this.#marks.size).toBe(0);
    this.#states.clear();
  }
}

const member = fc.nat({ max: 3 });
const candidate = fc.nat({ max: 1 });
const anyAction = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('cast' as const), member, candidate }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('withdraw' as const), member, candidate }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reset' as const), candidate }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('undo' as const), which: fc.nat({ max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('ban' as const, 'unban' as const), member }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hold' as const), candidate }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release' as const), candidate }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), member }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('day' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('carry' as const), candidate }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('read' as const), batches: fc.integer({ min: 1, max: 8 }) }) },
);
type Action = typeof anyAction extends fc.Arbitrary<infer T> ? T : never;

const cast: Action = { do: 'cast', member: 0, candidate: 0 };
const reset: Action = { do: 'reset', candidate: 0 };
const undo: Action = { do: 'undo', which: 0 };
const ban: Action = { do: 'ban', member: 0 };
const unban: Action = { do: 'unban', member: 0 };
/** Bans around a reset, a combination that random sequences rarely contain. */
const BANS: Action[][] = [
  [cast, reset, ban, undo, unban],
  [cast, ban, reset, undo, unban],
  [cast, ban, reset, unban, undo],
  [cast, reset, ban, unban, undo],
];
const other: Action = { do: 'cast', member: 1, candidate: 0 };
const read: Action = { do: 'read', batches: 2 };
/** Resets of votes that the ledger has not entered yet, or only in part. */
const RESETS: Action[][] = [
  [cast, other, read, read, reset, { do: 'remove', member: 1 }, undo],
  [cast, other, reset, undo, { do: 'hold', candidate: 0 }, read, { do: 'withdraw', member: 0, candidate: 0 }],
  [cast, other, reset, undo, reset, ban, { do: 'undo', which: 1 }, { do: 'remove', member: 1 }],
  [cast, other, reset, cast, { do: 'withdraw', member: 0, candidate: 0 }, undo, reset, { do: 'undo', which: 1 }],
  [cast, { do: 'hold', candidate: 0 }, other, reset, cast, undo, { do: 'release', candidate: 0 }],
];

const day: Action = { do: 'day' };
const carry: Action = { do: 'carry', candidate: 0 };
/** Actions on votes that were carried into sums. */
const SUMS: Action[][] = [
  [cast, other, day, carry, { do: 'remove', member: 1 }, reset, read, undo],
  [cast, other, day, carry, cast, reset, undo, { do: 'withdraw', member: 0, candidate: 0 }],
  [cast, reset, undo, day, carry, ban, other, reset, { do: 'undo', which: 1 }, unban],
  [cast, other, day, cast, carry, day, carry, reset, read, read, undo, reset],
  [cast, other, ban, day, carry, unban, carry, reset, { do: 'undo', which: 0 }],
];

/** Carries the candidate's earlier days without void votes or votes under review into sums, after the ledger has read everything. */
async function carryDays(model: Model, ledger: Reader, id: string, today: string): Promise<void> {
  while (await ledger.read(1_000));
  const days = Map.groupBy(
    model.votes.filter((vote) => vote.candidate === id && vote.day < today && !vote.carried),
    (vote) => vote.day,
  );
  for (const [day, votes] of days) {
    if (votes.some(({ state }) => state !== 'counted')) continue;
    const generations = await app.sql<{ generation: number }>(
      'select distinct generation from present_votes where candidate_id = $1 and voted_on = $2',
      [id, day],
    );
    for (const { generation } of generations)
      await owner.transaction(async (tx) => {
        await lockCandidates(tx, sql`(select ${id}::uuid)`);
        await withdrawing(tx, 'carried');
        await carrySome(tx, { candidate: id, generation, day, decidedBefore: app.now, max: 100 });
      });
    for (const vote of votes) vote.carried = true;
  }
}

/** Performs one action on the model and the database; a refused one changes neither. */
async function perform(
  step: Action,
  { model, ledger }: { model: Model; ledger: Reader },
  users: readonly string[],
  candidates: readonly string[],
) {
  const user = 'member' in step ? (users[step.member] ?? '') : '';
  const id = 'candidate' in step ? (candidates[step.candidate] ?? '') : '';
  const at = app.now;
  const mine = (vote: Vote) => vote.user === user && vote.candidate === id && vote.day === dayOf(at);
  const refused = (code: string) => (error: { code?: string }) => expect(error.code).toBe(code);
  const statesTo = async (from: VoteState, to: VoteState, reason: string | null) => {
    const rows = await app.sql<{ id: string }>('select id from present_votes where candidate_id = $1 and state = $2', [
      id,
      from,
    ]);
    const voteIds = rows.map((row) => Number(row.id));
    await db.transaction((tx) => changeVoteStates(tx, { voteIds, to, reason, now: at }));
    for (const vote of model.votes)
      if (vote.candidate === id && vote.state === from && !vote.carried) Object.assign(vote, { state: to, reason });
  };
  switch (step.do) {
    case 'cast': {
      const [alive] = await app.sql('select 1 from users where id = $1', [user]);
      const casting = service.cast({ candidateId: id, userId: user, networks: [], limits });
      if (!alive || model.banned.has(user)) return casting.then(() => expect.unreachable(), refused('UNAUTHORIZED'));
      if (model.votes.some(mine)) return casting.then(() => expect.unreachable(), refused('ALREADY_VOTED'));
      await casting;
      model.cast({
        user,
        candidate: id,
        day: dayOf(at),
        at: at.getTime(),
        state: 'counted',
        reason: null,
        stateBeforeBan: null,
      });
      return;
    }
    case 'withdraw': {
      const going = withdrawVote(db, { ...SYSTEM, id: user }, id, at);
      const vote = model.votes.find(mine);
      if (vote?.state !== 'counted')
        return going.then(() => expect.unreachable(), refused(vote ? 'VOTE_UNCOUNTED' : 'NO_VOTE'));
      await going;
      model.votes = model.votes.filter((one) => !mine(one));
      return;
    }
    case 'reset': {
      const of = model.votes.filter((vote) => vote.candidate === id);
      const resetting = resetVotes(db, editor(), { id, reason: 'Bots' });
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
    case 'carry':
      return carryDays(model, ledger, id, dayOf(at));
    case 'day':
      app.pass(86_400_000);
      return;
    case 'read':
      for (let n = 0; n < step.batches; n++) await ledger.read(2);
  }
}

it('stored votes equal those of a simple model after every step of random votes, withdrawals, bans, resets and undos', async () => {
  await app.sql(`update voting_rounds set opens_at = $1, closes_at = $2 where status = 'open'`, [
    new Date(app.now.getTime() - 86_400_000),
    new Date(app.now.getTime() + 3_000 * 86_400_000),
  ]);
  const ledger = new Reader();
  await ledger.finish();
  await fc.assert(
    fc.asyncProperty(fc.array(anyAction, { minLength: 4, maxLength: 16 }), async (steps) => {
      const users = (await app.members(4)).map(({ id }) => id);
      const candidates = [(await app.candidate()).id, (await app.candidate()).id];
      const model = new Model();
      for (const step of steps) {
        await perform(step, { model, ledger }, users, candidates);
        expect(await stored(candidates)).toEqual(expected(model, candidates));
        await checkResets(candidates);
        if (['reset', 'undo', 'ban', 'hold'].includes(step.do)) await ledger.mark(model.counts());
        app.pass(61_000);
      }
      expect(await findMiscounts(db)).toEqual([]);
      await ledger.finish();
    }),
    { endOnFailure: true, numRuns: propertyRuns(30), examples: [...BANS, ...RESETS, ...SUMS].map((steps) => [steps]) },
  );
});

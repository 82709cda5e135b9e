import { monitorEventLoopDelay } from 'node:perf_hooks';
import type pg from 'pg';
import { LIMITS } from '#contract/limits.ts';
import { type Db, openDb, openPool } from '#server/db/client.ts';
import { runAs } from '#server/db/timeouts.ts';
import { removeMember } from '#server/domains/account/removal.service.ts';
import { appendBatch } from '#server/domains/ledger/append.service.ts';
import { openSigningKey } from '#server/domains/ledger/key.ts';
import { createVoteReview } from '#server/domains/vote-review/review.service.ts';
import { voidVotesOfBanned } from '#server/domains/voting/banned-votes.service.ts';
import { resetVotes, undoReset } from '#server/domains/voting/manage-votes.service.ts';
import { createVoteService, withdrawVote } from '#server/domains/voting/votes.service.ts';
import type { VoteService } from '#server/domains/voting/voting.port.ts';
import { type BenchEnvironment, SIZES } from '../lib/environment.ts';
import { interleaved, median } from '../lib/numbers.ts';
import { compared, count, ms, type Row, stated } from '../lib/report.ts';

const MEMBERS = SIZES.oneCandidate.members;
/** Days on which each of them voted for the one candidate: 1,000,000 votes. */
const DAYS = 50;
/** Members who withdraw their vote, or delete their account. */
const EACH = 40;
/** Resets, each of them undone. */
const RESETS = 5;
/** Votes that the ledger enters for its figure. */
const LEAVES = 50_000;

const SYSTEM = { id: null, role: 'system', ipHash: null, requestId: null } as const;
const limits = { minute: LIMITS.voteAccountMinute, day: LIMITS.voteAccountDay };

interface BenchContext {
  db: Db;
  admin: pg.Client;
  votes: VoteService;
  members: string[];
  /** The candidate with a million votes, and one with few. */
  many: string;
  few: string;
}

/** A million votes of the open round for the first candidate, each member's from a network of their own. */
async function fill(admin: pg.Client): Promise<void> {
  await admin.query('begin');
  await admin.query('set local session_replication_role = replica');
  await admin.query(`truncate votes, candidate_daily_votes`);
  await admin.query(
    `insert into votes (candidate_id, user_id, voted_on, created_at, round_id, networks)
     select c.id, u.id, p.day - d, (p.day - d)::timestamp at time zone 'UTC' + u.n * interval '4 seconds', r.id,
       array[decode(md5('a' || u.n), 'hex'), decode(md5('b' || u.n / 200), 'hex')]
     from (select id from voting_candidates order by order_index limit 1) c,
       (select id from voting_rounds where status = 'open') r, (select (now() at time zone 'UTC')::date as day) p,
       generate_series(1, $1::int) d, (select id, row_number() over (order by id) as n from users) u order by d desc, u.n`,
    [DAYS],
  );
  await admin.query(`insert into candidate_daily_votes (candidate_id, day, votes)
    select candidate_id, voted_on, count(*) from votes group by 1, 2`);
  await admin.query(`update voting_candidates c set total_votes = v.n, total_reached_at = v.at
    from (select candidate_id, count(*) as n, max(created_at) as at from votes group by 1) v where v.candidate_id = c.id`);
  await admin.query('commit');
  await admin.query('vacuum (analyze) votes');
  await admin.query('checkpoint');
}

/** Milliseconds until the response when a few members withdraw the vote that they just cast. */
async function withdrawals({ db, votes, members }: BenchContext, candidateId: string, from: number): Promise<number> {
  const times: number[] = [];
  for (const id of members.slice(from, from + EACH)) {
    await votes.cast({ candidateId, userId: id, networks: [], limits });
    const began = performance.now();
    await withdrawVote(db, { ...SYSTEM, id }, candidateId, null);
    times.push(performance.now() - began);
  }
  return median(times);
}

/** Median duration of `action` over these members, in milliseconds. */
async function eachOf(members: readonly string[], action: (id: string) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (const id of members) {
    const began = performance.now();
    await action(id);
    times.push(performance.now() - began);
  }
  return median(times);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/**
 * The longest block of the event loop, in milliseconds of this thread's own processor time: other programs of the
 * machine do not count.
 * @returns a function that ends the measurement and returns its result.
 */
function watchWork(): () => number {
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let longest = 0;
  let last = used();
  const timer = setInterval(() => {
    const now = used();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

/**
 * The first evaluation of a full window, one of a few new votes, and the longest time for which the event loop was
 * blocked.
 */
async function review({ db, votes, members, many }: BenchContext): Promise<Row[]> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const voteReview = createVoteReview(db, () => new Date());
  const work = watchWork();
  delay.enable();
  let seen = 0;
  const first = await timed(async () => {
    seen = (await voteReview.run()).looked;
  });
  await Promise.all(
    members.slice(-1_000).map((userId) => votes.cast({ candidateId: many, userId, networks: [], limits })),
  );
  const later = await timed(() => voteReview.run());
  delay.disable();
  const longest = work();
  return [
    stated(
      `r) vote review, first run over the newest ${count(seen)} of 1,000,000 votes`,
      `${(first / 1_000).toFixed(1)} s`,
    ),
    stated('r) vote review, a later run with 1,000 new votes', ms(later)),
    stated('r) vote review: longest time in which the process answered nothing', ms(delay.max / 1e6)),
    stated('r) vote review: longest work of its main thread without a turn', ms(longest), {
      target: '≤ 50 ms',
      met: longest <= 50,
    }),
  ];
}

async function ledger({ db }: BenchContext): Promise<Row> {
  const key = openSigningKey(new Uint8Array(32).fill(1));
  let entered = 0;
  const took = await timed(async () => {
    while (entered < LEAVES) entered += (await appendBatch(db, { origin: 'bench.example/ledger', key })).appended;
  });
  return stated('r) ledger: votes from before it, while nobody votes', `${count((entered / took) * 1_000)} leaves/s`);
}

const resetAndUndo = async ({ db, admin, many }: BenchContext): Promise<Row[]> => {
  const by = { actor: SYSTEM, now: new Date() };
  const resets: number[] = [];
  const undos: number[] = [];
  for (let iteration = 0; iteration < RESETS; iteration++) {
    resets.push(await timed(() => resetVotes(db, by, { id: many, reason: 'Bots' })));
    const { rows } = await admin.query<{ id: string }>(
      'select id from vote_resets where candidate_id = $1 and undone_at is null',
      [many],
    );
    undos.push(await timed(() => undoReset(db, by, { id: many, resetId: rows[0]?.id ?? '' })));
  }
  const row = (what: string, took: number) =>
    stated(`r) ${what}, 1,000,000 votes`, ms(took), { target: '≤ 100 ms', met: took <= 100 });
  return [row('reset of a candidate', median(resets)), row('undo of the reset', median(undos))];
};

/** (r) Actions of members, admins and jobs on the votes of a candidate that has a million of them. */
export async function voteActions(environment: BenchEnvironment): Promise<Row[]> {
  const admin = await environment.connect('oneCandidate');
  const pool = openPool({ ...(await environment.database('oneCandidate')), max: 8 });
  try {
    await fill(admin);
    const ids = async (query: string) => (await admin.query<{ id: string }>(query)).rows.map(({ id }) => id);
    const [many = '', few = ''] = await ids('select id from voting_candidates order by order_index');
    const db = openDb(pool);
    const context: BenchContext = {
      db,
      admin,
      votes: createVoteService(pool, { confirmedOnly: false, fixedNow: () => null }),
      members: await ids('select id from users order by id'),
      many,
      few,
    };
    const { members } = context;
    const taken = await interleaved(
      (round) => withdrawals(context, many, round * EACH),
      (round) => withdrawals(context, few, round * EACH),
    );
    const rest = members.slice(MEMBERS / 2);
    const banned = await eachOf(rest.slice(0, EACH), (id) =>
      db.transaction((tx) => voidVotesOfBanned(tx, id, new Date())),
    );
    const left = await eachOf(rest.slice(EACH, 2 * EACH), (id) =>
      db.transaction((tx) => removeMember(tx, id, new Date())),
    );
    return [
      compared('r) taking back a vote, of 1,000,000 / of hardly any', taken.ours, taken.reference, {
        atMost: 2,
        show: ms,
      }),
      stated(`r) ban: voiding ${DAYS} votes for a candidate with 1,000,000`, ms(banned)),
      stated(`r) removal of an account with ${DAYS} votes for it`, ms(left)),
      ...(await runAs('job', () => review(context))),
      await ledger(context),
      ...(await resetAndUndo(context)),
    ];
  } finally {
    await Promise.all([admin.end(), pool.end()]);
  }
}

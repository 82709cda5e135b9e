import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { RECEIPTS_SHOWN } from '#contract/limits.ts';
import { recountVotes } from '#server/domains/voting/manage-votes.service.ts';
import { changeVoteStates } from '#server/domains/voting/vote-states.service.ts';
import type { Actor } from '#server/lib/audit.ts';
import { type Person, startTestApp } from '#tests/support/app/test-app.ts';
import { bundlePath, decodeBundle, encodeBundle } from '#verify/layout.ts';
import { type Memory, type Report, verifyLedger } from '#verify/log.ts';
import { nodeSha256, openSource } from '#verify/sources.ts';

const app = await startTestApp();
const { ledger, db } = app.services;

const SYSTEM: Actor = { id: null, role: 'system', ipHash: null, requestId: null };

const verify = (receipts: string[] = [], memory: Memory | null = null) =>
  verifyLedger({ source: openSource(`${app.origin}/ledger`), hash: nodeSha256, receipts, memory });
async function inOrder(receipts: string[] = [], memory: Memory | null = null) {
  const report = await verify(receipts, memory);
  expect(report.problems).toEqual([]);
  return report;
}
const leaves = async () =>
  (await app.sql<{ entry: string }>('select entry from ledger_leaves order by seq')).map((row) => row.entry);
const change = (voteIds: number[], to: 'counted' | 'under_review' | 'void') =>
  db.transaction((tx) => changeVoteStates(tx, { voteIds, to, reason: null, now: app.now }));
const votesOf = async (candidateId: string): Promise<number[]> =>
  (await app.sql<{ id: string }>('select id from votes where candidate_id = $1 order by id', [candidateId])).map(
    ({ id }) => Number(id),
  );
const cast = (person: Person, candidateId: string) => app.as(person).voting.cast({ candidateId });
async function openRound(number: number): Promise<string> {
  await app.sql("update voting_rounds set status = 'closed', closed_at = now() where status = 'open'");
  const [row] = await app.sql<{ id: string }>(
    "insert into voting_rounds (number, opens_at, closes_at) values ($1, now() - interval '1 day', now() + interval '5 days') returning id",
    [number],
  );
  return row?.id ?? '';
}
/** The end of a round: stores the standings while all candidates are locked. */
const certify = (roundId: string) =>
  db.transaction(async (tx) => {
    await tx.execute('select 1 from voting_candidates order by id for no key update');
    await tx.execute(`insert into round_standings (round_id, rank, candidate_id, token_name, token_symbol, total_votes, reached_at)
      select '${roundId}', row_number() over (order by total_votes desc, total_reached_at nulls first, created_at, id), id, token_name,
        token_symbol, total_votes, total_reached_at from voting_candidates where is_active and deleted_at is null and total_votes > 0`);
  });

describe('the public ledger', () => {
  it('enters the votes from before its first run and all later ones, once each', async () => {
    await openRound(11);
    const { id } = await app.candidate();
    const [early, late, between] = await app.members(3);
    if (!early || !late || !between) throw new Error('no members');
    await app.sql(
      `insert into votes (candidate_id, user_id, voted_on, created_at) values ($1, $2, '2026-03-09', '2026-03-09T10:20:30Z')`,
      [id, early.id],
    );
    await cast(between, id);
    await recountVotes(db, SYSTEM, id, app.now);
    expect(await ledger.run()).toMatchObject({ halted: null, more: false });
    await cast(late, id);
    await ledger.run();
    await ledger.run();
    const report = await inOrder();
    expect(report.votes).toEqual({ counted: 3, under_review: 0, void: 0, withdrawn: 0 });
    expect((await leaves()).filter((entry) => entry.startsWith('florka-vote/1'))).toHaveLength(3);
    expect((await leaves()).find((entry) => entry.includes('day=2026-03-09'))).toContain('round=0 ');
    expect(await app.sql('select 1 from vote_changes')).toEqual([]);
  });

  it('issues receipts to the voter alone, which stay valid after many more votes', async () => {
    const { id } = await app.candidate();
    const [voter, other] = await app.members(2);
    if (!voter || !other) throw new Error('no members');
    await cast(voter, id);
    const waiting = await app.as(voter).ledger.mine();
    expect(waiting).toMatchObject([{ candidateId: id, state: 'counted', leaf: null, signed: false }]);
    const voteId = waiting[0]?.id ?? 0;
    await expect(app.as(voter).ledger.receipt({ voteId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await ledger.run();
    const [vote] = await app.as(voter).ledger.mine();
    expect(vote).toMatchObject({ signed: true });
    const { receipt } = await app.as(voter).ledger.receipt({ voteId });
    await expect(app.as(other).ledger.receipt({ voteId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { memory } = await inOrder([receipt]);
    for (const one of await app.members(30)) await cast(one, id);
    await ledger.run();
    const later = await inOrder([receipt], memory);
    expect(later.receipts).toMatchObject([{ index: vote?.leaf, state: 'counted' }]);
    expect(later.consistentWith).toBe(1);
  });

  it('enters each change of a vote once: under review, void, counted again, withdrawn, cast again', async () => {
    const { id } = await app.candidate();
    const [voter] = await app.members(1);
    if (!voter) throw new Error('no member');
    await cast(voter, id);
    const ids = await votesOf(id);
    const states: (string | null)[] = [];
    const see = async () => {
      await ledger.run();
      states.push((await inOrder([receipt])).receipts[0]?.state ?? null);
    };
    await ledger.run();
    const { receipt } = await app.as(voter).ledger.receipt({ voteId: ids[0] ?? 0 });
    for (const state of ['under_review', 'void', 'counted'] as const) {
      await change(ids, state);
      await see();
    }
    await app.as(voter).voting.withdraw({ candidateId: id });
    await see();
    await cast(voter, id);
    await see();
    expect(states).toEqual(['under_review', 'void', 'counted', 'withdrawn', 'counted']);
    await ledger.run();
    const own = (await leaves()).filter((entry) => entry.startsWith('florka-vote/1') && entry.includes(id));
    expect(own.map((entry) => /state=(\w+)/.exec(entry)?.[1])).toEqual(['counted', ...states]);
    expect(new Set(own.flatMap((entry) => /voter=\w+/.exec(entry)?.[0] ?? [])).size).toBe(1);
  });

  it('lists all votes of a member, a page at a time', async () => {
    const [voter] = await app.members(1);
    if (!voter) throw new Error('no member');
    const votes = RECEIPTS_SHOWN + 3;
    for (let n = 0; n < votes; n++)
      await app.sql(
        'insert into votes (candidate_id, user_id, voted_on, created_at) values ($1, $2, $3::date, $3::date)',
        [(await app.candidate()).id, voter.id, `2026-02-0${1 + Math.floor(n / 10)}`],
      );
    const newest = await app.as(voter).ledger.mine();
    const { day, id } = newest.at(-1) ?? {};
    const older = await app.as(voter).ledger.mine({ day, id });
    expect([newest.length, older.length]).toEqual([RECEIPTS_SHOWN, 3]);
    expect(new Set([...newest, ...older].map((vote) => vote.id)).size).toBe(votes);
    expect(older.map((vote) => vote.day)).toEqual(['2026-02-01', '2026-02-01', '2026-02-01']);
    expect(await app.as(voter).ledger.mine({ day: '2026-02-01', id: older.at(-1)?.id })).toEqual([]);
  });

  it('shows a member no leaf of a vote whose present state is not entered yet', async () => {
    const { id } = await app.candidate();
    const [voter] = await app.members(1);
    if (!voter) throw new Error('no member');
    await cast(voter, id);
    await ledger.run();
    const [before] = await app.as(voter).ledger.mine();
    expect(before).toMatchObject({ state: 'counted', signed: true });
    await change(await votesOf(id), 'void');
    expect(await app.as(voter).ledger.mine()).toMatchObject([{ state: 'void', leaf: null, signed: false }]);
    await ledger.run();
    const [after] = await app.as(voter).ledger.mine();
    expect(after).toMatchObject({ state: 'void', signed: true });
    expect(after?.leaf).toBeGreaterThan(before?.leaf ?? Number.POSITIVE_INFINITY);
  });

  it('enters the votes of a deleted account as withdrawn, and keeps no reference to its member', async () => {
    const { id } = await app.candidate();
    const [leaver, never] = await app.members(2);
    if (!leaver || !never) throw new Error('no members');
    await cast(leaver, id);
    await ledger.run();
    const before = await leaves();
    await cast(never, id);
    for (const one of [leaver, never]) await app.sql('delete from users where id = $1', [one.id]);
    await ledger.run();
    await inOrder();
    const after = await leaves();
    expect(after.slice(0, before.length)).toEqual(before);
    const added = after.slice(before.length).filter((entry) => entry.includes(id));
    expect(added.map((entry) => /state=(\w+)/.exec(entry)?.[1])).toEqual(['counted', 'withdrawn', 'withdrawn'].sort());
    expect(await app.sql('select 1 from ledger_salts where user_id = any($1)', [[leaver.id, never.id]])).toEqual([]);
    await recountVotes(db, SYSTEM, id, app.now);
    expect(
      await app.sql('select 1 from ledger_leaves where vote_id is not null and entry like $1', [`%${id}%`]),
    ).toEqual([]);
    expect(after.join('\n')).not.toContain(leaver.id);
  });

  it('gives a member one pseudonym within a round, and another one in the next', async () => {
    const [a, b] = [await app.candidate(), await app.candidate()];
    const [voter] = await app.members(1);
    if (!voter) throw new Error('no member');
    await cast(voter, a.id);
    await cast(voter, b.id);
    await openRound(12);
    app.pass(86_400_000);
    await cast(voter, a.id);
    await ledger.run();
    await inOrder();
    const mine = (await leaves()).filter((entry) => entry.includes(a.id) || entry.includes(b.id));
    const names = mine.flatMap((entry) => /round=(\d+).* voter=(\w+)/.exec(entry)?.slice(1).join(' ') ?? []);
    expect(names).toHaveLength(3);
    expect(new Set(names).size).toBe(2);
    expect(new Set(names.map((name) => name.split(' ')[1])).size).toBe(2);
  });

  it('states a round as it was at its end, although its votes change before the ledger reads it', async () => {
    const round = await openRound(13);
    const [winner, second] = [await app.candidate(), await app.candidate()];
    const people = await app.members(5);
    for (const [i, one] of people.entries()) {
      await cast(one, winner.id);
      if (i < 4) await cast(one, second.id);
    }
    await certify(round);
    // After the end, before its processing: the totals are reversed.
    await change((await votesOf(winner.id)).slice(0, 3), 'void');
    await openRound(14);
    await ledger.run();
    const report = await inOrder();
    const stated = report.rounds.find((one) => one.round === 13)?.rows ?? [];
    const [standing] = await app.sql<{ candidate_id: string }>(
      'select candidate_id from round_standings where round_id = $1 and rank = 1',
      [round],
    );
    expect(stated[0]?.candidate).toBe(standing?.candidate_id);
    expect(stated.filter((row) => [winner.id, second.id].includes(row.candidate))).toMatchObject([
      { votes: 5 },
      { votes: 4 },
    ]);
    expect((await ledger.state()).results).toContain('round/13');
  });

  it('lets a verifier detect standings that do not match the votes', async () => {
    const round = await openRound(15);
    const { id } = await app.candidate();
    const [voter] = await app.members(1);
    if (!voter) throw new Error('no member');
    await cast(voter, id);
    await app.sql('update voting_candidates set total_votes = 1000 where id = $1', [id]);
    await certify(round);
    await app.sql('update voting_candidates set total_votes = 1 where id = $1', [id]);
    await ledger.run();
    const { problems } = await verify();
    expect(problems.map((one) => one.code)).toEqual(['result']);
    expect(problems[0]?.detail).toBe(`round/15: ${id} has 1000 votes there and 1 in the ledger`);
  });
});

describe('the second verifier, in Python', () => {
  it('reports the same as the first for the same files, and for the same attack on them', async () => {
    const python = (folder: string) => {
      const run = spawnSync('python3', ['packages/verify-py/florka_verify.py', folder, '--json'], { encoding: 'utf8' });
      if (run.error)
        throw new Error('python3 is not on this machine: the second verifier needs it', { cause: run.error });
      return JSON.parse(run.stdout) as Report;
    };
    const folder = path.join(app.uploadsDir, 'files/ledger');
    const facts = ({ problems, size, root, votes, days, rounds }: Report) => ({
      problems: problems.map((one) => one.code).sort(),
      size,
      root,
      votes,
      days,
      rounds,
    });
    const mine = await verifyLedger({ source: openSource(folder), hash: nodeSha256 });
    expect(mine.size).toBeGreaterThan(50);
    expect(mine.rounds.length).toBeGreaterThan(0);
    expect(facts(python(folder))).toEqual(facts(mine));
    const name = path.join(folder, bundlePath(0, mine.size));
    const entries = decodeBundle(readFileSync(name))?.map((entry) => Buffer.from(entry).toString()) ?? [];
    const at = entries.findIndex((entry) => entry.includes('state=counted'));
    entries[at] = entries[at]?.replace('state=counted', 'state=void') ?? '';
    writeFileSync(name, encodeBundle(entries.map((entry) => Buffer.from(entry))));
    const attacked = await verifyLedger({ source: openSource(folder), hash: nodeSha256 });
    expect(attacked.problems.map((one) => one.code)).toContain('root');
    expect(facts(python(folder))).toEqual(facts(attacked));
  });
});

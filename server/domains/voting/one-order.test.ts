// One order everywhere: sets of candidates with equal totals, with votes of members, up to a recount of the ledger.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createCardContents } from '#server/http/share/card-contents.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { randomOf } from '#tests/support/ledger/test-ledger.ts';
import { generatedCases } from '#tests/support/runner/property-runs.ts';
import { SITE_LOOK } from '#tests/support/samples/site.ts';
import { type Report, verifyLedger } from '#verify/log.ts';
import { nodeSha256, openSource } from '#verify/sources.ts';
import { closeDueRound } from './rounds/round-ends.service.ts';
import { readCurrentRound } from './rounds/rounds.service.ts';

const SETS = generatedCases({ everyday: 120, long: 1_000 });
const app = await startTestApp();
const { db, ledger } = app.services;

/** Candidates with one or two votes each, cast at times of which many are equal, some a microsecond apart. */
async function tiedSet(random: () => number, voters: readonly string[]) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const number = 2 + Math.floor(random() * 4);
  const ids: string[] = [];
  for (let n = 0; n < number; n++) {
    const { id } = await app.candidate({
      created_at: new Date(app.now.getTime() - 86_400_000 * pick([1, 1, 2])),
      order_index: Math.floor(random() * 9) - 4,
    });
    ids.push(id);
    const moments = Array.from({ length: pick([1, 2, 2]) }, () => `${pick([0, 0.000001, 0.000002, 1, 59, 61, 3_600])}`);
    await app.sql(
      `with cast_votes as (
         insert into votes (candidate_id, user_id, voted_on, created_at, round_id)
         select $1, v, (m at time zone 'UTC')::date, m, r.id
         from unnest($2::uuid[], $3::float8[]) as t (v, s), lateral (select $4::timestamptz + make_interval(secs => s) as m) as o, voting_rounds r
         where r.status = 'open' returning id, candidate_id, user_id, voted_on, round_id, created_at
       ), noted as (
         insert into vote_changes (vote_id, round_id, candidate_id, user_id, voted_on, state, changed_at)
         select id, round_id, candidate_id, user_id, voted_on, 'counted', created_at from cast_votes
       ), days as (
         insert into candidate_daily_votes (candidate_id, day, votes) select candidate_id, voted_on, count(*) from cast_votes group by 1, 2
       )
       update voting_candidates set total_votes = (select count(*) from cast_votes), total_reached_at = (select max(created_at) from cast_votes)
       where id = $1`,
      [id, voters.slice(0, moments.length), moments, app.now],
    );
  }
  return ids;
}

it('list, badge, card, winner and both verifiers have the same order in sets of ties [AMB-211]', async () => {
  await app.sql('update voting_candidates set is_active = false');
  const voters = (await app.members(3)).map(({ id }) => id);
  await ledger.run();
  const random = randomOf(211);
  const winners = new Map<number, string>();
  for (let set = 0; set < SETS; set++) {
    const ids = await tiedSet(random, voters);
    app.pass(2 * 3_600_000);
    await app.sql(
      `update voting_rounds set closes_at = $1, opens_at = $1::timestamptz - interval '1 day' where status = 'open'`,
      [app.now],
    );
    const read = async <T>(path: string): Promise<T> => (await (await app.http(`/api${path}`)).json()) as T;
    const { items } = await app.as(null).voting.ranking({});
    const order = items.map(({ id }) => id);
    expect(order.toSorted()).toEqual(ids.toSorted());
    const { leaders } = await readCurrentRound(db, app.now);
    expect(leaders.map(({ id }) => id)).toEqual(order.slice(0, 3));
    const facts = createCardContents(
      async <T>(path: string) =>
        path.startsWith('/candidates') ? ({ items, total: items.length, round: null } as T) : read<T>(path),
      (path) => path,
      () => SITE_LOOK,
    );
    const first = items[0]?.tokenSlug ?? '';
    expect((await facts.token(first, 'es')).stub?.value).toBe('#1');
    expect(await facts.badge(first, 'es')).toContain('#1');
    const closed = await closeDueRound(db, app.now);
    expect(closed?.winnerId).toBe(order[0]);
    winners.set(closed?.number ?? 0, order.join());
    const frozen = await app.sql<{ id: string }>(
      'select candidate_id as id from round_standings s join voting_rounds r on r.id = s.round_id where r.number = $1 order by rank',
      [closed?.number],
    );
    expect(frozen.map(({ id }) => id)).toEqual(order);
    // Deleted candidates are not locked at the end of a round: otherwise each set would cost more than the one before.
    await app.sql(
      'update voting_candidates set is_active = false, certified_round_id = null, deleted_at = $1 where deleted_at is null',
      [app.now],
    );
    if (set % 20 === 19) while ((await ledger.run())?.more);
  }
  while ((await ledger.run())?.more);
  const mine = await verifyLedger({ source: openSource(`${app.origin}/ledger`), hash: nodeSha256 });
  const folder = path.join(app.uploadsDir, 'files/ledger');
  const run = spawnSync('python3', ['packages/verify-py/florka_verify.py', folder, '--json'], { encoding: 'utf8' });
  for (const report of [mine, JSON.parse(run.stdout) as Report]) {
    expect(report.problems).toEqual([]);
    const rounds = new Map(report.rounds.map(({ round, rows }) => [round, rows.map((row) => row.candidate).join()]));
    for (const [round, order] of winners) expect(rounds.get(round)).toBe(order);
  }
  expect(winners.size).toBe(SETS);
}, 600_000);

// Concurrent bans, decisions, votes, withdrawals, deletions and the review itself, in two processes: the result is consistent in
// itself and with the ledger, in any order.
import { expect, it } from 'vitest';
import { removeMember } from '#server/domains/account/removal.service.ts';
import { findMiscounts } from '#server/domains/voting/manage-votes.service.ts';
import { app, back, DAY, db, farm, membersOf, run, size, vote } from '#tests/fixtures/votes/vote-review.ts';
import type { Person } from '#tests/support/app/test-app.ts';
import { randomOf } from '#tests/support/ledger/test-ledger.ts';
import { verifyLedger } from '#verify/log.ts';
import { nodeSha256, openSource } from '#verify/sources.ts';

/** Refusals of late or repeated actions. */
const REFUSED = ['ALREADY_DONE', 'ALREADY_VOTED', 'NO_VOTE', 'VOTE_UNCOUNTED', 'UNAUTHORIZED', 'NOT_FOUND'];
const KINDS = ['ban', 'ban', 'unban', 'unban', 'void', 'release', 'undo', 'vote', 'vote', 'withdraw', 'remove', 'run'];
const AT_ONCE = 10;

const random = randomOf(5);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

it('concurrent actions leave exact totals, no counted vote of a banned member, and none waiting in a decided cluster', async () => {
  const admin = await app.member({ role: 'admin' });
  const other = await app.secondProcess();
  for (const services of [app.services, other]) await services.jobs.start();
  const apis = [app.as(admin).admin, app.as(admin, { at: other }).admin];
  const candidates = [await app.candidate(), await app.candidate()].map(({ id }) => id);
  const farmers: Person[] = [];
  for (const id of candidates) farmers.push(...(await farm(size, id)));
  await run();
  const honest = await membersOf(20, 90 * DAY);
  await app.sql('update sessions set proved_at = now()');
  const clusters = (await back.list({ state: 'all', size: 100 })).rows.map(({ id }) => id);

  const perform = async (what: string) => {
    const [api, id, cluster, candidateId] = [
      pick(apis),
      pick([...farmers, ...honest]).id,
      pick(clusters),
      pick(candidates),
    ];
    const voter = pick(honest);
    if (what === 'ban') await api.users.ban({ ids: [id], days: null, reason: 'Votos comprados' });
    if (what === 'unban') await api.users.unban({ ids: [id] });
    if (what === 'void') await api.voteReview.void({ id: cluster, reason: 'a farm' });
    if (what === 'release') await api.voteReview.release({ id: cluster });
    if (what === 'undo') await api.voteReview.undo({ id: cluster });
    if (what === 'vote') await vote(voter, candidateId, `192.0.2.${honest.indexOf(voter)}`);
    if (what === 'withdraw') await app.as(voter).voting.withdraw({ candidateId });
    if (what === 'remove' && random() < 0.3) await db.transaction((tx) => removeMember(tx, id, app.now));
    if (what === 'run') await run();
  };
  const waiting = Array.from({ length: 200 }, () => pick(KINDS));
  const worker = async () => {
    for (let what = waiting.pop(); what; what = waiting.pop())
      await perform(what).catch((error: { code?: string }) => expect(REFUSED, String(error)).toContain(error.code));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await app.services.voteReview.finishDecisions();

  expect(await findMiscounts(db)).toEqual([]);
  const wrong = {
    banned: `select v.id from votes v join users u on u.id = v.user_id
      where (u.banned_until is not null) <> (v.state = 'void' and v.state_reason = 'member_banned')`,
    decided: `select v.id from vote_review_votes r join votes v on v.id = r.vote_id join vote_review_clusters k on k.id = r.cluster_id
      where coalesce(v.banned_state, v.state)
        <> case k.state when 'open' then 'under_review' when 'released' then 'counted' else 'void' end`,
  };
  for (const [what, query] of Object.entries(wrong)) expect([what, await app.sql(query)]).toEqual([what, []]);
  while ((await app.services.ledger.run())?.more);
  const report = await verifyLedger({ source: openSource(`${app.origin}/ledger`), hash: nodeSha256 });
  expect(report.problems).toEqual([]);
  const states = await app.sql<{ state: string; votes: number }>(
    'select state, count(*)::int as votes from present_votes group by state',
  );
  expect(report.votes).toMatchObject(Object.fromEntries(states.map(({ state, votes }) => [state, votes])));
});

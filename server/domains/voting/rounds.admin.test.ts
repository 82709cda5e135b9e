import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  added,
  admin,
  app,
  balanced,
  candidates,
  entries,
  limits,
  proofGrowsOld,
  prove,
  rounds,
  UNKNOWN_ID,
  vote,
  voted,
} from '#tests/fixtures/votes/manage-voting.ts';
import { type Api, listenTo, type Person } from '#tests/support/app/test-app.ts';
import { closeDueRound } from './rounds/round-ends.service.ts';
import { createVoteService } from './votes.service.ts';

const outcomes = (results: PromiseSettledResult<unknown>[]) =>
  results.map((one) =>
    one.status === 'fulfilled' ? 'ok' : ((one.reason as { code?: string }).code ?? String(one.reason)),
  );

/** No other candidates in the ranking, and one open round without a near end. */
const clearStage = async () => {
  await app.sql('update voting_candidates set is_active = false, certified_round_id = null');
  if ((await rounds.current()).round === null) await rounds.open({ days: 15 });
  const far = new Date(app.now.getTime() + 90 * 86_400_000);
  await app.sql(`update voting_rounds set opens_at = $1, closes_at = $2, next_days = 15 where status = 'open'`, [
    app.now,
    far,
  ]);
};
const current = async () => {
  const { round, leaders, winner } = await rounds.current();
  return { round: round ?? { id: '', number: 0, opensAt: '', closesAt: '', nextDays: null }, leaders, winner };
};
const closeEarly = async (reason = 'Mantenimiento') => {
  const { round } = await current();
  return { round, ...(await rounds.closeEarly({ id: round.id, seenClosesAt: round.closesAt, reason })) };
};
const standings = (roundId: string) =>
  app.sql(
    'select rank, candidate_id as id, total_votes as votes from round_standings where round_id = $1 order by rank',
    [roundId],
  );

describe('the end of a round [AMB-212]', () => {
  beforeEach(clearStage);

  it('refuses a vote and a withdrawal from its exact time on, even before the job has run', async () => {
    const { id } = await added();
    const [ana, bea] = (await app.members(2)) as [Person, Person];
    const { round } = await current();
    const end = new Date(app.now.getTime() + 60_000);
    await app.sql('update voting_rounds set closes_at = $2 where id = $1', [round.id, end]);
    app.setNow(new Date(end.getTime() - 1).toISOString());
    await vote(ana, id);
    app.pass(1);
    await expect(app.as(bea).voting.cast({ candidateId: id })).rejects.toMatchObject({
      code: 'ROUND_ENDED',
      status: 409,
    });
    await expect(app.as(ana).voting.withdraw({ candidateId: id })).rejects.toMatchObject({ code: 'ROUND_ENDED' });
    await app.sql('update voting_rounds set next_days = null where id = $1', [round.id]);
    await expect(app.as(bea).voting.cast({ candidateId: id })).rejects.toMatchObject({ code: 'VOTING_PAUSED' });
    await expect(app.as(ana).voting.withdraw({ candidateId: id })).rejects.toMatchObject({ code: 'VOTING_PAUSED' });
    expect(await balanced(id)).toBe(1);
  });

  it('is determined by the clock of the database, not by that of a process', async () => {
    const { id } = await added();
    const [ana] = (await app.members(1)) as [Person];
    // As in production, where the time is not fixed.
    const votes = createVoteService(app.services.pool, { confirmedOnly: false, fixedNow: () => null });
    const cast = () => votes.cast({ candidateId: id, userId: ana.id, networks: [], limits });
    vi.useFakeTimers({ now: new Date('2001-01-01'), toFake: ['Date'] });
    try {
      await app.sql(
        `update voting_rounds set opens_at = now() - interval '1 day', closes_at = now() where status = 'open'`,
      );
      await expect(cast()).rejects.toMatchObject({ code: 'ROUND_ENDED' });
      await app.sql(`update voting_rounds set closes_at = now() + interval '1 hour' where status = 'open'`);
      await cast();
    } finally {
      vi.useRealTimers();
    }
    const [row] = await app.sql(
      `select voted_on = (created_at at time zone 'UTC')::date as day, abs(extract(epoch from now() - created_at)) < 600 as near
       from votes where candidate_id = $1`,
      [id],
    );
    expect(row).toEqual({ day: true, near: true });
  });

  it('freezes the standings, certifies the winner and opens the next round, once for two servers', async () => {
    const other = await app.secondProcess();
    const [one, two, none] = [await added(), await added(), await added()];
    await voted(one.id, 1);
    await voted(two.id, 2);
    const { round } = await current();
    expect(await closeDueRound(app.services.db, app.now)).toBeNull();
    app.setNow(round.closesAt);
    const done = await Promise.all([
      closeDueRound(app.services.db, app.now),
      closeDueRound(other.db, app.now),
      closeDueRound(app.services.db, app.now),
    ]);
    expect(done.filter((each) => each !== null)).toEqual([
      { number: round.number, winnerId: two.id, opened: round.number + 1 },
    ]);
    expect(await standings(round.id)).toEqual([
      { rank: 1, id: two.id, votes: 2 },
      { rank: 2, id: one.id, votes: 1 },
      { rank: 3, id: none.id, votes: 0 },
    ]);
    expect(await app.sql('select network_key from voting_rounds where id = $1', [round.id])).toEqual([
      { network_key: null },
    ]);
    const after = await current();
    expect(after.round).toMatchObject({ number: round.number + 1, opensAt: app.now.toISOString(), nextDays: 15 });
    expect(after.winner).toMatchObject({ id: two.id, roundId: round.id, totalVotes: 2, closedEarly: null });
    // The winner is excluded from voting until it graduates; the others retain their votes.
    expect(after.leaders.map(({ id }) => id)).toEqual([one.id]);
    const ranking = await app.as(null).voting.ranking({});
    expect(ranking.items.map(({ id }) => id)).toEqual([one.id, none.id]);
    expect(ranking.lastRound).toMatchObject({
      number: round.number,
      closedEarly: null,
      winnerSlug: two.tokenSlug,
      standings: [
        { tokenName: two.tokenName, totalVotes: 2 },
        { tokenName: one.tokenName, totalVotes: 1 },
      ],
    });
    const [ana] = (await app.members(1)) as [Person];
    await expect(vote(ana, two.id)).rejects.toMatchObject({ code: 'ROUND_ENDED' });
    await vote(ana, one.id);
    expect(await balanced(one.id)).toBe(2);
    expect(await standings(round.id)).toHaveLength(3);
    expect((await entries(round.id)).at(-1)).toMatchObject({ action: 'round.closed', actor_id: null });
  });

  it('pauses voting when no round follows, until one is opened', async () => {
    const { id } = await added();
    const { round } = await current();
    expect(await rounds.setNext({ id: round.id, nextDays: null })).toMatchObject({ nextDays: null });
    await expect(rounds.open({ days: 3 })).rejects.toMatchObject({ code: 'ROUND_CHANGED' });
    app.setNow(round.closesAt);
    expect(await closeDueRound(app.services.db, app.now)).toMatchObject({ winnerId: null, opened: null });
    const [ana] = (await app.members(1)) as [Person];
    await expect(vote(ana, id)).rejects.toMatchObject({ code: 'VOTING_PAUSED', status: 409 });
    expect(await app.as(null).voting.ranking({})).toMatchObject({ round: null, lastRound: { number: round.number } });
    await prove();
    expect(await rounds.open({ days: 3 })).toMatchObject({ number: round.number + 1, nextDays: 15 });
    await vote(ana, id);
  });

  it('can be early only with a public reason', async () => {
    const { id } = await added();
    await voted(id, 1);
    const { round } = await current();
    const close = (over: object = {}) =>
      rounds.closeEarly({ id: round.id, seenClosesAt: round.closesAt, reason: 'Fallo grave', ...over });
    await expect(close({ reason: ' ' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(close({ reason: '\u202e' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(close({ seenClosesAt: app.now.toISOString() })).rejects.toMatchObject({ code: 'ROUND_CHANGED' });
    expect(await close()).toEqual({ winnerId: id, opened: round.number + 1 });
    await expect(close()).rejects.toMatchObject({ code: 'ROUND_CHANGED' });
    expect((await app.as(null).voting.ranking({})).lastRound).toMatchObject({
      closedEarly: 'Fallo grave',
      closesAt: round.closesAt,
    });
    expect((await rounds.list({ sort: '-number' })).rows[0]).toMatchObject({
      closedEarly: 'Fallo grave',
      winnerVotes: 1,
    });
    expect((await entries(round.id)).at(-1)).toMatchObject({
      action: 'round.closed_early',
      reason: 'Fallo grave',
      actor_id: admin.id,
    });
    await proofGrowsOld();
    const next = await current();
    await expect(
      rounds.closeEarly({ id: next.round.id, seenClosesAt: next.round.closesAt, reason: 'Otra vez' }),
    ).rejects.toMatchObject({ code: 'STEP_UP_NEEDED' });
  });

  it('refuses votes that waited for the closing with the same error, also for the winner', async () => {
    const [first, second] = [await added(), await added()];
    await voted(first.id, 2);
    await voted(second.id, 1);
    const [ana, bea] = (await app.members(2)) as [Person, Person];
    const { round } = await current();
    app.setNow(round.closesAt);
    const client = await app.sqlClient();
    try {
      await client.query('begin');
      await client.query('select 1 from voting_candidates where id = $1 for no key update', [second.id]);
      const closing = closeDueRound(app.services.db, app.now);
      await vi.waitUntil(async () => (await app.waiting()) === 1, { timeout: 10_000, interval: 10 });
      const late = Promise.allSettled([vote(ana, first.id), vote(bea, second.id)]);
      await vi.waitUntil(async () => (await app.waiting()) > 1, { timeout: 10_000, interval: 10 });
      await client.query('commit');
      expect(await closing).toMatchObject({ winnerId: first.id, opened: round.number + 1 });
      expect(outcomes(await late)).toEqual(['ROUND_ENDED', 'ROUND_ENDED']);
      // The winner accepts no votes until its graduation.
      await expect(vote(ana, first.id)).rejects.toMatchObject({ code: 'ROUND_ENDED' });
    } finally {
      await client.end();
    }
  });

  it('includes every concurrent vote in the frozen standings, or refuses it or counts it in the next round', async () => {
    const other = await app.secondProcess();
    const [one, two] = [await added(), await added()];
    await voted(one.id, 30);
    await voted(two.id, 5);
    const { round } = await current();
    const people = await app.members(160);
    const refused: string[] = [];
    const casting = people.map(async (person, i) => {
      await new Promise((done) => setTimeout(done, i));
      const candidateId = i % 3 ? one.id : two.id;
      const service = i % 2 ? other.votes : app.services.votes;
      await service
        .cast({ candidateId, userId: person.id, networks: [], limits })
        .catch((error: { code: string }) => refused.push(`${error.code} ${candidateId}`));
    });
    await new Promise((done) => setTimeout(done, 40));
    const apis: Api[] = [app.as(admin), app.as(admin, { at: other }), app.as(admin), app.as(admin, { at: other })];
    const answers = await Promise.allSettled(
      apis.map((api) => api.admin.rounds.closeEarly({ id: round.id, seenClosesAt: round.closesAt, reason: 'Ahora' })),
    );
    await Promise.all(casting);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const answer of answers)
      if (answer.status === 'rejected') expect((answer.reason as { code: string }).code).toBe('ROUND_CHANGED');
    expect(await app.sql(`select 1 from voting_rounds where status = 'open'`)).toHaveLength(1);
    // Votes of the round equal the frozen ones; later ones belong to the next round, or were refused.
    const byRound = await app.sql<{ id: string; votes: number }>(
      'select candidate_id as id, count(*)::int as votes from votes where round_id = $1 group by 1',
      [round.id],
    );
    const frozen = await standings(round.id);
    expect(frozen.map(({ id, votes }) => ({ id, votes })).sort((a, b) => Number(b.votes) - Number(a.votes))).toEqual(
      byRound.toSorted((a, b) => b.votes - a.votes),
    );
    expect(await balanced(one.id)).toBe(frozen.find(({ id }) => id === one.id)?.votes);
    for (const line of refused) expect(line).toMatch(/^ROUND_ENDED/);
    expect((await balanced(one.id)) + (await balanced(two.id)) + refused.length).toBe(195);
  });
});

describe('graduating the winner [A-NEXT-18] [A-NEXT-32] [AMB-108] [AMB-212]', () => {
  beforeEach(clearStage);

  it('creates a NEXT project from the frozen winner, and removes the candidate from the voting', async () => {
    const { id, tokenName, tokenSlug } = await added({ tokenName: 'Gana', description: 'Va primero.' });
    await app.sql(
      `update voting_candidates set website_url = 'https://gana.example', contract_address = 'So1', price = 0.5,
         market_cap = 1234567.5, description_full = 'Todo.' where id = $1`,
      [id],
    );
    const second = await added();
    await voted(id, 2);
    await voted(second.id, 1);
    const { round, opened } = await closeEarly();
    expect(opened).toBe(round.number + 1);
    const liveEvents = listenTo(app.services);
    const { nextProjectId } = await rounds.promoteWinner({ id: round.id, candidateId: id });
    const [project] = await app.sql('select * from next_projects where id = $1', [nextProjectId]);
    expect(project).toMatchObject({
      token_name: tokenName,
      token_symbol: 'ALP',
      description: 'Va primero.',
      description_full: 'Todo.',
      website_url: 'https://gana.example',
      contract_address: 'So1',
      market_cap: '$1,234,567.5',
      status: 'published',
      is_active: true,
      is_voting_winner: true,
      voting_round_id: round.id,
      submitted_by_user_id: null,
    });
    expect((await app.as(null).nextProjects.list({})).items.map((one) => one.id)).toContain(nextProjectId);
    expect(await app.as(null).tokens.find({ slug: nextProjectId })).toMatchObject({
      totalVotes: 2,
      launch: { isVotingWinner: true, wonRound: round.number },
    });
    const ranking = await app.as(null).voting.ranking({});
    expect(ranking.items.map((one) => one.id)).toEqual([second.id]);
    expect(ranking.lastRound?.winnerSlug).toBe(nextProjectId);
    expect((await rounds.list({ sort: '-number' })).rows[0]).toMatchObject({
      id: round.id,
      number: round.number,
      winnerId: id,
      winnerVotes: 2,
      nextProjectId,
      closedAt: app.now.toISOString(),
      closedBy: admin.username,
    });
    expect((await candidates.list({ q: tokenSlug })).rows[0]).toMatchObject({
      isActive: false,
      wonRound: round.number,
    });
    expect((await current()).winner).toBeNull();
    for (const domain of ['voting', 'nextProjects'])
      await liveEvents.until((event) => event.type === 'domain.changed' && event.domain === domain);
    expect((await entries(id)).at(-1)).toMatchObject({ action: 'candidate.graduated' });
    expect((await entries(nextProjectId)).at(-1)).toMatchObject({ action: 'next_project.created' });
    // Votes of the others continue into the next round.
    expect(await balanced(second.id)).toBe(1);
  });

  it('of two equal totals takes the one that was reached earlier', async () => {
    const [late, early] = [await added({ orderIndex: -100 }), await added()];
    await voted(late.id, 1);
    app.pass(1_000);
    await voted(early.id, 2);
    app.pass(1_000);
    await voted(late.id, 1);
    const { leaders } = await current();
    expect(leaders.map(({ id, totalVotes }) => [id, totalVotes])).toEqual([
      [early.id, 2],
      [late.id, 2],
    ]);
    const { round } = await closeEarly();
    await expect(rounds.promoteWinner({ id: round.id, candidateId: late.id })).rejects.toMatchObject({
      code: 'ROUND_CHANGED',
    });
    await rounds.promoteWinner({ id: round.id, candidateId: early.id });
    expect((await rounds.list({ sort: '-number' })).rows[0]).toMatchObject({ winnerId: early.id });
  });

  it('needs a closed round whose winner still exists, and succeeds once', async () => {
    const other = await app.secondProcess();
    const { id, version } = await added();
    const open = await current();
    await expect(rounds.promoteWinner({ id: UNKNOWN_ID, candidateId: id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(rounds.promoteWinner({ id: open.round.id, candidateId: id })).rejects.toMatchObject({
      code: 'ROUND_CHANGED',
      status: 409,
    });
    const empty = await closeEarly();
    expect(empty.winnerId).toBeNull();
    await expect(rounds.promoteWinner({ id: empty.round.id, candidateId: id })).rejects.toMatchObject({
      code: 'NO_WINNER',
      status: 409,
    });
    await voted(id, 1);
    const { round } = await closeEarly();
    await candidates.remove({ id, version });
    await expect(rounds.promoteWinner({ id: round.id, candidateId: id })).rejects.toMatchObject({ code: 'NO_WINNER' });
    await candidates.restore({ id, resemblanceAccepted: true });
    const apis: Api[] = [app.as(admin), app.as(admin, { at: other }), app.as(admin), app.as(admin, { at: other })];
    const answers = outcomes(
      await Promise.allSettled(apis.map((api) => api.admin.rounds.promoteWinner({ id: round.id, candidateId: id }))),
    );
    expect(answers.sort()).toEqual(['ROUND_CHANGED', 'ROUND_CHANGED', 'ROUND_CHANGED', 'ok']);
    expect(await app.sql('select 1 from next_projects where voting_round_id = $1', [round.id])).toHaveLength(1);
  });

  it('takes the frozen winner, even after its votes have changed', async () => {
    const [one, two] = [await added(), await added()];
    await voted(one.id, 2);
    await voted(two.id, 1);
    const { round } = await closeEarly();
    await candidates.resetVotes({ id: one.id, reason: 'Bots' });
    await voted(two.id, 5);
    expect((await current()).winner).toMatchObject({ id: one.id, totalVotes: 2 });
    await rounds.promoteWinner({ id: round.id, candidateId: one.id });
    expect((await rounds.list({ sort: '-number' })).rows[0]).toMatchObject({ winnerId: one.id, winnerVotes: 2 });
  });
});

describe('moving the end of the round', () => {
  beforeEach(clearStage);

  it('is refused when it was moved before, and to a time that is past', async () => {
    const { round } = await current();
    const later = new Date(app.now.getTime() + 3 * 86_400_000).toISOString();
    const move = (over: object = {}) =>
      rounds.setEnd({ id: round.id, seenClosesAt: round.closesAt, closesAt: later, ...over });
    await expect(move({ closesAt: app.now.toISOString() })).rejects.toMatchObject({ code: 'NOT_VALID' });
    expect(await move()).toMatchObject({ closesAt: later });
    expect((await app.as(null).voting.ranking({})).round).toMatchObject({ closesAt: later });
    await expect(move({ closesAt: new Date(app.now.getTime() + 86_400_000).toISOString() })).rejects.toMatchObject({
      code: 'ROUND_CHANGED',
    });
    expect((await entries(round.id)).at(-1)).toMatchObject({ action: 'round.end_moved', after: { closesAt: later } });
  });
});

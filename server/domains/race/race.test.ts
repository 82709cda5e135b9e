import { describe, expect, it } from 'vitest';
import { RACE_SHOWN, RECEIPTS_SHOWN } from '#contract/limits.ts';
import { closeDueRound } from '#server/domains/voting/rounds/round-ends.service.ts';
import { type Person, startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp();
const visitor = app.as();
const DAY = 86_400_000;
const day = (ago: number) => new Date(app.now.getTime() - ago * DAY).toISOString().slice(0, 10);
const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => 'ok',
    (error: { code?: string }) => error.code ?? String(error),
  );

/** Counted votes of past days, oldest first; the last entry is today's. */
async function votesByDay(candidateId: string, votes: number[]): Promise<void> {
  const voters = await Promise.all(votes.flatMap((many) => Array.from({ length: many }, () => app.member())));
  for (const [i, many] of votes.entries()) {
    const on = day(votes.length - 1 - i);
    for (const { id } of voters.splice(0, many))
      await app.sql('insert into votes (candidate_id, user_id, voted_on, created_at) values ($1, $2, $3, $4)', [
        candidateId,
        id,
        on,
        new Date(`${on}T10:00:00Z`),
      ]);
    if (many > 0)
      await app.sql('insert into candidate_daily_votes (candidate_id, day, votes) values ($1, $2, $3)', [
        candidateId,
        on,
        many,
      ]);
  }
  await app.sql('update voting_candidates set total_votes = $2, total_reached_at = $3 where id = $1', [
    candidateId,
    votes.reduce((sum, many) => sum + many, 0),
    app.now,
  ]);
}
const vote = (person: Person, candidateId: string) => app.as(person).voting.cast({ candidateId });

describe('the race by day', () => {
  it('of an open round without candidates names the round, and has no days', async () => {
    const [open] = await app.sql<{ number: number }>(`select number from voting_rounds where status = 'open'`);
    expect(await visitor.race.days()).toMatchObject({ round: open?.number, ended: false, days: [], candidates: [] });
  });

  it('has total and rank of each candidate by day, those of the last day as in the ranking', async () => {
    await app.sql(`update voting_rounds set opens_at = $1, closes_at = $2 where status = 'open'`, [
      new Date(app.now.getTime() - 2 * DAY),
      new Date(app.now.getTime() + 5 * DAY),
    ]);
    const [slow, fast, equal] = [await app.candidate(), await app.candidate(), await app.candidate()];
    await votesByDay(slow.id, [1, 1, 5]);
    await votesByDay(fast.id, [4, 0, 0]);
    await votesByDay(equal.id, [1, 1, 0]);
    const race = await visitor.race.days();
    expect(race.days).toEqual([day(2), day(1), day(0)]);
    const of = (id: string) => race.candidates.find((candidate) => candidate.id === id);
    expect(of(slow.id)).toMatchObject({ totals: [1, 2, 7], ranks: [2, 2, 1] });
    expect(of(fast.id)).toMatchObject({ totals: [4, 4, 4], ranks: [1, 1, 2] });
    // On past days equal totals share a rank, today they do not.
    expect(of(equal.id)).toMatchObject({ totals: [1, 2, 2], ranks: [2, 2, 3] });
    const { items } = await visitor.voting.ranking({});
    expect(race.candidates.map(({ id }) => id)).toEqual(items.slice(0, 12).map(({ id }) => id));
    expect(await visitor.race.ranks({ candidateId: slow.id })).toEqual([
      { day: day(2), rank: 2, total: 1 },
      { day: day(1), rank: 2, total: 2 },
      { day: day(0), rank: 1, total: 7 },
    ]);
  });

  it('includes a new vote at once', async () => {
    const { id } = await app.candidate();
    const before = (await visitor.race.ranks({ candidateId: id })).at(-1);
    await vote(await app.member(), id);
    expect((await visitor.race.ranks({ candidateId: id })).at(-1)?.total).toBe((before?.total ?? 0) + 1);
  });

  it('of an ended round stays as it was at its end, although votes are cast and changed after it', async () => {
    // More than the race shows.
    await Promise.all(Array.from({ length: RACE_SHOWN }, () => app.candidate()));
    const { round: number, ...before } = await visitor.race.days();
    expect(before.candidates).toHaveLength(RACE_SHOWN);
    expect(before).toMatchObject({ ended: false, rounds: [number] });
    const [leader] = before.candidates;
    await app.sql(`update voting_rounds set closes_at = $1 where status = 'open'`, [app.now]);
    await closeDueRound(app.services.db, app.now);
    await votesByDay((await app.candidate()).id, [3]);
    await app.sql('update candidate_daily_votes set votes = 9 where candidate_id = $1', [leader?.id]);
    const endedRound = number ?? 0;
    const ended = await visitor.race.days({ round: endedRound });
    const { days, candidates, rounds } = ended;
    expect({ days, candidates }).toEqual({ days: before.days, candidates: before.candidates });
    expect([ended.ended, ended.round, rounds]).toEqual([true, endedRound, [endedRound + 1, endedRound]]);
    expect((await visitor.race.days()).round).toBe(endedRound + 1);
    expect((await visitor.race.days({ round: endedRound + 1 })).ended).toBe(false);
    await app.sql('update voting_candidates set deleted_at = $2, is_active = false where id = $1', [
      leader?.id,
      app.now,
    ]);
    const [gone] = (await visitor.race.days({ round: endedRound })).candidates;
    expect(gone).toMatchObject({ id: leader?.id, tokenName: leader?.tokenName, tokenSlug: null, imageUrl: null });
    const second = before.candidates[1];
    expect(await visitor.race.placings({ candidateId: second?.id ?? '' })).toEqual([
      {
        round: endedRound,
        endedAt: expect.any(String),
        place: 2,
        total: second?.totals.at(-1),
        days: days.map((day, index) => ({ day, rank: second?.ranks[index] })),
      },
    ]);
    expect(await outcome(visitor.race.days({ round: endedRound + 2 }))).toBe('NOT_FOUND');
  });

  it('is empty for a candidate that is not competing', async () => {
    const { id } = await app.candidate({ is_active: false });
    expect(await visitor.race.ranks({ candidateId: id })).toEqual([]);
    expect(await visitor.race.placings({ candidateId: id })).toEqual([]);
  });
});

describe('the ticket of a vote', () => {
  it('has the number of the vote and the rank of the candidate, and does not identify the member', async () => {
    const { id: candidateId } = await app.candidate();
    const [first, second] = [await app.member(), await app.member()];
    await vote(first, candidateId);
    app.pass(1000);
    await vote(second, candidateId);
    const stored = await app.as(first).race.keepTicket({ candidateId });
    expect(await app.as(first).race.keepTicket({ candidateId })).toEqual(stored);
    const ticket = await visitor.race.ticket(stored);
    const { items } = await visitor.voting.ranking({ limit: 50 });
    expect(ticket).toMatchObject({
      candidateId,
      number: 1,
      rank: 1 + items.findIndex(({ id }) => id === candidateId),
      state: 'counted',
      day: day(0),
    });
    expect((await visitor.race.ticket(await app.as(second).race.keepTicket({ candidateId }))).number).toBe(2);
    const notices = JSON.stringify(ticket);
    for (const secret of [first.id, first.email, first.username]) expect(notices).not.toContain(secret);
  });

  it('shows whether its vote is signed, however many votes its member cast later', async () => {
    const { id: candidateId } = await app.candidate();
    const voter = await app.member();
    await vote(voter, candidateId);
    const stored = await app.as(voter).race.keepTicket({ candidateId });
    expect((await visitor.race.ticket(stored)).signed).toBe(false);
    await app.services.ledger.run();
    expect((await visitor.race.ticket(stored)).signed).toBe(true);
    for (let n = 0; n <= RECEIPTS_SHOWN; n++) {
      const { id } = await app.candidate();
      await app.sql('insert into votes (candidate_id, user_id, voted_on, created_at) values ($1, $2, $3, $4)', [
        id,
        voter.id,
        day(0),
        app.now,
      ]);
    }
    expect((await visitor.race.ticket(stored)).signed).toBe(true);
  });

  it('has the round of its vote, also when that ended before the ticket was created', async () => {
    const { id: candidateId } = await app.candidate();
    const [before, after] = [await app.member(), await app.member()];
    await vote(before, candidateId);
    const [open] = await app.sql<{ number: number }>(
      `update voting_rounds set opens_at = $1, closes_at = $2, next_days = 15 where status = 'open' returning number`,
      [new Date(app.now.getTime() - DAY), app.now],
    );
    await closeDueRound(app.services.db, app.now);
    // It won: it gets no vote of the next round while it is certified.
    await app.sql('update voting_candidates set certified_round_id = null where id = $1', [candidateId]);
    await vote(after, candidateId);
    const round = async (voter: Person) =>
      (await visitor.race.ticket(await app.as(voter).race.keepTicket({ candidateId }))).round;
    expect(await round(before)).toBe(open?.number);
    expect(await round(after)).toBe((open?.number ?? 0) + 1);
  });

  it('shows the state of its vote: under review, void, withdrawn', async () => {
    const { id: candidateId } = await app.candidate();
    const voter = await app.member();
    await vote(voter, candidateId);
    const stored = await app.as(voter).race.keepTicket({ candidateId });
    for (const state of ['under_review', 'void']) {
      await app.sql('update votes set state = $2 where user_id = $1', [voter.id, state]);
      expect((await visitor.race.ticket(stored)).state).toBe(state);
    }
    await app.sql('delete from votes where user_id = $1', [voter.id]);
    expect((await visitor.race.ticket(stored)).state).toBe('withdrawn');
  });

  it('shows no image of a candidate that is in the trash', async () => {
    const { id: candidateId } = await app.candidate({ image_url: 'https://images.example/ajolote.png' });
    const voter = await app.member();
    await vote(voter, candidateId);
    const stored = await app.as(voter).race.keepTicket({ candidateId });
    expect((await visitor.race.ticket(stored)).imageUrl).toBe('https://images.example/ajolote.png');
    await app.sql('update voting_candidates set is_active = false, deleted_at = now() where id = $1', [candidateId]);
    expect(await visitor.race.ticket(stored)).toMatchObject({ imageUrl: null, tokenSlug: null });
  });

  it('is issued only to a member with a vote of today, and is deleted with the account', async () => {
    const { id: candidateId } = await app.candidate();
    const [voter, other] = [await app.member(), await app.member()];
    await vote(voter, candidateId);
    expect(await outcome(app.as(other).race.keepTicket({ candidateId }))).toBe('NO_VOTE');
    expect(await outcome(visitor.race.keepTicket({ candidateId }))).toBe('UNAUTHORIZED');
    const stored = await app.as(voter).race.keepTicket({ candidateId });
    app.pass(DAY);
    expect(await outcome(app.as(voter).race.keepTicket({ candidateId }))).toBe('NO_VOTE');
    await app.sql('delete from users where id = $1', [voter.id]);
    expect(await outcome(visitor.race.ticket(stored))).toBe('NOT_FOUND');
  });

  it('is stored once when it is requested several times at once', async () => {
    const { id: candidateId } = await app.candidate();
    const voter = await app.member();
    await vote(voter, candidateId);
    const stored = await Promise.all(Array.from({ length: 4 }, () => app.as(voter).race.keepTicket({ candidateId })));
    expect(new Set(stored.map(({ id }) => id)).size).toBe(1);
  });
});

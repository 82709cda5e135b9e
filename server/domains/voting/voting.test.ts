import { describe, expect, it } from 'vitest';
import type { Tally } from '#contract/domains/voting.ts';
import { LIMITS } from '#contract/limits.ts';
import { networkHasher } from '#server/lib/network/address.ts';
import { app, balanced, outcomes } from '#tests/fixtures/votes/voting.ts';
import { type Api, type Person, startTestApp } from '#tests/support/app/test-app.ts';

describe('the daily rule', () => {
  it('lets a member vote once a UTC day for a candidate, and again from 00:00 on [VOTE-13..14] [AMB-114]', async () => {
    const ana = app.as(await app.member());
    const { id: candidateId } = await app.candidate();

    app.setNow('2026-01-10T23:59:59.999Z');
    expect(await ana.voting.cast({ candidateId })).toMatchObject({ candidateId, totalVotes: 1, votesToday: 1 });
    await expect(ana.voting.cast({ candidateId })).rejects.toMatchObject({
      code: 'ALREADY_VOTED',
      // Clients depend on this text too [ERR-35] [AMB-09].
      message: 'Ya has votado por este candidato hoy. Solo puedes votar una vez por día por candidato.',
      status: 409,
      data: { nextVoteAt: '2026-01-11T00:00:00.000Z' },
    });

    app.setNow('2026-01-11T00:00:00.000Z');
    expect(await ana.voting.mine()).toEqual([]);
    expect(await ana.voting.cast({ candidateId })).toMatchObject({ candidateId, totalVotes: 2, votesToday: 1 });
    expect(await balanced(candidateId)).toBe(2);
  });

  it('is one per candidate: the same day another candidate may be voted for', async () => {
    const ana = app.as(await app.member());
    const [one, two] = [await app.candidate(), await app.candidate()];
    await ana.voting.cast({ candidateId: one.id });
    expect(await ana.voting.cast({ candidateId: two.id })).toMatchObject({ totalVotes: 1 });
    expect((await ana.voting.mine()).sort()).toEqual([one.id, two.id].sort());
  });

  it('lets a member vote from the exact time at which a ban ends', async () => {
    const { id: userId } = await app.member();
    const { id: candidateId } = await app.candidate();
    const cast = () =>
      app.services.votes.cast({
        candidateId,
        userId,
        networks: [],
        limits: { minute: LIMITS.voteAccountMinute, day: LIMITS.voteAccountDay },
      });
    app.setNow('2026-01-20T10:00:00Z');
    await app.sql('update users set banned_until = $2 where id = $1', [userId, '2026-01-20T10:00:00.001Z']);
    await expect(cast()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    app.pass(1);
    expect(await cast()).toMatchObject({ totalVotes: 1 });
  });

  it('finds no candidate that is hidden or deleted, also while voting is paused', async () => {
    const ana = app.as(await app.member());
    const [shown, hidden, deleted] = [await app.candidate(), await app.candidate(), await app.candidate()];
    await app.sql('update voting_candidates set is_active = false where id = $1', [hidden.id]);
    await app.sql('update voting_candidates set deleted_at = now() where id = $1', [deleted.id]);
    const refusals = async () =>
      outcomes(
        await Promise.allSettled([hidden, deleted, shown].map(({ id }) => ana.voting.cast({ candidateId: id }))),
      );
    await app.sql(`update voting_rounds set status = 'closed'`);
    expect(await refusals()).toEqual(['NOT_FOUND', 'NOT_FOUND', 'VOTING_PAUSED']);
    await app.sql(`update voting_rounds set status = 'open'`);
    expect(await refusals()).toEqual(['NOT_FOUND', 'NOT_FOUND', 'ok']);
  });

  it('returns whether the member voted today; true means already voted [VOTE-17] [AMB-117]', async () => {
    const ana = app.as(await app.member());
    const { id: candidateId } = await app.candidate();
    expect(await ana.voting.votedToday({ candidateId })).toBe(false);
    await ana.voting.cast({ candidateId });
    expect(await ana.voting.votedToday({ candidateId })).toBe(true);
  });
});

describe('withdrawing a vote', () => {
  it('removes it and permits another one on the same day [VOTE-15..16]', async () => {
    const ana = app.as(await app.member());
    const { id: candidateId } = await app.candidate();
    await ana.voting.cast({ candidateId });
    expect(await ana.voting.withdraw({ candidateId })).toMatchObject({ candidateId, totalVotes: 0, votesToday: 0 });
    expect(await ana.voting.mine()).toEqual([]);
    expect(await ana.voting.cast({ candidateId })).toMatchObject({ candidateId, totalVotes: 1, votesToday: 1 });
    await balanced(candidateId);
  });

  it('is refused without a vote of today, also for a vote of yesterday [VOTE-12] [AMB-115]', async () => {
    const ana = app.as(await app.member());
    const { id: candidateId } = await app.candidate();
    await expect(ana.voting.withdraw({ candidateId })).rejects.toMatchObject({ code: 'NO_VOTE', status: 409 });
    app.setNow('2026-02-01T12:00:00Z');
    await ana.voting.cast({ candidateId });
    app.setNow('2026-02-02T00:00:00Z');
    await expect(ana.voting.withdraw({ candidateId })).rejects.toMatchObject({ code: 'NO_VOTE' });
    expect(await balanced(candidateId)).toBe(1);
  });

  it('is refused with VOTING_PAUSED while no round is open, as a vote is [AMB-212]', async () => {
    const ana = app.as(await app.member());
    const { id: candidateId } = await app.candidate();
    await ana.voting.cast({ candidateId });
    await app.sql(`update voting_rounds set status = 'closed'`);
    await expect(ana.voting.withdraw({ candidateId })).rejects.toMatchObject({ code: 'VOTING_PAUSED', status: 409 });
    await app.sql(`update voting_rounds set status = 'open'`);
    expect(await ana.voting.withdraw({ candidateId })).toMatchObject({ totalVotes: 0 });
  });

  it('removes only the member’s own vote', async () => {
    const [ana, ben] = (await app.members(2)) as [Person, Person];
    const { id: candidateId } = await app.candidate();
    await app.as(ana).voting.cast({ candidateId });
    await expect(app.as(ben).voting.withdraw({ candidateId })).rejects.toMatchObject({ code: 'NO_VOTE' });
    expect(await balanced(candidateId)).toBe(1);
  });

  it('restores the time at which the lower total was first reached', async () => {
    const [ana, ben] = (await app.members(2)) as [Person, Person];
    const { id: candidateId } = await app.candidate();
    app.setNow('2026-02-03T10:00:00.000Z');
    await app.as(ana).voting.cast({ candidateId });
    app.setNow('2026-02-03T11:00:00.000Z');
    await app.as(ben).voting.cast({ candidateId });
    await app.as(ben).voting.withdraw({ candidateId });
    const [row] = await app.sql<{ at: Date }>('select total_reached_at as at from voting_candidates where id = $1', [
      candidateId,
    ]);
    expect(row?.at.toISOString()).toBe('2026-02-03T10:00:00.000Z');
  });

  it('is entered into the audit log', async () => {
    const ana = await app.member();
    const { id: candidateId } = await app.candidate();
    await app.as(ana).voting.cast({ candidateId });
    await app.as(ana).voting.withdraw({ candidateId });
    const [entry] = await app.sql('select actor_id, action, ip_hash from audit_events where resource_id = $1', [
      candidateId,
    ]);
    expect(entry).toMatchObject({ actor_id: ana.id, action: 'vote.withdrawn' });
    expect(entry?.['ip_hash']).toHaveLength(16);
  });

  it('is limited to ten times a day for one candidate', async () => {
    const ana = app.as(await app.member());
    const [{ id: candidateId }, other] = [await app.candidate(), await app.candidate()];
    for (let i = 0; i < LIMITS.voteWithdrawCandidateDay.hits; i++) {
      await ana.voting.cast({ candidateId });
      await ana.voting.withdraw({ candidateId });
    }
    await ana.voting.cast({ candidateId });
    await expect(ana.voting.withdraw({ candidateId })).rejects.toMatchObject({ code: 'RATE_LIMITED', status: 429 });
    await ana.voting.cast({ candidateId: other.id });
    await ana.voting.withdraw({ candidateId: other.id });
    expect(await balanced(candidateId)).toBe(1);
  });
});

describe('access to voting', () => {
  const UNKNOWN_ID = '11111111-1111-4111-8111-111111111111';

  it('needs a session for every action [VOTE-10] [SEC-03..04] [ERR-38]', async () => {
    const visitor = app.as();
    const { id: candidateId } = await app.candidate();
    for (const procedure of ['cast', 'withdraw', 'votedToday'] as const)
      await expect(visitor.voting[procedure]({ candidateId })).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
        status: 401,
      });
    expect(await visitor.voting.mine()).toEqual([]);
    expect(await balanced(candidateId)).toBe(0);
  });

  it('accepts the member’s own id and refuses any other [VOTE-16..17] [VOTE-19] [AMB-07]', async () => {
    const [ana, ben] = (await app.members(2)) as [Person, Person];
    const { id: candidateId } = await app.candidate();
    for (const procedure of ['cast', 'votedToday', 'withdraw'] as const)
      await expect(app.as(ana).voting[procedure]({ candidateId, userId: ben.id })).rejects.toMatchObject({
        code: 'FORBIDDEN',
        status: 403,
      });
    expect(await balanced(candidateId)).toBe(0);
    await app.as(ana).voting.cast({ candidateId, userId: ana.id });
    expect(await app.sql('select user_id from votes where candidate_id = $1', [candidateId])).toEqual([
      { user_id: ana.id },
    ]);
  });

  it('refuses an address sent by the client, and stores a keyed hash of the real one [VOTE-20] [AMB-08]', async () => {
    const ana = await app.member();
    const { id: candidateId } = await app.candidate();
    const cast = app.as(ana).voting.cast as (input: unknown) => Promise<Tally>;
    await expect(cast({ candidateId, voterIp: '198.51.100.1' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await cast({ candidateId });
    const ofVote = () =>
      app.sql<{ ip_hash: null; networks: Buffer[] }>(
        'select ip_hash, networks from votes where candidate_id = $1 order by id',
        [candidateId],
      );
    const [vote] = await ofVote();
    // The address and its /24.
    expect(vote?.networks.map((hash) => hash.length)).toEqual([16, 16]);
    expect(vote?.ip_hash).toBeNull();
    const plain = networkHasher(app.secret)('203.0.113.1').map((hash) => hash.toString('hex'));
    for (const hash of vote?.networks ?? []) expect(plain).not.toContain(hash.toString('hex'));
    // Equal within a round, different with the key of another round.
    await app.as(await app.member()).voting.cast({ candidateId });
    await app.sql(`update voting_rounds set network_key = '\\x01' where status = 'open'`);
    await app.as(await app.member()).voting.cast({ candidateId });
    const [one, two, other] = (await ofVote()).map(({ networks }) =>
      networks.map((hash) => hash.toString('hex')).join(),
    );
    expect(two).toBe(one);
    expect(other).not.toBe(one);
  });

  it.each([
    ['unknown', async () => UNKNOWN_ID],
    ['inactive', async () => (await app.candidate({ is_active: false })).id],
    ['in the trash', async () => (await app.candidate({ deleted_at: new Date() })).id],
  ])('refuses a candidate that is %s [AMB-120]', async (_name, make) => {
    const ana = app.as(await app.member());
    const candidateId = await make();
    for (const procedure of ['cast', 'withdraw'] as const)
      await expect(ana.voting[procedure]({ candidateId })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        status: 404,
        data: { what: 'candidate' },
      });
    expect(await app.sql('select 1 from votes where candidate_id = $1', [candidateId])).toEqual([]);
  });

  it('is not affected by a vote for an unknown candidate in the same batch', async () => {
    const [ana, ben] = (await app.members(2)) as [Person, Person];
    const { id: candidateId } = await app.candidate();
    const results = await Promise.allSettled([
      app.as(ana).voting.cast({ candidateId: UNKNOWN_ID }),
      app.as(ben).voting.cast({ candidateId }),
    ]);
    expect(outcomes(results)).toEqual(['NOT_FOUND', 'ok']);
  });
});

describe('rate limits of voting', () => {
  it('are 20 votes a minute, with the seconds to wait, and start again in the next minute', async () => {
    app.setNow('2026-03-01T10:00:00Z');
    const ana = app.as(await app.member());
    const candidates = await Promise.all(Array.from({ length: 22 }, () => app.candidate()));
    for (const { id } of candidates.slice(0, 20)) await ana.voting.cast({ candidateId: id });
    app.pass(15_000);
    const next = { candidateId: candidates[20]?.id ?? '' };
    await expect(ana.voting.cast(next)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      status: 429,
      data: { retryAfter: 45 },
    });
    expect(await balanced(next.candidateId)).toBe(0);
    app.pass(45_000);
    await ana.voting.cast(next);
    // None of the minute before counts any more.
    for (const { id } of candidates.slice(0, 19))
      await expect(ana.voting.cast({ candidateId: id })).rejects.toMatchObject({ code: 'ALREADY_VOTED' });
    await expect(ana.voting.cast({ candidateId: candidates[21]?.id ?? '' })).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      data: { retryAfter: 60 },
    });
    await app.as(await app.member()).voting.cast(next);
  });

  it('are 60 votes a day, counting every attempt', async () => {
    app.setNow('2026-03-02T01:00:00Z');
    const [ana, ben] = (await app.members(2)).map((person) => app.as(person)) as [Api, Api];
    const { id: candidateId } = await app.candidate();
    const [other, third] = [await app.candidate(), await app.candidate()];
    const vote = (who = ana) =>
      who.voting.cast({ candidateId }).catch((error: { code: string }) => expect(error.code).toBe('ALREADY_VOTED'));
    const refused = (retryAfter: number) =>
      expect(ana.voting.cast({ candidateId: third.id })).rejects.toMatchObject({
        code: 'RATE_LIMITED',
        data: { retryAfter },
      });
    for (let i = 0; i < 39; i++) {
      await vote();
      await vote(ben);
      app.pass(10_000);
    }
    app.pass(60_000);
    for (let i = 0; i < 20; i++) await vote(ben);
    app.pass(60_000);
    await ben.voting.cast({ candidateId: other.id });
    for (let i = 0; i < 20; i++) await vote();
    // The 60th of the day is the 21st of its minute, and the next one exceeds both limits.
    await refused(60);
    await refused(86_400 - 510);
    // A member who already voted gets that error, not the rate limit.
    await expect(ana.voting.cast({ candidateId })).rejects.toMatchObject({ code: 'ALREADY_VOTED' });
    app.setNow('2026-03-03T01:00:00Z');
    await ana.voting.cast({ candidateId: other.id });
    // The first of the new day counts in it, and none of the day before.
    for (let i = 0; i < 59; i++) {
      app.pass(10_000);
      await vote();
    }
    app.pass(60_000);
    await refused(86_400 - 650);
  });

  it('are reported for candidates voted for yesterday or before a reset; today’s vote stays ALREADY_VOTED', async () => {
    const ana = await app.member();
    const [yesterday, taken, today] = [await app.candidate(), await app.candidate(), await app.candidate()];
    const vote = (candidateId: string) => app.as(ana).voting.cast({ candidateId });
    app.setNow('2026-03-07T23:59:00Z');
    await vote(yesterday.id);
    app.setNow('2026-03-08T00:00:00Z');
    await vote(taken.id);
    const admin = await app.member({ role: 'admin' });
    await app.sql('update sessions set proved_at = now() where user_id = $1', [admin.id]);
    await app.as(admin).admin.candidates.resetVotes({ id: taken.id, reason: 'Bots' });
    await vote(today.id);
    for (let i = 0; i < 18; i++) await expect(vote(today.id)).rejects.toMatchObject({ code: 'ALREADY_VOTED' });
    for (const { id } of [yesterday, taken]) await expect(vote(id)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await expect(vote(today.id)).rejects.toMatchObject({ code: 'ALREADY_VOTED' });
  });

  it('of day and minute apply together: the longer wait is returned', async () => {
    app.setNow('2026-03-05T01:00:00Z');
    const ana = app.as(await app.member());
    const [{ id: candidateId }, other] = [await app.candidate(), await app.candidate()];
    const refused = (retryAfter: number) =>
      expect(ana.voting.cast({ candidateId: other.id })).rejects.toMatchObject({
        code: 'RATE_LIMITED',
        data: { retryAfter },
      });
    await ana.voting.cast({ candidateId });
    for (let i = 0; i < 59; i++) {
      app.pass(10_000);
      await ana.voting
        .cast({ candidateId })
        .catch((error: { code: string }) => expect(error.code).toBe('ALREADY_VOTED'));
    }
    // Half a minute before the day ends: the minute ends later, and its 20th attempt is within its limit.
    app.setNow('2026-03-06T00:59:30Z');
    for (let i = 0; i < 20; i++) await refused(30);
    await refused(60);
  });
});

describe('voting for confirmed members only [AMB-10]', () => {
  it('refuses others without counting anything, and accepts members confirmed by their mailbox or by an admin', async () => {
    const strict = await startTestApp({ voteConfirmedOnly: true });
    const { id: candidateId } = await strict.candidate();
    const [byMail, byAdmin, nobody] = [
      await strict.member({ verified: true }),
      await strict.member(),
      await strict.member(),
    ];
    await strict.sql('update users set confirmed_at = now() where id = $1', [byAdmin.id]);
    const results = await Promise.allSettled(
      [nobody, byMail, byAdmin].map((person) => strict.as(person).voting.cast({ candidateId })),
    );
    expect(results[0]).toMatchObject({ reason: { code: 'UNCONFIRMED', status: 403 } });
    expect(results.slice(1).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect((await strict.as().voting.ranking({})).items[0]).toMatchObject({ totalVotes: 2 });
    await strict.sql('update users set email_verified = true where id = $1', [nobody.id]);
    expect(await strict.as(nobody).voting.cast({ candidateId })).toMatchObject({ totalVotes: 3 });
  });

  it('is off by default', async () => {
    const { id: candidateId } = await app.candidate();
    expect(await app.as(await app.member()).voting.cast({ candidateId })).toMatchObject({ totalVotes: 1 });
  });
});

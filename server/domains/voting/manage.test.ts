import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import { ImageNotFetched } from '#server/domains/media/media.service.ts';
import { type Api, listenTo, type Person, startTestApp } from '#tests/support/test-app.ts';
import { findMiscounts, purgeArchivedVotes, recountVotes } from './manage-votes.service.ts';
import { closeDueRound } from './round-ends.service.ts';
import { createVoteService } from './votes.service.ts';

const app = await startTestApp({ fetchImage: () => Promise.reject(new ImageNotFetched('private')) });
const admin = await app.member({ role: 'admin' });
const { candidates, rounds } = app.as(admin).admin;

const NOBODYS = '11111111-1111-4111-8111-111111111111';
const prove = () => app.sql('update sessions set proved_at = $2 where user_id = $1', [admin.id, app.now]);
beforeEach(prove);

let serial = 0;
const added = (over: Partial<Parameters<typeof candidates.create>[0]> = {}) =>
  candidates.create({ tokenName: `Alpha ${++serial}`, tokenSymbol: 'alp', resemblanceAccepted: true, ...over });

/** Counter, rows and daily counters of a candidate agree; how many votes there are. */
async function balanced(id: string): Promise<number> {
  const [row] = await app.sql<{ total: number; rows: number; days: number }>(
    `select total_votes as total, (select count(*)::int from present_votes where candidate_id = c.id) as rows,
       (select coalesce(sum(votes), 0)::int from candidate_daily_votes where candidate_id = c.id) as days
     from voting_candidates c where id = $1`,
    [id],
  );
  expect(row?.rows).toBe(row?.total);
  expect(row?.days).toBe(row?.total);
  expect(await findMiscounts(app.services.db)).toEqual([]);
  return row?.total ?? -1;
}

const limits = { minute: LIMITS.voteAccountMinute, day: LIMITS.voteAccountDay };
const vote = (person: Person, candidateId: string) =>
  app.services.votes.cast({ candidateId, userId: person.id, networks: [], limits });
const voted = async (id: string, count: number) => {
  const people = await app.members(count);
  await Promise.all(people.map((person) => vote(person, id)));
  return people;
};
const outcomes = (results: PromiseSettledResult<unknown>[]) =>
  results.map((one) =>
    one.status === 'fulfilled' ? 'ok' : ((one.reason as { code?: string }).code ?? String(one.reason)),
  );
const entries = (resourceId: string) =>
  app.sql<{ action: string; before: unknown; after: Record<string, unknown>; reason: string | null; actor_id: string }>(
    'select action, before, after, reason, actor_id from audit_events where resource_id = $1 order by id',
    [resourceId],
  );

describe('candidates in the back office', () => {
  it('are created with name, symbol, description, image and order, and stand up for voting at once [A-VOTE-08] [A-VOTE-11] [AMB-123] [AMB-124]', async () => {
    const made = await added({
      tokenName: ' Ñandú\u202e  Coin ',
      tokenSymbol: 'ñan',
      description: 'Corre.',
      orderIndex: 7,
    });
    expect(made).toMatchObject({
      tokenName: 'Ñandú Coin',
      tokenSymbol: 'ÑAN',
      tokenSlug: 'nandu-coin',
      description: 'Corre.',
      orderIndex: 7,
      isActive: true,
      totalVotes: 0,
      version: 1,
    });
    expect((await added({ tokenName: 'Ñandú Coin' })).tokenSlug).toBe('nandu-coin-2');
    await app.project({ token_slug: 'zorro' });
    expect((await added({ tokenName: 'Zorro' })).tokenSlug).toBe('zorro-2');
    expect((await added({ tokenName: '月' })).tokenSlug).toBe('token');
    for (const wrong of [
      { tokenName: ' ' },
      { tokenSymbol: '' },
      { tokenSymbol: 'ELEVENCHARS' },
      { adminEmail: 'a@b.c' },
    ])
      await expect(added(wrong as never)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(added({ tokenName: '\u202e' })).rejects.toMatchObject({ code: 'NOT_VALID', status: 422 });
    expect((await app.as(null).voting.ranking({})).items.map(({ id }) => id)).toContain(made.id);
  });

  it('take every field of the edit dialog, and nobody overwrites a colleague [A-VOTE-15] [AMB-126]', async () => {
    const { createdAt, updatedAt, deletedAt, tokenSlug, totalVotes, votesToday, wonRound, ...rest } = await added();
    const { resetId, resetAt, resetVotes, ...fields } = rest;
    const saved = await candidates.update({
      ...fields,
      tokenSymbol: 'new',
      websiteUrl: 'https://alpha.example',
      price: 0.000_012_3,
      marketCap: 1e15,
      swapsCount: 4_000_000_000,
      holdersCount: 12,
      burntPercentage: 33.5,
      adminNotes: 'Entre nosotros',
    });
    expect(saved).toMatchObject({ tokenSymbol: 'NEW', price: 0.0000123, marketCap: 1e15, swapsCount: 4e9, version: 2 });
    await expect(candidates.update({ ...fields, tokenName: 'Stale' })).rejects.toMatchObject({
      code: 'VERSION_CONFLICT',
      data: { version: 2, current: { tokenSymbol: 'NEW' }, by: admin.username },
    });
    for (const wrong of [
      { websiteUrl: 'javascript:alert(1)' },
      { price: -1 },
      { burntPercentage: 101 },
      { holdersCount: 1.5 },
      { imageUrl: '/etc/passwd' },
    ])
      await expect(candidates.update({ ...fields, version: 2, ...wrong })).rejects.toMatchObject({
        code: 'BAD_REQUEST',
      });
    const other = { ...fields, version: 2 };
    await expect(candidates.update({ ...other, imageUrl: 'https://example.org/x.png' })).rejects.toMatchObject({
      code: 'IMAGE_NOT_FETCHED',
    });
    const gone = '/media/00000000000000000000000000000000.webp';
    await expect(candidates.update({ ...other, imageUrl: gone })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const page = await app.http(`/api/tokens/${tokenSlug}`);
    expect(await page.text()).not.toContain('Entre nosotros');
  });

  it('are listed by place and then the newest, found, filtered, and exported [A-VOTE-13] [AMB-119]', async () => {
    const key = `Lista${++serial}`;
    const second = await added({ tokenName: `${key} Ámbar`, orderIndex: -5 });
    app.pass(1_000);
    const first = await added({ tokenName: `${key} B`, orderIndex: -5 });
    const before = await added({ tokenName: `${key} C`, orderIndex: -6 });
    await candidates.setActive({ id: first.id, isActive: false });
    const ids = async (input: Parameters<typeof candidates.list>[0]) =>
      (await candidates.list({ q: key, ...input })).rows.map(({ id }) => id);
    expect(await ids({})).toEqual([before.id, first.id, second.id]);
    expect(await ids({ status: 'inactive' })).toEqual([first.id]);
    expect(await ids({ q: 'AMBAR' })).toEqual([second.id]);
    expect(await ids({ q: '%' })).toEqual([]);
    await voted(second.id, 2);
    expect((await ids({ sort: '-totalVotes' }))[0]).toBe(second.id);
    const csv = await app.http(`/api/admin/candidates.csv?q=${key}&status=active`, {
      headers: { cookie: admin.cookie },
    });
    expect((await csv.text()).trim().split('\r\n')).toHaveLength(3);
  });

  it('leave and enter the ranking by their switch, and an inactive one takes no votes [A-VOTE-09] [AMB-120]', async () => {
    const { id } = await added();
    const ana = app.as(await app.member());
    await candidates.setActive({ id, isActive: false });
    await expect(ana.voting.cast({ candidateId: id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    // Saying it twice is saying it once.
    expect((await candidates.setActive({ id, isActive: false })).version).toBe(2);
    await candidates.setActive({ id, isActive: true });
    await ana.voting.cast({ candidateId: id });
    expect((await entries(id)).map(({ action }) => action)).toEqual([
      'candidate.created',
      'candidate.updated',
      'candidate.updated',
    ]);
    await expect(candidates.setActive({ id: NOBODYS, isActive: true })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('go into the trash with their votes and come back with them [A-VOTE-18] [AMB-122]', async () => {
    const { id, version } = await added();
    await voted(id, 3);
    await candidates.remove({ id, version });
    expect((await candidates.list({ shelf: 'trash' })).rows[0]).toMatchObject({ id, totalVotes: 3 });
    await expect(candidates.resetVotes({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(app.as(await app.member()).voting.cast({ candidateId: id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await candidates.restore({ id })).toMatchObject({ totalVotes: 3, deletedAt: null });
    expect(await balanced(id)).toBe(3);
  });
});

describe('a reset of votes [A-VOTE-17] [A-VOTE-19] [AMB-121]', () => {
  it('takes all votes off, lets today’s voters vote again, and tells every screen', async () => {
    const { id } = await added();
    const [ana, bea] = (await voted(id, 2)) as [Person, Person];
    const liveEvents = listenTo(app.services);
    expect(await candidates.resetVotes({ id, reason: 'Bots' })).toMatchObject({
      totalVotes: 0,
      votesToday: 0,
      resetVotes: 2,
      resetAt: app.now.toISOString(),
    });
    expect(await balanced(id)).toBe(0);
    const none = { candidateId: id, totalVotes: 0, votesToday: 0, reachedAt: null };
    await liveEvents.until(
      (event) =>
        event.type === 'votes.changed' && event.tallies.some((tally) => JSON.stringify(tally) === JSON.stringify(none)),
    );
    expect(await app.as(ana).voting.mine()).toEqual([]);
    await vote(bea, id);
    expect(await balanced(id)).toBe(1);
    expect((await entries(id)).at(-1)).toMatchObject({
      action: 'candidate.votes_reset',
      before: { totalVotes: 2 },
      reason: 'Bots',
      actor_id: admin.id,
    });
  });

  it('without votes changes nothing, and is refused without a fresh proof [A-VOTE-10]', async () => {
    const { id } = await added();
    await expect(candidates.resetVotes({ id })).rejects.toMatchObject({ code: 'ALREADY_DONE', status: 409 });
    await voted(id, 1);
    app.pass(601_000);
    await expect(candidates.resetVotes({ id })).rejects.toMatchObject({ code: 'STEP_UP_NEEDED', status: 403 });
    expect(await balanced(id)).toBe(1);
  });

  it('is undone within 30 days; a newer vote of the same day stays the only one', async () => {
    const { id } = await added();
    const people = (await voted(id, 3)) as [Person, Person, Person];
    app.pass(1_000);
    const { resetId } = await candidates.resetVotes({ id });
    await vote(people[0], id);
    await app.sql('delete from users where id = $1', [people[1].id]);
    app.pass(86_400_000 * 29);
    await prove();
    await voted(id, 1);
    const undo = { id, resetId: resetId ?? '' };
    // Of three: one voted again on the same day, one left, one comes back.
    expect(await candidates.undoReset(undo)).toMatchObject({ totalVotes: 3, restored: 1, resetId: null });
    expect(await balanced(id)).toBe(3);
    await expect(candidates.undoReset(undo)).rejects.toMatchObject({ code: 'ALREADY_DONE' });
    expect(await balanced(id)).toBe(3);
    expect((await entries(id)).at(-1)).toMatchObject({ action: 'candidate.reset_undone', after: { totalVotes: 3 } });
  });

  it('from before generations is undone too', async () => {
    const { id } = await added();
    await voted(id, 3);
    const [reset] = await app.sql<{ id: string }>(
      'insert into vote_resets (candidate_id, votes, reset_at) values ($1, 3, $2) returning id',
      [id, app.now],
    );
    await app.sql(
      `with taken as (delete from votes where candidate_id = $1 returning user_id, voted_on, created_at, state, round_id)
       insert into archived_votes (reset_id, user_id, voted_on, created_at, state, round_id) select $2::uuid, * from taken`,
      [id, reset?.id],
    );
    await app.sql('delete from candidate_daily_votes where candidate_id = $1', [id]);
    await app.sql('update voting_candidates set total_votes = 0, total_reached_at = null where id = $1', [id]);
    await voted(id, 1);
    expect(await candidates.undoReset({ id, resetId: reset?.id ?? '' })).toMatchObject({ totalVotes: 4, restored: 3 });
    expect(await balanced(id)).toBe(4);
    expect(await app.sql('select 1 from archived_votes where reset_id = $1', [reset?.id])).toEqual([]);
  });

  it('touches no vote, however many there are, and its undo neither', async () => {
    const { id } = await added();
    await voted(id, 3);
    const rows = () =>
      app.sql('select id, xmin::text, ctid::text from votes where candidate_id = $1 order by id', [id]);
    const before = await rows();
    const { resetId } = await candidates.resetVotes({ id });
    expect(await rows()).toEqual(before);
    await candidates.undoReset({ id, resetId: resetId ?? '' });
    expect(await rows()).toEqual(before);
    expect(await balanced(id)).toBe(3);
  });

  it('is for good after 30 days, and its votes are purged', async () => {
    const { id } = await added();
    await voted(id, 2);
    const { resetId } = await candidates.resetVotes({ id });
    const stored = async () =>
      (
        await app.sql<{ n: number }>(
          `select count(*)::int as n from vote_resets r
           join votes v on v.candidate_id = r.candidate_id and v.generation = any(r.generations) where r.id = $1`,
          [resetId],
        )
      )[0]?.n;
    app.pass(86_400_000 * 30 - 1);
    await purgeArchivedVotes(app.services.db, app.now);
    expect(await stored()).toBe(2);
    app.pass(1);
    await prove();
    await expect(candidates.undoReset({ id, resetId: resetId ?? '' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await purgeArchivedVotes(app.services.db, app.now);
    expect(await stored()).toBe(0);
    expect((await candidates.list({ q: 'Alpha', size: 1_000 })).rows.find((one) => one.id === id)?.resetId).toBeNull();
  });

  it('belongs to its candidate', async () => {
    const [one, two] = [await added(), await added()];
    await voted(one.id, 1);
    const { resetId } = await candidates.resetVotes({ id: one.id });
    await expect(candidates.undoReset({ id: two.id, resetId: resetId ?? '' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('waits for a vote under way, and archives it with the others', async () => {
    const { id } = await added();
    await voted(id, 2);
    const [member] = await app.members(1);
    const client = await app.sqlClient();
    try {
      await client.query('begin');
      await client.query('select 1 from voting_candidates where id = $1 for no key update', [id]);
      const day = app.now.toISOString().slice(0, 10);
      await client.query('insert into votes (candidate_id, user_id, voted_on, created_at) values ($1, $2, $3, $4)', [
        id,
        member?.id,
        day,
        app.now,
      ]);
      await client.query('update voting_candidates set total_votes = total_votes + 1 where id = $1', [id]);
      await client.query('update candidate_daily_votes set votes = votes + 1 where candidate_id = $1 and day = $2', [
        id,
        day,
      ]);
      const resetting = candidates.resetVotes({ id });
      resetting.catch(() => {});
      await vi.waitUntil(async () => (await app.waiting()) > 0, { timeout: 10_000, interval: 10 });
      await client.query('commit');
      expect(await resetting).toMatchObject({ totalVotes: 0, resetVotes: 3 });
      expect(await balanced(id)).toBe(0);
    } finally {
      await client.end();
    }
  });

  it('loses no vote that is cast meanwhile and counts none twice, from two servers', async () => {
    const { id } = await added();
    const other = await app.secondProcess();
    const people = await app.members(240);
    const kinds: string[] = [];
    const resets: string[] = [];
    const casting = people.map(async (person, i) => {
      await new Promise((done) => setTimeout(done, i * 2));
      const service = i % 2 ? other.votes : app.services.votes;
      await service.cast({ candidateId: id, userId: person.id, networks: [], limits });
      kinds.push('cast');
    });
    const resetting = (async () => {
      for (let i = 0; i < 6; i++) {
        await new Promise((done) => setTimeout(done, 60));
        // Two admins at once: the votes go with one of them.
        const both = await Promise.allSettled([candidates.resetVotes({ id }), candidates.resetVotes({ id })]);
        for (const one of both) if (one.status === 'fulfilled' && one.value.resetId) resets.push(one.value.resetId);
      }
    })();
    await Promise.all([...casting, resetting]);
    expect(kinds).toHaveLength(240);
    const archived = async () =>
      (
        await app.sql<{ n: number }>(
          `select count(*)::int as n from vote_resets r
           join votes v on v.candidate_id = r.candidate_id and v.generation = any(r.generations)
           where r.candidate_id = $1 and r.undone_at is null`,
          [id],
        )
      )[0]?.n ?? 0;
    expect(resets.length).toBeGreaterThan(1);
    expect((await balanced(id)) + (await archived())).toBe(240);

    // All resets are taken back while everybody votes again and some withdraw: one vote each, at most.
    const list = await app.sql<{ id: string }>('select id from vote_resets where candidate_id = $1', [id]);
    const again = people.map((person, i) =>
      i % 3 === 0
        ? vote(person, id).catch((error: { code: string }) => expect(error.code).toBe('ALREADY_VOTED'))
        : Promise.resolve(),
    );
    const undoing = list.flatMap((reset) => [
      candidates.undoReset({ id, resetId: reset.id }),
      candidates
        .undoReset({ id, resetId: reset.id })
        .catch((error: { code: string }) => expect(error.code).toBe('ALREADY_DONE')),
    ]);
    const settled = await Promise.allSettled([...again, ...undoing]);
    for (const one of settled)
      if (one.status === 'rejected') expect((one.reason as { code: string }).code).toBe('ALREADY_DONE');
    expect(await archived()).toBe(0);
    expect(await balanced(id)).toBe(240);
  });
});

/** Nobody else stands in the ranking, and one round is open that lasts. */
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

  it('refuses a vote and a withdrawal a millisecond later, whatever the job does', async () => {
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
    expect(await balanced(id)).toBe(1);
  });

  it('goes by the clock of the database, not by that of a process', async () => {
    const { id } = await added();
    const [ana] = (await app.members(1)) as [Person];
    // As in production: no test says what time it is.
    const votes = createVoteService(app.services.pool, { confirmedOnly: false, present: () => null });
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

  it('freezes the standings, certifies the winner and opens the next round, once, from two servers', async () => {
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
    // The winner is out of the vote until it graduates; the others go on with their votes.
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
    await expect(vote(ana, two.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await vote(ana, one.id);
    expect(await balanced(one.id)).toBe(2);
    expect(await standings(round.id)).toHaveLength(3);
    expect((await entries(round.id)).at(-1)).toMatchObject({ action: 'round.closed', actor_id: null });
  });

  it('pauses voting where nothing is to follow, until a round is opened', async () => {
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
    expect(await rounds.open({ days: 3 })).toMatchObject({ number: round.number + 1, nextDays: 3 });
    await vote(ana, id);
  });

  it('comes early only with a reason that everybody reads', async () => {
    const { id } = await added();
    await voted(id, 1);
    const { round } = await current();
    const close = (over: object = {}) =>
      rounds.closeEarly({ id: round.id, seenClosesAt: round.closesAt, reason: 'Fallo grave', ...over });
    await expect(close({ reason: ' ' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(close({ reason: '\u202e' })).rejects.toMatchObject({ code: 'NOT_VALID' });
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
    app.pass(601_000);
    const next = await current();
    await expect(
      rounds.closeEarly({ id: next.round.id, seenClosesAt: next.round.closesAt, reason: 'Otra vez' }),
    ).rejects.toMatchObject({ code: 'STEP_UP_NEEDED' });
  });

  it('counts every vote of a rush in the frozen standings, or in none', async () => {
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
    // Votes of the round are those that were frozen; what came later is of the next one, or was refused.
    const byRound = await app.sql<{ id: string; votes: number }>(
      'select candidate_id as id, count(*)::int as votes from votes where round_id = $1 group by 1',
      [round.id],
    );
    const frozen = await standings(round.id);
    expect(frozen.map(({ id, votes }) => ({ id, votes })).sort((a, b) => Number(b.votes) - Number(a.votes))).toEqual(
      byRound.toSorted((a, b) => b.votes - a.votes),
    );
    expect(await balanced(one.id)).toBe(frozen.find(({ id }) => id === one.id)?.votes);
    for (const line of refused) expect(line).toMatch(/^(ROUND_ENDED|NOT_FOUND)/);
    expect((await balanced(one.id)) + (await balanced(two.id)) + refused.length).toBe(195);
  });
});

describe('graduating the winner [A-NEXT-18] [A-NEXT-32] [AMB-108] [AMB-212]', () => {
  beforeEach(clearStage);

  it('makes the NEXT project of the frozen winner and takes the candidate off, in one transaction', async () => {
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
    // Votes of the others go on into the next round.
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

  it('needs a closed round with a winner that is still there, and happens once', async () => {
    const other = await app.secondProcess();
    const { id, version } = await added();
    const open = await current();
    await expect(rounds.promoteWinner({ id: NOBODYS, candidateId: id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
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
    await candidates.restore({ id });
    const apis: Api[] = [app.as(admin), app.as(admin, { at: other }), app.as(admin), app.as(admin, { at: other })];
    const answers = outcomes(
      await Promise.allSettled(apis.map((api) => api.admin.rounds.promoteWinner({ id: round.id, candidateId: id }))),
    );
    expect(answers.sort()).toEqual(['ROUND_CHANGED', 'ROUND_CHANGED', 'ROUND_CHANGED', 'ok']);
    expect(await app.sql('select 1 from next_projects where voting_round_id = $1', [round.id])).toHaveLength(1);
  });

  it('takes the frozen winner, whatever its votes became', async () => {
    const [one, two] = [await added(), await added()];
    await voted(one.id, 2);
    await voted(two.id, 1);
    const { round } = await closeEarly();
    await candidates.resetVotes({ id: one.id });
    await voted(two.id, 5);
    expect((await current()).winner).toMatchObject({ id: one.id, totalVotes: 2 });
    await rounds.promoteWinner({ id: round.id, candidateId: one.id });
    expect((await rounds.list({ sort: '-number' })).rows[0]).toMatchObject({ winnerId: one.id, winnerVotes: 2 });
  });
});

describe('moving the end of the round', () => {
  beforeEach(clearStage);

  it('is moved by who saw where it was', async () => {
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

describe('counting again', () => {
  it('finds every wrong counter, mends it under the lock of the votes, and says so', async () => {
    const { id } = await added();
    const fine = await added();
    await voted(id, 4);
    await voted(fine.id, 2);
    await app.sql('update voting_candidates set total_votes = 9 where id = $1', [id]);
    await app.sql('update candidate_daily_votes set votes = 7 where candidate_id = $1', [id]);
    await app.sql(`insert into candidate_daily_votes values ($1, '2026-01-01', 2)`, [id]);
    expect(await findMiscounts(app.services.db)).toMatchObject([{ id, total: 9, counted: 4, days: 2 }]);
    const actor = { id: null, role: 'system' as const, ipHash: null, requestId: null };
    expect(await recountVotes(app.services.db, actor, id, app.now)).toMatchObject({ total: 9, counted: 4 });
    expect(await balanced(id)).toBe(4);
    expect(await recountVotes(app.services.db, actor, id, app.now)).toBeNull();
    expect((await entries(id)).filter(({ action }) => action === 'candidate.recounted')).toHaveLength(1);
    expect((await entries(fine.id)).map(({ action }) => action)).toEqual(['candidate.created']);
  });
});

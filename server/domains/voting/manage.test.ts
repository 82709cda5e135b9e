import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import { ImageNotFetched } from '#server/domains/media/media.service.ts';
import { type Api, listenTo, type Person, startTestApp } from '#tests/support/test-app.ts';
import { findMiscounts, purgeArchivedVotes, recountVotes } from './manage-votes.service.ts';

const app = await startTestApp({ fetchImage: () => Promise.reject(new ImageNotFetched('private')) });
const admin = await app.member({ role: 'admin' });
const { candidates, rounds } = app.as(admin).admin;

const NOBODYS = '11111111-1111-4111-8111-111111111111';
const prove = () => app.sql('update sessions set proved_at = $2 where user_id = $1', [admin.id, app.now]);
beforeEach(prove);

let serial = 0;
const added = (over: Partial<Parameters<typeof candidates.create>[0]> = {}) =>
  candidates.create({ tokenName: `Alpha ${++serial}`, tokenSymbol: 'alp', ...over });

/** Counter, rows and daily counters of a candidate agree; how many votes there are. */
async function balanced(id: string): Promise<number> {
  const [row] = await app.sql<{ total: number; rows: number; days: number }>(
    `select total_votes as total, (select count(*)::int from votes where candidate_id = c.id) as rows,
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
const vote = (person: Person, candidateId: string, at = app.now) =>
  app.services.votes.cast({ candidateId, userId: person.id, ipHash: null, at, limits });
const voted = async (id: string, count: number) => {
  const people = await app.members(count);
  await Promise.all(people.map((person) => vote(person, id)));
  return people;
};
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

  it('is for good after 30 days, and its votes are purged', async () => {
    const { id } = await added();
    await voted(id, 2);
    const { resetId } = await candidates.resetVotes({ id });
    const stored = async () =>
      (await app.sql<{ n: number }>('select count(*)::int as n from archived_votes where reset_id = $1', [resetId]))[0]
        ?.n;
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
      await service.cast({ candidateId: id, userId: person.id, ipHash: null, at: app.now, limits });
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
          'select count(*)::int as n from archived_votes a join vote_resets r on r.id = a.reset_id where r.candidate_id = $1',
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

/** Nobody else stands in the ranking. */
const clearStage = () => app.sql('update voting_candidates set is_active = false');
const current = async () => {
  const { round, leaders } = await rounds.current();
  return { round: round ?? { id: '', number: 0, opensAt: '', closesAt: '' }, leaders };
};

describe('graduating the winner [A-NEXT-18] [A-NEXT-32] [AMB-108]', () => {
  beforeEach(clearStage);

  it('closes the round, makes the NEXT project, takes the candidate off and opens the next round, in one transaction', async () => {
    const { id, tokenName, tokenSlug } = await added({ tokenName: 'Gana', description: 'Va primero.' });
    await app.sql(
      `update voting_candidates set website_url = 'https://gana.example', contract_address = 'So1', price = 0.5,
         market_cap = 1234567.5, description_full = 'Todo.' where id = $1`,
      [id],
    );
    const second = await added();
    await voted(id, 2);
    await voted(second.id, 1);
    const { round, leaders } = await current();
    expect(leaders.map((one) => [one.id, one.totalVotes])).toEqual([
      [id, 2],
      [second.id, 1],
    ]);
    const liveEvents = listenTo(app.services);
    const { nextProjectId, opened } = await rounds.promoteWinner({ id: round.id, candidateId: id });
    expect(opened).toMatchObject({
      number: round.number + 1,
      opensAt: app.now.toISOString(),
      closesAt: new Date(app.now.getTime() + 15 * 86_400_000).toISOString(),
    });
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
    expect((await app.as(null).voting.ranking({})).items.map((one) => one.id)).toEqual([second.id]);
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
    for (const domain of ['voting', 'nextProjects'])
      await liveEvents.until((event) => event.type === 'domain.changed' && event.domain === domain);
    expect((await entries(id)).at(-1)).toMatchObject({ action: 'candidate.graduated' });
    expect((await entries(nextProjectId)).at(-1)).toMatchObject({ action: 'next_project.created' });
    expect((await entries(round.id)).at(-1)).toMatchObject({
      action: 'round.closed',
      after: { winnerId: id, nextProjectId },
    });
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
    const { round, leaders } = await current();
    expect(leaders.map(({ id, totalVotes }) => [id, totalVotes])).toEqual([
      [early.id, 2],
      [late.id, 2],
    ]);
    await expect(rounds.promoteWinner({ id: round.id, candidateId: late.id })).rejects.toMatchObject({
      code: 'ROUND_CHANGED',
    });
    await rounds.promoteWinner({ id: round.id, candidateId: early.id });
    expect((await rounds.list({ sort: '-number' })).rows[0]).toMatchObject({ winnerId: early.id });
  });

  it('needs a vote, an open round that was seen, and an end to come', async () => {
    const { id } = await added();
    const { round, leaders } = await current();
    expect(leaders).toEqual([]);
    const promote = (over: object = {}) => rounds.promoteWinner({ id: round.id, candidateId: id, ...over });
    await expect(promote()).rejects.toMatchObject({ code: 'NO_WINNER', status: 409 });
    await voted(id, 1);
    await expect(promote({ id: NOBODYS })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(promote({ nextClosesAt: app.now.toISOString() })).rejects.toMatchObject({ code: 'NOT_VALID' });
    expect((await current()).round.id).toBe(round.id);
    const nextClosesAt = new Date(app.now.getTime() + 86_400_000).toISOString();
    expect((await promote({ nextClosesAt })).opened.closesAt).toBe(nextClosesAt);
    await expect(promote()).rejects.toMatchObject({ code: 'ROUND_CHANGED', status: 409 });
  });

  it('happens once, from two servers at once, while votes come in; each vote is counted or refused', async () => {
    const other = await app.secondProcess();
    const [one, two] = [await added(), await added()];
    await voted(one.id, 30);
    await voted(two.id, 5);
    const { round } = await current();
    const people = await app.members(120);
    const cast: string[] = [];
    const refused: string[] = [];
    const casting = people.map(async (person, i) => {
      await new Promise((done) => setTimeout(done, i));
      const candidateId = i % 3 ? one.id : two.id;
      const service = i % 2 ? other.votes : app.services.votes;
      await service.cast({ candidateId, userId: person.id, ipHash: null, at: app.now, limits }).then(
        () => cast.push(candidateId),
        (error: { code: string }) => refused.push(`${error.code} ${candidateId}`),
      );
    });
    await new Promise((done) => setTimeout(done, 40));
    const apis: Api[] = [app.as(admin), app.as(admin, { at: other }), app.as(admin), app.as(admin, { at: other })];
    const answers = await Promise.allSettled(
      apis.map((api) => api.admin.rounds.promoteWinner({ id: round.id, candidateId: one.id })),
    );
    await Promise.all(casting);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const answer of answers)
      if (answer.status === 'rejected') expect((answer.reason as { code: string }).code).toBe('ROUND_CHANGED');
    expect(await app.sql('select 1 from next_projects where voting_round_id = $1', [round.id])).toHaveLength(1);
    expect(await app.sql(`select 1 from voting_rounds where status = 'open'`)).toHaveLength(1);

    const castFor = (id: string) => cast.filter((each) => each === id).length;
    expect(await balanced(one.id)).toBe(30 + castFor(one.id));
    expect(await balanced(two.id)).toBe(5 + castFor(two.id));
    expect(cast.length + refused.length).toBe(120);
    expect(new Set(refused)).toEqual(new Set([`NOT_FOUND ${one.id}`]));
    // What the round wrote down is what its winner has for ever.
    expect((await rounds.list({ sort: '-number' })).rows[0]?.winnerVotes).toBe(await balanced(one.id));
  });

  it('waits for a vote under way that would make another one the leader, and then refuses', async () => {
    const [one, two] = [await added(), await added()];
    await voted(one.id, 2);
    await voted(two.id, 2);
    const [member] = await app.members(1);
    const { round } = await current();
    const client = await app.sqlClient();
    try {
      await client.query('begin');
      await client.query('select 1 from voting_candidates where id = $1 for no key update', [two.id]);
      const promoting = rounds.promoteWinner({ id: round.id, candidateId: one.id });
      promoting.catch(() => {});
      await vi.waitUntil(async () => (await app.waiting()) > 0, { timeout: 10_000, interval: 10 });
      await client.query('insert into votes (candidate_id, user_id, voted_on, created_at) values ($1, $2, $3, $4)', [
        two.id,
        member?.id,
        '2026-03-10',
        app.now,
      ]);
      await client.query(
        'update voting_candidates set total_votes = total_votes + 1, total_reached_at = $2 where id = $1',
        [two.id, app.now],
      );
      await client.query(
        `insert into candidate_daily_votes values ($1, '2026-03-10', 1) on conflict (candidate_id, day) do update set votes = candidate_daily_votes.votes + 1`,
        [two.id],
      );
      await client.query('commit');
      await expect(promoting).rejects.toMatchObject({ code: 'ROUND_CHANGED' });
      expect((await current()).round.id).toBe(round.id);
    } finally {
      await client.end();
    }
  });
});

describe('the end of the round', () => {
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

import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { checksummed } from '#contract/fields/evm-checksum.ts';
import { checkWallet } from '#contract/fields/wallets.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { auditEvents } from '#server/db/tables/audit.ts';
import { forumComments, forumPosts, postReactions } from '#server/db/tables/forum.ts';
import { news } from '#server/db/tables/news.ts';
import { nextProjects } from '#server/db/tables/next-projects.ts';
import { userConnections } from '#server/db/tables/presence.ts';
import { projects } from '#server/db/tables/projects.ts';
import { settings } from '#server/db/tables/settings.ts';
import { votes, votingCandidates, votingCandidatesWithStats, votingRounds } from '#server/db/tables/voting.ts';
import { createTestDatabase, useDatabase } from '#tests/support/database/database.ts';
import { openDb } from '../client.ts';
import { seedDemo } from './index.ts';
import { slugOf } from './text.ts';

const HOUR = 3_600_000;

describe('demo content', () => {
  const database = useDatabase();
  const now = new Date();
  const rows = async <T>(query: string) => (await database.pool.query(query)).rows as T[];

  beforeAll(() => seedDemo(database.db, now));

  it('has vote totals, times of these totals and daily counts that match its votes', async () => {
    const wrongTotals = await rows(`
      select c.token_slug from voting_candidates c
      left join (select candidate_id, count(*) as n, max(created_at) as latest from votes group by 1) v on v.candidate_id = c.id
      where c.total_votes <> coalesce(v.n, 0) or c.total_reached_at is distinct from v.latest`);
    const wrongDays = await rows(`
      select * from candidate_daily_votes d
      full join (select candidate_id, voted_on, count(*) as n from votes group by 1, 2) v
        on v.candidate_id = d.candidate_id and v.voted_on = d.day
      where d.votes is distinct from v.n`);
    expect(wrongTotals).toEqual([]);
    expect(wrongDays).toEqual([]);
  });

  it('has votes on 21 days, none of them in the future, nor before its member and candidate existed', async () => {
    const wrong = await rows(`select 1 from votes where voted_on <> (created_at at time zone 'UTC')::date`);
    expect(wrong).toEqual([]);
    const [span] = await database.db
      .select({ days: sql<number>`count(distinct ${votes.votedOn})::int`, last: sql<Date>`max(${votes.createdAt})` })
      .from(votes)
      .innerJoin(votingCandidates, and(eq(votingCandidates.id, votes.candidateId), votingCandidates.isActive));
    expect(span?.days).toBe(21);
    expect(new Date(span?.last ?? 0).getTime()).toBeLessThanOrEqual(now.getTime());
    const early = await rows(`
      select 1 from votes v join users u on u.id = v.user_id join voting_candidates c on c.id = v.candidate_id
      where v.created_at < greatest(u.created_at, c.created_at)`);
    expect(early).toEqual([]);
  });

  it('has a leader, a close second and fourteen candidates to vote for', async () => {
    const active = (await database.db.select().from(votingCandidatesWithStats)).filter((one) => one.isActive);
    const [first, second, third] = active.map((one) => one.totalVotes).sort((a, b) => b - a) as [
      number,
      number,
      number,
    ];
    expect(active).toHaveLength(14);
    expect(active.find((one) => one.totalVotes === first)?.tokenSymbol).toBe('AJOLO');
    expect(first).toBeGreaterThan(second);
    expect(second / first).toBeGreaterThan(0.85);
    expect(third).toBeLessThan(second);
    expect(active.filter((one) => one.price === null).length).toBeGreaterThan(2);
    expect(await database.db.$count(votingCandidates)).toBe(20);
  });

  it('fills the three podium slots, and has two projects that are pending or rejected', async () => {
    const list = await database.db.select().from(projects);
    expect(list).toHaveLength(27);
    const podium = list.filter((one) => one.orderIndex <= 3);
    expect(podium.map((one) => [one.orderIndex, one.status]).sort()).toEqual([
      [1, 'published_home'],
      [2, 'published_home'],
      [3, 'published_home'],
    ]);
    expect(list.filter((one) => one.status === 'pending' || one.status === 'rejected')).toHaveLength(2);
    for (const one of list) expect(one.descriptionFull?.split('\n\n').length).toBeGreaterThanOrEqual(2);
    for (const one of list) expect(checkWallet('solana', one.tokenAddress ?? '', checksummed)).toBe('ok');
  });

  it('marks all figures as demo data, and never fetches market data of its tokens', async () => {
    const { rows } = await database.pool.query(`
      select (select count(*) from market_listings)::int as listed,
        (select count(*) from market_asks where next_at = 'infinity')::int as never,
        (select count(*) from market_asks)::int as asks,
        (select count(distinct source) from market_figures)::int as sources,
        (select min(source) from market_figures) as source,
        (select count(*) from market_prices p join market_figures f using (network, address)
         where f.figure = 'price' and p.price = f.value)::int as last`);
    expect(rows[0]).toMatchObject({ sources: 1, source: 'demo' });
    expect(rows[0].listed).toBeGreaterThan(30);
    expect(rows[0].never).toBe(rows[0].asks);
    expect(rows[0].last).toBeGreaterThan(5);
  });

  it('opens round 7 and closes the six before it', async () => {
    const rounds = await database.db.select().from(votingRounds).orderBy(votingRounds.number);
    expect(rounds.map((round) => round.status)).toEqual([...Array<string>(6).fill('closed'), 'open']);
    expect(rounds[6]).toMatchObject({
      number: 7,
      opensAt: new Date(now.getTime() - 6 * 24 * HOUR),
      closesAt: new Date(now.getTime() + 9 * 24 * HOUR),
    });
  });

  it('has six active NEXT projects, with launches in the future, in the past and without a date', async () => {
    const list = await database.db.select().from(nextProjects).orderBy(nextProjects.orderIndex);
    expect(list.filter((one) => one.isActive)).toHaveLength(6);
    const launched = list.filter((one) => one.status === 'launched');
    expect(launched.map((one) => [Number(one.launchDate) < +now, one.isActive])).toEqual([
      [true, true],
      [true, false],
      [true, false],
      [true, false],
    ]);
    const ahead = list.filter((one) => Number(one.launchDate) > +now);
    expect(ahead.map((one) => [one.status, one.isActive])).toEqual(Array<unknown>(4).fill(['published', true]));
    expect(list.filter((one) => one.launchDate === null)).toHaveLength(1);
  });

  it('has a NEXT project and a number of votes for the winner of each closed round', async () => {
    const wrong = await rows(`
      select r.number, r.closed_at, r.winner_votes, n.token_name, n.created_at from voting_rounds r
      left join next_projects n on n.voting_round_id = r.id and n.is_voting_winner
      where r.status = 'closed' and (n.id is null or r.winner_votes is null or n.created_at <> r.closed_at)`);
    expect(wrong).toEqual([]);
    const [last] = await rows<{ winner_votes: number; total_votes: number }>(`
      select r.winner_votes, c.total_votes from voting_rounds r
      join voting_candidates c on c.id = r.winner_candidate_id where r.number = 6`);
    expect(last?.winner_votes).toBe(last?.total_votes);
    expect(last?.winner_votes).toBeGreaterThan(287);
  });

  it('gives each winner exactly its votes; those of rounds 1 to 5 were cast within the round', async () => {
    const decided = await rows<{
      number: number;
      token_name: string;
      winner_votes: number;
      n: number;
      outside: number;
    }>(`
      select r.number, c.token_name, r.winner_votes, count(v.id)::int as n,
        count(v.id) filter (where v.created_at not between r.opens_at and r.closed_at)::int as outside
      from voting_rounds r join voting_candidates c on c.id = r.winner_candidate_id
      left join votes v on v.candidate_id = c.id where r.status = 'closed'
      group by r.number, c.token_name, r.winner_votes order by r.number`);
    expect(decided).toHaveLength(6);
    for (const { number, winner_votes, n, outside } of decided) {
      expect(n, `round ${number}`).toBe(winner_votes);
      if (number < 6) expect(outside, `round ${number}`).toBe(0);
    }
  });

  it('has confirmed all members but the four newest', async () => {
    const list = await database.db.select().from(users);
    const waiting = list.filter(({ confirmedAt }) => confirmedAt === null);
    expect(waiting).toHaveLength(4);
    const newest = Math.max(...list.filter(({ confirmedAt }) => confirmedAt).map(({ createdAt }) => +createdAt));
    for (const { createdAt } of waiting) expect(+createdAt).toBeGreaterThan(newest);
    for (const { confirmedAt, createdAt } of list) if (confirmedAt) expect(+confirmedAt).toBeGreaterThan(+createdAt);
  });

  it('describes no feature that does not exist, does not contradict its own data, and contains no links', async () => {
    const [{ text } = { text: '' }] = await rows<{ text: string }>(`
      select string_agg(content, ' ') as text from (
        select content from news union all select content from forum_posts union all select content from forum_comments) t`);
    expect(text).not.toMatch(/https?:/);
    // Checks, promises and rules that do not exist here.
    expect(text).not.toMatch(
      /verificado|lecturas independientes|Nadie del equipo vota|Siempre explicamos|canales oficiales/i,
    );
    // No forum post contradicts the forum links of the tokens.
    const [{ tokens } = { tokens: '' }] = await rows<{ tokens: string }>(`
      select string_agg(description_full, ' ') as tokens from projects`);
    expect(tokens).not.toMatch(/en el foro|el foro tiene|in the forum/i);
    // The news about a round agrees with its votes.
    expect(text).toContain('*tres candidatos* la cerraron con más de cuatrocientos votos');
    const ahead = await rows(`
      select v.candidate_id from votes v, voting_rounds r
      where r.number = 6 and v.created_at <= r.closed_at group by 1 having count(*) > 400`);
    expect(ahead).toHaveLength(3);
    // A candidate climbs in the open round according to its votes, and has more than another where a post claims so.
    const [{ lines } = { lines: '' }] = await rows<{ lines: string }>(
      `select string_agg(description || ' ' || description_full, ' ') as lines from voting_candidates`,
    );
    expect(lines).not.toMatch(/\bsubió \w+ puestos|a las \w+ de la mañana/i);
    const [places] = await rows<{ then: number; now: number }>(`
      select (array_position(array_agg(token_symbol order by before desc), 'CONDOR'))::int as then,
        (array_position(array_agg(token_symbol order by total_votes desc), 'CONDOR'))::int as now
      from (select c.token_symbol, c.total_votes, (select count(*) from votes v, voting_rounds r
        where v.candidate_id = c.id and r.number = 7 and v.created_at < r.opens_at) as before
        from voting_candidates c where c.is_active) t`);
    expect(places?.now).toBeLessThan(places?.then ?? 0);
    const [yesterday] = await rows<{ condor: number; tarot: number }>(`
      select sum(d.votes) filter (where c.token_symbol = 'CONDOR')::int as condor,
        sum(d.votes) filter (where c.token_symbol = 'TAROT')::int as tarot
      from candidate_daily_votes d join voting_candidates c on c.id = d.candidate_id
      where d.day = (now() at time zone 'UTC')::date - 1`);
    expect(yesterday?.condor).toBeGreaterThan(yesterday?.tarot ?? 0);
    // There are no moderators at the start.
    expect(text).not.toMatch(/moderator|moderador/i);
  });

  it('has news, posts, comments and reactions, with no comment before its post or in the future', async () => {
    expect(await database.db.$count(news)).toBe(6);
    expect(await database.db.$count(forumPosts)).toBe(12);
    expect(await database.db.$count(forumComments)).toBeGreaterThanOrEqual(30);
    expect(await database.db.$count(postReactions)).toBeGreaterThan(100);
    const backwards = await rows(`
      select 1 from forum_comments c join forum_posts p on p.id = c.post_id where c.created_at < p.created_at`);
    expect(backwards).toEqual([]);
    expect(await rows('select 1 from forum_comments where created_at > now()')).toEqual([]);
  });

  it('creates members that nobody can sign in as', async () => {
    const list = await database.db.select().from(users);
    expect(list).toHaveLength(90);
    for (const { email } of list) expect(email).toMatch(/@demo\.florka\.example$/);
    expect(await rows('select 1 from accounts union all select 1 from sessions')).toEqual([]);
    const profiles = await database.db.select().from(forumUsers).where(isNotNull(forumUsers.newAuthUserId));
    expect(profiles.map((profile) => profile.username).sort()).toEqual(list.map((user) => user.name).sort());
    expect(await database.db.$count(userConnections)).toBe(0);
    expect(await database.db.$count(settings)).toBe(0);
  });

  it('adds one entry of its own to the audit log, as part of the hash chain', async () => {
    const events = await database.db.select().from(auditEvents).orderBy(auditEvents.id);
    const own = events.filter((event) => event.action === 'demo.seeded');
    expect(own).toHaveLength(1);
    expect(own[0]).toMatchObject({ id: events.length, resourceType: 'system', actorRole: 'system' });
    expect(own[0]?.hash).toHaveLength(32);
  });

  it('is refused by a database with content, which stays unchanged', async () => {
    const before = await database.db.$count(votes);
    await expect(seedDemo(database.db, now)).rejects.toThrow();
    expect(await database.db.$count(votes)).toBe(before);
  });

  it('has the same ids every time, and has votes of today even one second after midnight', async () => {
    const other = await createTestDatabase();
    try {
      const midnight = new Date('2026-03-08T00:00:01Z');
      await seedDemo(openDb(other.pool), midnight);
      const ids = 'select id from projects order by order_index, token_slug';
      expect((await other.pool.query(ids)).rows).toEqual(await rows(ids));
      const today = await other.pool.query(`select count(*)::int as n from votes where voted_on = '2026-03-08'`);
      expect(today.rows[0].n).toBeGreaterThan(0);
    } finally {
      await other.drop();
    }
  });

  it('has slugs without accents and punctuation', () => {
    expect(slugOf('¡Ñandú Veloz!')).toBe('nandu-veloz');
  });
});

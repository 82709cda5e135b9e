import { describe, expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp();
const visitor = app.as();
const DAY = 86_400_000;
const ago = (days: number) => new Date(app.now.getTime() - days * DAY);
type Input = Parameters<typeof visitor.tokens.explore>[0];
const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => 'ok',
    (error: { code?: string }) => error.code ?? String(error),
  );

/** All ids of a list, page by page. */
async function walk(input: Input, limit = 2): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: { items: { id: string }[]; nextCursor: string | null } = await visitor.tokens.explore({
      ...input,
      limit,
      cursor,
    });
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor);
  return ids;
}
/** The same, limited to a few records, in the order of the list. */
const among = async (records: { id: string }[], input: Input) => {
  const mine = new Set(records.map(({ id }) => id));
  return (await walk(input)).filter((id) => mine.has(id));
};
const idsOf = (...records: { id: string }[]) => records.map(({ id }) => id);

describe('a list of tokens', () => {
  it('of projects is filtered by network, contract and age, and sorted by age or place', async () => {
    const old = await app.project({ created_at: ago(90), network: 'solana', contract_address: 'A1', order_index: 10 });
    const mid = await app.project({ created_at: ago(40), network: 'polygon', contract_address: '', order_index: 12 });
    const twin = await app.project({ created_at: ago(40), network: 'solana', order_index: 11 });
    const fresh = await app.project({
      created_at: ago(1),
      network: 'polygon',
      contract_address: '0x1',
      order_index: 11,
    });
    const hidden = await app.project({ status: 'pending', network: 'solana' });
    const all = [old, mid, twin, fresh, hidden];
    const [one, two] = [mid.id, twin.id].sort();
    expect(await among(all, {})).toEqual([fresh.id, one, two, old.id]);
    expect(await among(all, { order: 'place' })).toEqual(idsOf(old, fresh, twin, mid));
    expect(await among(all, { network: 'polygon' })).toEqual(idsOf(fresh, mid));
    expect(await among(all, { network: 'polygon', order: 'place', contract: 'yes' })).toEqual(idsOf(fresh));
    expect(await among(all, { contract: 'yes' })).toEqual(idsOf(fresh, old));
    expect(await among(all, { since: 'month' })).toEqual(idsOf(fresh));
    expect(await among(all, { since: 'month', network: 'ethereum' })).toEqual([]);
  });

  it('is filtered by the network of the token page, also when only the address implies it', async () => {
    const contract_address = 'CstxkjaHCPxvqtwUnT5UkzMXkKaHh7br1Dm4CXHsxEc';
    const records = {
      project: await app.project({ network: null, contract_address: null, token_address: contract_address }),
      candidate: await app.candidate({ network: null, contract_address }),
      next: await app.nextProject({ network: null, contract_address }),
    };
    for (const kind of ['project', 'candidate', 'next'] as const) {
      const one = records[kind];
      expect((await visitor.tokens.find({ slug: one.id })).network, kind).toBe('solana');
      expect(await among([one], { kind, order: 'new', network: 'solana' }), kind).toEqual([one.id]);
      expect(await among([one], { kind, order: 'new', network: 'polygon' }), kind).toEqual([]);
      const { items } = await visitor.tokens.explore({ kind, order: 'new', network: 'solana', limit: 50 });
      expect(items.find(({ id }) => id === one.id)?.network, kind).toBe('solana');
    }
  });

  it('of candidates is sorted by the ranking, by the votes of today, or by age', async () => {
    const at = (minutes: number) => new Date(app.now.getTime() - minutes * 60_000);
    const of = (votes: number, reached: Date | null, days: number, network = 'solana') =>
      app.candidate({ total_votes: votes, total_reached_at: reached, created_at: ago(days), network });
    const [late, early, never] = [await of(7, at(1), 3), await of(7, at(9), 2), await of(7, null, 1)];
    const [leader, none] = [await of(90, at(3), 60, 'bnb'), await of(0, null, 50)];
    const gone = await app.candidate({ is_active: false, total_votes: 500 });
    const all = [late, early, never, leader, none, gone];
    const ranking = (await visitor.voting.ranking({ limit: 50 })).items.map(({ id }) => id);
    const mine = new Set(all.map(({ id }) => id));
    expect(await walk({ kind: 'candidate' })).toEqual(ranking);
    expect(ranking.filter((id) => mine.has(id))).toEqual(idsOf(leader, never, early, late, none));
    expect(await among(all, { kind: 'candidate', network: 'bnb' })).toEqual(idsOf(leader));
    expect(await among(all, { kind: 'candidate', order: 'new' })).toEqual(idsOf(never, early, late, none, leader));

    const today = app.now.toISOString().slice(0, 10);
    for (const [{ id }, votes] of [
      [late, 2],
      [early, 5],
      [leader, 2],
      [gone, 9],
    ] as const)
      await app.sql('insert into candidate_daily_votes (candidate_id, day, votes) values ($1, $2, $3)', [
        id,
        today,
        votes,
      ]);
    await app.sql('insert into candidate_daily_votes (candidate_id, day, votes) values ($1, $2, $3)', [
      never.id,
      ago(1),
      50,
    ]);
    expect(await among(all, { kind: 'candidate', order: 'today' })).toEqual(idsOf(early, leader, late));
    const [first] = (await visitor.tokens.explore({ kind: 'candidate', order: 'today', limit: 1 })).items;
    expect(first).toMatchObject({ votesToday: 5, totalVotes: 7, startsAt: null });
  });

  it('of launches has the upcoming ones first, and is filtered by week and status', async () => {
    const within = (days: number) => new Date(app.now.getTime() + days * DAY);
    const soon = await app.nextProject({ launch_date: within(30), countdown_end: within(2) });
    const later = await app.nextProject({ launch_date: within(20), countdown_end: null });
    const past = await app.nextProject({ launch_date: within(-3), countdown_end: null, status: 'launched' });
    const open = await app.nextProject({ launch_date: null, countdown_end: null });
    const hidden = await app.nextProject({ launch_date: within(1), is_active: false });
    const all = [soon, later, past, open, hidden];
    expect(await among(all, { kind: 'next' })).toEqual(idsOf(soon, later));
    expect(await among(all, { kind: 'next', launch: 'week' })).toEqual(idsOf(soon));
    expect(await among(all, { kind: 'next', launch: 'week', order: 'new' })).toEqual(idsOf(soon));
    expect((await among(all, { kind: 'next', order: 'new' })).sort()).toEqual(idsOf(soon, later, past, open).sort());
    expect(await among(all, { kind: 'next', order: 'new', status: 'launched' })).toEqual(idsOf(past));
    const earlier = await app.nextProject({ launch_date: within(-9), status: 'launched' });
    const undated = await app.nextProject({ launch_date: null, countdown_end: null, status: 'launched' });
    const launched = [...all, earlier, undated];
    expect(await among(launched, { kind: 'next', status: 'launched' })).toEqual(idsOf(past, earlier, undated));
    expect(await among(launched, { kind: 'next', status: 'launched', network: 'bnb' })).toEqual([]);
    const [card] = (await visitor.tokens.explore({ kind: 'next', order: 'new', status: 'launched', limit: 1 })).items;
    expect(card).toMatchObject({ kind: 'next', launched: true, tokenSlug: null, totalVotes: null });
  });

  it('refuses orders and filters of another list, and cursors that are not ours', async () => {
    expect(await outcome(visitor.tokens.explore({ kind: 'project', order: 'today' }))).toBe('BAD_REQUEST');
    expect(await outcome(visitor.tokens.explore({ kind: 'candidate', launch: 'week' }))).toBe('BAD_REQUEST');
    const written = (place: unknown) => Buffer.from(JSON.stringify(place)).toString('base64url');
    const id = '00000000-0000-4000-8000-000000000000';
    for (const cursor of ['%', written([1]), written(['2026-02-31 00:00:00+00', id]), written(["2026-01-01'; --", id])])
      expect(await outcome(visitor.tokens.explore({ cursor }))).toBe('BAD_REQUEST');
    // A cursor of another order.
    expect(await outcome(visitor.tokens.explore({ order: 'place', cursor: written(['infinity', id]) }))).toBe(
      'BAD_REQUEST',
    );
  });
});

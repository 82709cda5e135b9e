import { describe, expect, it } from 'vitest';
import type { SavedRef } from '#contract/domains/saved.ts';
import { LIMITS, SAVED_MAX } from '#contract/limits.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp();
const UNKNOWN_ID = '11111111-1111-4111-8111-111111111111';

const refs = {
  project: async (over = {}): Promise<SavedRef> => ({ kind: 'project', id: (await app.project(over)).id }),
  candidate: async (over = {}): Promise<SavedRef> => ({ kind: 'candidate', id: (await app.candidate(over)).id }),
  next: async (over = {}): Promise<SavedRef> => ({ kind: 'next', id: (await app.nextProject(over)).id }),
};

/** Fills the list of a member up to `count` tokens. */
async function fill(userId: string, count: number): Promise<SavedRef[]> {
  const rows = await app.sql<{ id: string }>(
    `with made as (
       insert into projects (token_name, token_symbol, token_slug, token_address, status)
       select 'F', 'F', 'fill-' || md5($1 || n), 'fill-address-' || md5($1 || n), 'approved' from generate_series(1, $2::int) n
       returning id)
     insert into saved_tokens (user_id, project_id) select $1::uuid, id from made returning project_id as id`,
    [userId, count],
  );
  return rows.map(({ id }) => ({ kind: 'project', id }));
}

describe('saving a token', () => {
  it('stores tokens of each kind, newest first, and removes them again [CAND-29] [AMB-72]', async () => {
    const ana = app.as(await app.member());
    const list = [await refs.project(), await refs.candidate(), await refs.next()];
    for (const ref of list) expect(await ana.saved.set({ ...ref, saved: true })).toEqual({ saved: true });
    expect(await ana.saved.list()).toEqual(list.toReversed());
    await ana.saved.set({ ...(list[1] as SavedRef), saved: false });
    expect(await ana.saved.list()).toEqual([list[2], list[0]]);
  });

  it('is idempotent', async () => {
    const ana = app.as(await app.member());
    const ref = await refs.candidate();
    for (const saved of [true, true]) expect(await ana.saved.set({ ...ref, saved })).toEqual({ saved });
    expect(await ana.saved.list()).toEqual([ref]);
    for (const saved of [false, false]) expect(await ana.saved.set({ ...ref, saved })).toEqual({ saved });
    expect(await ana.saved.list()).toEqual([]);
  });

  it('saves once for ten concurrent requests', async () => {
    const ana = app.as(await app.member());
    const ref = await refs.project();
    await Promise.all(Array.from({ length: 10 }, () => ana.saved.set({ ...ref, saved: true })));
    expect(await ana.saved.list()).toEqual([ref]);
  });

  it('refuses a token that is not public or is of another kind', async () => {
    const ana = app.as(await app.member());
    const candidate = await refs.candidate();
    for (const ref of [
      await refs.project({ status: 'pending' }),
      await refs.candidate({ is_active: false }),
      await refs.next({ status: 'pending' }),
      { kind: 'project' as const, id: candidate.id },
      { kind: 'candidate' as const, id: UNKNOWN_ID },
    ])
      await expect(ana.saved.set({ ...ref, saved: true })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await ana.saved.list()).toEqual([]);
  });

  it('is private: nobody reads or changes the list of another member', async () => {
    const [ana, ben] = [app.as(await app.member()), app.as(await app.member())];
    const ref = await refs.candidate();
    await ana.saved.set({ ...ref, saved: true });
    expect(await ben.saved.list()).toEqual([]);
    await ben.saved.set({ ...ref, saved: false });
    expect(await ana.saved.list()).toEqual([ref]);
    const foreign = { ...ref, saved: true, userId: UNKNOWN_ID } as never;
    await expect(ana.saved.set(foreign)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('needs a session', async () => {
    const visitor = app.as();
    const ref = await refs.candidate();
    const refused = { code: 'UNAUTHORIZED', status: 401 };
    await expect(visitor.saved.list()).rejects.toMatchObject(refused);
    await expect(visitor.saved.merge({ refs: [ref] })).rejects.toMatchObject(refused);
    await expect(visitor.saved.set({ ...ref, saved: true })).rejects.toMatchObject(refused);
  });

  it('has a maximum of 500, also for concurrent requests; a token of the list can be saved again', async () => {
    const person = await app.member();
    const ana = app.as(person);
    const [held] = await fill(person.id, SAVED_MAX - 1);
    const [one, two] = [await refs.candidate(), await refs.candidate()];
    const results = await Promise.allSettled([one, two].map((ref) => ana.saved.set({ ...ref, saved: true })));
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results.find((result) => result.status === 'rejected')?.reason).toMatchObject({
      code: 'TOO_MANY_SAVED',
      status: 409,
    });
    expect(await ana.saved.list()).toHaveLength(SAVED_MAX);
    expect(await ana.saved.set({ ...(held as SavedRef), saved: true })).toEqual({ saved: true });
  });

  it('has a rate limit of 60 a minute', async () => {
    const ana = app.as(await app.member());
    const ref = await refs.candidate();
    for (let i = 0; i < LIMITS.saveAccountMinute.hits; i++) await ana.saved.set({ ...ref, saved: i % 2 === 0 });
    await expect(ana.saved.set({ ...ref, saved: true })).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('ends when the token is deleted', async () => {
    const ana = app.as(await app.member());
    const ref = await refs.candidate();
    await ana.saved.set({ ...ref, saved: true });
    await app.sql('delete from voting_candidates where id = $1', [ref.id]);
    expect(await ana.saved.list()).toEqual([]);
  });
});

describe('merging what was saved while signed out', () => {
  it('adds new tokens in their order, drops those that do not exist, repeats none [AMB-72]', async () => {
    const ana = app.as(await app.member());
    const [old, one, two, three] = [
      await refs.project(),
      await refs.candidate(),
      await refs.next(),
      await refs.project(),
    ];
    await ana.saved.set({ ...old, saved: true });
    const gone: SavedRef = { kind: 'next', id: UNKNOWN_ID };
    const merged = await ana.saved.merge({ refs: [one, two, old, gone, three, one] });
    expect(merged).toEqual([one, two, three, old]);
    expect(await ana.saved.merge({ refs: [one, two] })).toEqual(merged);
    expect(await ana.saved.merge({ refs: [] })).toEqual(merged);
  });

  it('is refused entirely when the list would exceed its maximum', async () => {
    const person = await app.member();
    const ana = app.as(person);
    const held = await fill(person.id, SAVED_MAX - 1);
    const [one, two] = [await refs.candidate(), await refs.candidate()];
    await expect(ana.saved.merge({ refs: [one, two] })).rejects.toMatchObject({ code: 'TOO_MANY_SAVED' });
    expect(await ana.saved.list()).toHaveLength(SAVED_MAX - 1);
    // Tokens that are in the list already, and duplicates, do not count.
    expect(await ana.saved.merge({ refs: [one, one, ...held.slice(0, 20)] })).toHaveLength(SAVED_MAX);
  });

  it('has a rate limit of 10 a minute', async () => {
    const ana = app.as(await app.member());
    for (let n = 0; n < 10; n++) await ana.saved.merge({ refs: [] });
    await expect(ana.saved.merge({ refs: [] })).rejects.toMatchObject({ code: 'RATE_LIMITED', status: 429 });
    app.pass(60_000);
    await ana.saved.merge({ refs: [] });
  });

  it('accepts 500 references at most', async () => {
    const ana = app.as(await app.member());
    const many = Array.from({ length: SAVED_MAX + 1 }, () => ({ kind: 'project' as const, id: UNKNOWN_ID }));
    await expect(ana.saved.merge({ refs: many })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(app.as().saved.resolve({ refs: many })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('resolving references', () => {
  it('returns public tokens only, in the order requested, without a session', async () => {
    const [project, hidden, candidate, next] = [
      await refs.project({ token_name: 'A', token_slug: 'a-saved', admin_notes: 'SECRET' }),
      await refs.candidate({ is_active: false }),
      await refs.candidate({ token_name: 'B', token_slug: 'b-saved' }),
      await refs.next({ token_name: 'C' }),
    ];
    const found = await app.as().saved.resolve({ refs: [next, hidden, candidate, project] });
    expect(found.map(({ kind, tokenName, tokenSlug }) => [kind, tokenName, tokenSlug])).toEqual([
      ['next', 'C', null],
      ['candidate', 'B', 'b-saved'],
      ['project', 'A', 'a-saved'],
    ]);
    expect(JSON.stringify(found)).not.toContain('SECRET');
    expect(await app.as().saved.resolve({ refs: [] })).toEqual([]);
  });
});

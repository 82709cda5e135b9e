import { beforeEach, expect, it } from 'vitest';
import { type SearchKind, searchKind } from '#contract/domains/search.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp();
// Tests search more often than the rate limit of a visitor permits.
beforeEach(() => app.pass(60_000));

const page = (q: string, kind: SearchKind, cursor?: string, limit = 3) => {
  app.pass(1_000);
  return app.as(null).search.find({ q, kind, limit, purpose: 'typing', ...(cursor ? { cursor } : {}) });
};
/** All results of a kind, page by page. */
async function all(q: string, kind: SearchKind, limit = 3): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const { [kind]: group, nextCursor } = await page(q, kind, cursor, limit);
    found.push(...group.items.map((one) => ('username' in one ? one.username : one.tokenName)));
    expect(group.more).toBe(nextCursor !== null);
    if (!nextCursor) return found;
    cursor = nextCursor;
  }
}

it('each kind is returned in pages: all of it, once, in the order of the search', async () => {
  const made: Record<Exclude<SearchKind, 'people'>, (name: string) => Promise<unknown>> = {
    tokens: (name) => app.project({ token_name: name }),
    candidates: (name) => app.candidate({ token_name: name }),
    launches: (name) => app.nextProject({ token_name: name }),
  };
  const names = ['Vainilla', ...Array.from({ length: 7 }, (_, n) => `Vainilla ${n}`), 'La vainilla'];
  for (const kind of ['tokens', 'candidates', 'launches'] as const) {
    for (const name of names.toReversed()) await made[kind](name);
    const found = await all('vainilla', kind);
    expect(found.toSorted(), kind).toEqual(names.toSorted());
    expect([found[0], found.at(-1)], kind).toEqual(['Vainilla', 'La vainilla']);
    const first = await page('vainilla', kind);
    for (const other of searchKind.options)
      if (other !== kind) expect(first[other]).toEqual({ items: [], more: false });
    expect(first.posts.items).toEqual([]);
  }
});

it('people are returned in pages, an exact name first', async () => {
  const names = ['Canela_1', 'Canela_2', 'Canela_3', 'Canela_4', 'zz_canela', 'Canela'];
  const members = await app.members(names.length, { verified: true });
  for (const [n, one] of members.entries()) {
    await app.sql('update forum_users set username = $2 where id = $1', [one.id, names[n]]);
    app.pass(120_000);
    await app.as(one).forum.create({ title: `Nota ${n}`, content: 'Algo' });
  }
  const found = await all('canela', 'people', 2);
  expect(found[0]).toBe('Canela');
  expect(found.toSorted()).toEqual(names.toSorted());
});

it('a group with more results than a search evaluates says so on its last page', async () => {
  await app.sql(
    `insert into projects (token_name, token_symbol, token_slug, token_address, status)
     select 'Regaliz ' || n, 'REG', 'regaliz-' || n, 'address-' || md5(n::text), 'approved' from generate_series(1, 130) n`,
  );
  let cursor: string | undefined;
  let seen = 0;
  let last = await page('regaliz', 'tokens', cursor, 20);
  for (; ; last = await page('regaliz', 'tokens', cursor, 20)) {
    seen += last.tokens.items.length;
    if (!last.nextCursor) break;
    cursor = last.nextCursor;
  }
  expect(seen).toBe(100);
  expect(last.tokens.more).toBe(true);
});

it.each(['x', 'AA', Buffer.from('a\0b').toString('base64url'), Buffer.from("' or 1=1 --").toString('base64url')])(
  'the invalid cursor %j causes no error',
  async (cursor) => {
    for (const kind of searchKind.options)
      expect((await page('vainilla', kind, cursor))[kind].items.length).toBeLessThan(4);
    await expect(page('vainilla', 'tokens', 'x'.repeat(401))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  },
);

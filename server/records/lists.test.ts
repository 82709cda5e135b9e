import { beforeAll, expect, it } from 'vitest';
import { MANY_FOUND } from '#contract/limits.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp();
const admin = await app.member({ role: 'admin' });
const back = app.as(admin).admin;
// More than two steps of an export.
const MANY = 2 * MANY_FOUND + 150;

beforeAll(async () => {
  await app.sql(
    `insert into blockchain_networks (key, name, symbol, created_at, deleted_at)
     select 'masiva-' || n, 'Masiva ' || lpad(n::text, 4, '0') || case when n in (7, 700) then ' Única Xz' else '' end, 'M' || n,
       '2026-01-02'::timestamptz + n * interval '1 minute', case when n % 2 = 1 then now() end
     from generate_series(1, $1) n`,
    [2 * MANY],
  );
});

const names = async (q: string, over = {}) =>
  (await back.networks.list({ q, sort: 'name', ...over })).rows.map((row) => row.name);

it('a search with many matches has correct pages, a limited count, and a complete export', async () => {
  const first = await back.networks.list({ q: 'MASIVA', sort: 'name' });
  expect(first.total).toBe(MANY_FOUND + 1);
  expect(first.rows.map((row) => row.name).slice(0, 3)).toEqual(['Masiva 0002', 'Masiva 0004', 'Masiva 0006']);
  expect((await names('masiva', { page: 3, sort: '-name' }))[0]).toBe(`Masiva ${2 * MANY - 100}`);
  // Without search terms everything is counted.
  expect((await back.networks.list({})).total).toBe(MANY + 4);
  const csv = await app.http('/api/admin/networks.csv?q=masiva', { headers: { cookie: admin.cookie } });
  expect((await csv.text()).match(/\r\n\w/g)).toHaveLength(MANY);
});

it('a selection is exported alone, in the order of the list, also across pages', async () => {
  const file = (ids: readonly unknown[]) =>
    app.http(`/api/admin/networks.csv?q=masiva&sort=name&only=${ids.join(',')}`, { headers: { cookie: admin.cookie } });
  const [first, last] = [
    (await back.networks.list({ q: 'masiva', sort: 'name' })).rows[3],
    (await back.networks.list({ q: 'masiva', sort: '-name' })).rows[0],
  ];
  const lines = (await (await file([last?.id, first?.id])).text()).trim().split('\r\n');
  expect(lines.map((line) => line.split(',')[2])).toEqual(['name', first?.name, last?.name]);
  expect((await back.audit.list({ action: 'list.exported' })).rows[0]).toMatchObject({
    after: { q: 'masiva', sort: 'name', only: `${last?.id},${first?.id}` },
  });
  // Rows that left the list are not in the file; a selection is at most a page.
  expect((await (await file([admin.id])).text()).trim().split('\r\n')).toHaveLength(1);
  expect((await file(['', ''])).status).toBe(400);
  expect((await file(Array.from({ length: 26 }, (_, n) => n))).status).toBe(400);
});

it('rare terms are counted exactly, in any order, live and in the trash', async () => {
  expect(await back.networks.list({ q: 'unica' })).toMatchObject({
    total: 1,
    rows: [{ name: 'Masiva 0700 Única Xz' }],
  });
  expect(await names('unica', { shelf: 'trash' })).toEqual(['Masiva 0007 Única Xz']);
  expect(await back.networks.list({ q: 'nadie' })).toEqual({ rows: [], total: 0 });
});

it('one or two letters are found where a word begins, and pattern characters are literal', async () => {
  for (const q of ['xz', 'x', 'U']) expect(await names(q), q).toEqual(['Masiva 0700 Única Xz']);
  for (const q of ['as', 'v', 'z']) expect(await names(q), q).toEqual([]);
  expect((await back.networks.list({ q: 'm' })).total).toBe(MANY_FOUND + 1);
  for (const q of ['%', '_', '\\', '%%', '_a', "'"]) expect(await names(q)).toEqual([]);
});

it('a word begins after punctuation as well as after a space', async () => {
  const characters = [...' ./@_:;,()#$+&!?-'];
  await app.sql(
    `insert into blockchain_networks (key, name, symbol) select 'signo-' || n, 'Signo' || character || 'Ñu', 'S' || n
     from unnest($1::text[]) with ordinality as given (character, n)`,
    [characters],
  );
  expect((await names('ñu')).toSorted()).toEqual(characters.map((character) => `Signo${character}Ñu`).toSorted());
  expect((await back.networks.list({ q: 'ñ' })).total).toBe(characters.length);
  expect(await names('ig')).toEqual([]);
});

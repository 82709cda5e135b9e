import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { countersStayExact } from '#tests/support/database/counters.ts';

const app = await startTestApp();
countersStayExact(app);
const admin = await app.member({ role: 'admin' });
const back = app.as(admin).admin;
let serial = 0;
const name = () => `Bulk ${++serial}`;
/** Name and symbol of a token that resembles no other one here, so that restoring it needs no confirmation. */
const unlike = () => {
  const word = createHash('md5').update(name()).digest('hex');
  return { tokenName: word.slice(0, 12), tokenSymbol: word.slice(12, 20).toUpperCase() };
};
const MAKE = {
  project: () =>
    back.projects.create({
      ...unlike(),
      tokenAddress: createHash('sha256').update(`address ${serial}`).digest('hex'),
    }),
  candidate: () => back.candidates.create(unlike()),
  next_project: () => back.nextProjects.create(unlike()),
  news: () => back.news.create({ title: name(), content: 'x' }),
} as const;
const LISTS = {
  project: () => back.projects.list({ shelf: 'trash' }),
  candidate: () => back.candidates.list({ shelf: 'trash' }),
  next_project: () => back.nextProjects.list({ shelf: 'trash' }),
  news: () => back.news.list({ shelf: 'trash' }),
} as const;
const RESTORE = {
  project: back.projects.restore,
  candidate: back.candidates.restore,
  next_project: back.nextProjects.restore,
  news: back.news.restore,
} as const;
const seen = ({ id, version }: { id: string; version: number }) => ({ id, version });
const actionsOf = async (id: string) =>
  (await app.sql<{ action: string }>('select action from audit_events where resource_id = $1 order by id', [id])).map(
    ({ action }) => action,
  );

it.each(['project', 'candidate', 'next_project', 'news'] as const)(
  'several records of kind %s are trashed and restored, each with an audit entry; one changed since is refused',
  async (kind) => {
    const [one, two, changed] = [await MAKE[kind](), await MAKE[kind](), await MAKE[kind]()];
    const stale = { id: changed.id, version: changed.version + 1 };
    const { results } = await back.records.remove({ kind, records: [seen(one), stale, seen(two), seen(one)] });
    expect(results).toEqual([
      { id: one.id, outcome: 'done', code: null },
      { id: changed.id, outcome: 'refused', code: 'VERSION_CONFLICT', by: admin.username },
      { id: two.id, outcome: 'done', code: null },
    ]);
    const inTrash = (await LISTS[kind]()).rows.map(({ id }) => id);
    expect(inTrash.sort()).toEqual([one.id, two.id].sort());
    expect(await actionsOf(one.id)).toEqual([`${kind}.created`, `${kind}.deleted`]);
    expect(await actionsOf(changed.id)).toEqual([`${kind}.created`]);

    const nobody = '11111111-1111-4111-8111-111111111111';
    expect((await back.records.restore({ kind, ids: [one.id, nobody, two.id] })).results).toEqual([
      { id: one.id, outcome: 'done', code: null },
      { id: nobody, outcome: 'refused', code: 'NOT_FOUND' },
      { id: two.id, outcome: 'done', code: null },
    ]);
    expect((await LISTS[kind]()).rows).toEqual([]);
    expect(await actionsOf(one.id)).toEqual([`${kind}.created`, `${kind}.deleted`, `${kind}.restored`]);
  },
);

it.each(['project', 'candidate', 'next_project', 'news'] as const)(
  'undoing a deletion of kind %s refuses what a colleague restored or deleted since, and names the colleague',
  async (kind) => {
    const colleague = await app.member({ role: 'admin' });
    const theirs = app.as(colleague).admin;
    const made = [await MAKE[kind](), await MAKE[kind](), await MAKE[kind]()];
    const [own, restored, again] = made.map(({ id }) => id) as [string, string, string];
    await back.records.remove({ kind, records: made.map(seen) });
    await theirs.records.restore({ kind, ids: [restored, again] });
    await theirs.records.remove({ kind, records: [{ id: again, version: 3 }] });
    const kept = { outcome: 'refused', code: 'VERSION_CONFLICT', by: colleague.username };
    // A list of the trash that was loaded before still offers it, and the record exists: a conflict, not NOT_FOUND.
    expect((await back.records.restore({ kind, ids: [restored] })).results).toEqual([{ id: restored, ...kept }]);
    expect((await back.records.restore({ kind, ids: [own, restored, again], undo: true })).results).toEqual([
      { id: own, outcome: 'done', code: null },
      { id: restored, ...kept },
      { id: again, ...kept },
    ]);
    expect((await LISTS[kind]()).rows.map(({ id }) => id)).toEqual([again]);
    const refused = { code: 'VERSION_CONFLICT', data: { by: colleague.username } };
    for (const id of [restored, again]) await expect(RESTORE[kind]({ id, undo: true })).rejects.toMatchObject(refused);
    expect((await LISTS[kind]()).rows.map(({ id }) => id)).toEqual([again]);
    await RESTORE[kind]({ id: again });
    const mine = await back.records.remove({ kind, records: [{ id: again, version: 5 }] });
    expect(mine.results).toEqual([{ id: again, outcome: 'done', code: null }]);
    expect(await RESTORE[kind]({ id: again, undo: true })).toMatchObject({ id: again, deletedAt: null });
  },
);

it('restoring several records refuses only the one that violates a unique constraint by now', async () => {
  const one = await MAKE.project();
  const two = await MAKE.project();
  await back.records.remove({ kind: 'project', records: [seen(one), seen(two)] });
  const [row] = await app.sql<{ token_address: string }>('select token_address from projects where id = $1', [one.id]);
  await back.projects.create({
    ...unlike(),
    tokenAddress: row?.token_address ?? '',
    resemblanceAccepted: true,
  });
  expect((await back.records.restore({ kind: 'project', ids: [one.id, two.id] })).results).toEqual([
    { id: one.id, outcome: 'refused', code: 'DUPLICATE' },
    { id: two.id, outcome: 'done', code: null },
  ]);
});

it('several networks are switched, each with an audit entry; one already off is unchanged, one changed since refused', async () => {
  const make = (isActive: boolean) =>
    back.networks.create({ name: name(), symbol: `BULK${serial}`, isActive, manualDays: null });
  const [on, off, changed] = [await make(true), await make(false), await make(true)];
  await back.networks.update({ ...seen(changed), name: name(), symbol: changed.symbol, isActive: true });
  const { results } = await back.networks.switchMany({ records: [on, off, changed].map(seen), isActive: false });
  expect(results).toEqual([
    { id: on.id, outcome: 'done', code: null },
    { id: off.id, outcome: 'unchanged', code: null },
    { id: changed.id, outcome: 'refused', code: 'VERSION_CONFLICT', by: admin.username },
  ]);
  const names = (await app.as().networks.list()).map(({ id }) => id);
  expect([on, off, changed].map(({ id }) => names.includes(id))).toEqual([false, false, true]);
  expect(await actionsOf(on.id)).toEqual(['network.created', 'network.updated']);
  expect(await actionsOf(off.id)).toEqual(['network.created']);
  // Only the switch was changed, and its undo restores it.
  const undone = await back.networks.switchMany({ records: [{ id: on.id, version: on.version + 1 }], isActive: true });
  expect(undone.results[0]).toMatchObject({ outcome: 'done' });
  const [row] = (await back.networks.list({ q: on.name })).rows;
  expect(row).toMatchObject({ name: on.name, symbol: on.symbol, isActive: true, version: on.version + 2 });
});

it('several networks are trashed after a step-up, and restored; one changed since is refused', async () => {
  const make = () => back.networks.create({ name: name(), symbol: `B${serial}` });
  const [one, two, changed] = [await make(), await make(), await make()];
  const records = [seen(one), seen(two), { id: changed.id, version: changed.version + 1 }];
  await app.sql(`update sessions set proved_at = 'epoch' where user_id = $1`, [admin.id]);
  await expect(back.networks.removeMany({ records })).rejects.toMatchObject({ code: 'STEP_UP_NEEDED' });
  await app.sql('update sessions set proved_at = now() where user_id = $1', [admin.id]);
  expect((await back.networks.removeMany({ records })).results).toEqual([
    { id: one.id, outcome: 'done', code: null },
    { id: two.id, outcome: 'done', code: null },
    { id: changed.id, outcome: 'refused', code: 'VERSION_CONFLICT', by: admin.username },
  ]);
  const trash = async () => (await back.networks.list({ shelf: 'trash' })).rows.map(({ id }) => id).sort();
  expect(await trash()).toEqual([one.id, two.id].sort());
  expect((await back.networks.restoreMany({ ids: [one.id, two.id] })).results.map(({ outcome }) => outcome)).toEqual([
    'done',
    'done',
  ]);
  expect(await trash()).toEqual([]);
  expect(await actionsOf(one.id)).toEqual(['network.created', 'network.deleted', 'network.restored']);
});

import { describe, expect, it } from 'vitest';
import { api, app, codes, entries, home, make, row, theirs } from '#tests/fixtures/manage-projects.ts';

const clearPodium = () => app.sql('update projects set order_index = 999');
const podium = async () => (await app.as().projects.podium()).map(({ id, orderIndex }) => [id, orderIndex]);

describe('the Top 3', () => {
  it('takes a project at the lowest free place, and gives it 999 when it is removed [A-PROJ-62] [A-PROJ-63] [A-PROJ-71]', async () => {
    await clearPodium();
    const made = [await home(), await home(), await home(), await home()];
    const [a, b, c, d] = made.map(({ id }) => id) as [string, string, string, string];
    for (const [id, place] of [
      [a, 1],
      [b, 2],
      [c, 3],
    ] as const)
      expect(await api.setTop3({ id, on: true })).toMatchObject({ orderIndex: place, status: 'published_home' });
    // Idempotent.
    expect(await api.setTop3({ id: a, on: true })).toMatchObject({ orderIndex: 1, version: 2 });
    await expect(api.setTop3({ id: d, on: true })).rejects.toMatchObject({
      code: 'PODIUM_REFUSED',
      status: 409,
      data: { why: 'full' },
    });
    expect(await api.setTop3({ id: b, on: false })).toMatchObject({ orderIndex: 999 });
    expect(await api.setTop3({ id: b, on: false })).toMatchObject({ orderIndex: 999, version: 3 });
    expect(await api.setTop3({ id: d, on: true })).toMatchObject({ orderIndex: 2 });
    expect(await podium()).toEqual([
      [a, 1],
      [d, 2],
      [c, 3],
    ]);
    expect((await entries(b)).map(({ action }) => action)).toEqual([
      'project.created',
      'project.top3_added',
      'project.top3_removed',
    ]);
    const { rows } = await api.list({ top3: 'yes', sort: 'orderIndex' });
    expect(rows.map(({ id }) => id)).toEqual([a, d, c]);
  });

  it('refuses to undo a change after which another admin changed it', async () => {
    await clearPodium();
    const { id } = await home();
    const conflict = { code: 'VERSION_CONFLICT', status: 409 };
    const put = await api.setTop3({ id, on: true });
    // Nothing changed since: undone.
    expect(await api.setTop3({ id, on: false, undoOf: put.version })).toMatchObject({ orderIndex: 999 });
    const again = await api.setTop3({ id, on: true });
    await theirs.setTop3({ id, on: false });
    await theirs.setTop3({ id, on: true });
    await expect(api.setTop3({ id, on: false, undoOf: again.version })).rejects.toMatchObject(conflict);
    // A request that changed nothing has nothing to undo.
    const same = await api.setTop3({ id, on: true });
    await expect(api.setTop3({ id, on: false, undoOf: same.version })).rejects.toMatchObject(conflict);
    expect(await podium()).toEqual([[id, 1]]);
  });

  it.each(['pending', 'approved', 'rejected', 'published_next'] as const)(
    'refuses %s projects, by its switch and by the form [A-PROJ-60] [AMB-89] [AMB-90]',
    async (status) => {
      const made = await make({ status });
      const refused = { code: 'PODIUM_REFUSED', data: { why: 'status' } };
      await expect(api.setTop3({ id: made.id, on: true })).rejects.toMatchObject(refused);
      await expect(api.update({ id: made.id, version: 1, orderIndex: 2 })).rejects.toMatchObject(refused);
      await expect(make({ status, orderIndex: 2 })).rejects.toMatchObject(refused);
      expect(await row(made.id)).toMatchObject({ order_index: 999, version: 1 });
    },
  );

  it('has three places under concurrent switches, forms and new projects [A-PROJ-64] [AMB-90]', async () => {
    await clearPodium();
    const waiting = await Promise.all(Array.from({ length: 8 }, () => home()));
    const results = await Promise.allSettled([
      ...waiting.slice(0, 4).map(({ id }, i) => (i % 2 ? api : theirs).setTop3({ id, on: true })),
      ...waiting.slice(4).map(({ id }, i) => theirs.update({ id, version: 1, orderIndex: (i % 3) + 1 })),
      home({ orderIndex: 1 }),
      home({ orderIndex: 2 }),
    ]);
    expect(codes(results).filter((code) => code === 'ok')).toHaveLength(3);
    expect(new Set(codes(results))).toEqual(new Set(['ok', 'PODIUM_REFUSED']));
    expect((await podium()).map(([, place]) => place)).toEqual([1, 2, 3]);
  });

  it('has no place twice when admins add and remove the same projects at once', async () => {
    await clearPodium();
    const made = await Promise.all(Array.from({ length: 5 }, () => home()));
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, (_, i) =>
        (i % 2 ? api : theirs).setTop3({ id: made[i % 5]?.id ?? '', on: i % 3 !== 0 }),
      ),
    );
    expect(codes(results).filter((code) => code !== 'ok' && code !== 'PODIUM_REFUSED')).toEqual([]);
    const places = (await podium()).map(([, place]) => place);
    expect(places.length).toBeLessThanOrEqual(3);
    expect(new Set(places).size).toBe(places.length);
  });

  it('can be reordered by the form while a place is free [AMB-90]', async () => {
    await clearPodium();
    const [a, b] = [await home({ orderIndex: 1 }), await home({ orderIndex: 2 })];
    await expect(api.update({ id: a.id, version: 1, orderIndex: 2 })).rejects.toMatchObject({
      data: { why: 'taken' },
    });
    const c = await home({ orderIndex: 3 });
    await expect(api.update({ id: a.id, version: 1, orderIndex: 3 })).rejects.toMatchObject({ data: { why: 'taken' } });
    await api.setTop3({ id: c.id, on: false });
    await api.update({ id: a.id, version: 1, orderIndex: 3 });
    await api.update({ id: b.id, version: 1, orderIndex: 1 });
    expect(await podium()).toEqual([
      [b.id, 1],
      [a.id, 3],
    ]);
  });

  it('loses a project that changes its status or is deleted; a restored one has no place [AMB-91]', async () => {
    await clearPodium();
    const [a, b] = [await home({ orderIndex: 1 }), await home({ orderIndex: 2 })];
    expect(await api.update({ id: a.id, version: 1, status: 'approved' })).toMatchObject({ orderIndex: 999 });
    expect((await entries(a.id)).at(-1)).toMatchObject({
      before: { status: 'published_home', orderIndex: 1 },
      after: { status: 'approved', orderIndex: 999 },
    });
    const gone = await api.remove({ id: b.id, version: 1 });
    expect(gone.deletedAt).toBe(app.now.toISOString());
    const c = await home({ orderIndex: 2 });
    expect(await api.restore({ id: b.id, resemblanceAccepted: true })).toMatchObject({
      orderIndex: 999,
      status: 'published_home',
    });
    expect(await podium()).toEqual([[c.id, 2]]);
    // A position outside of the podium is retained.
    const d = await make({ orderIndex: 7 });
    await api.remove({ id: d.id, version: 1 });
    expect(await api.restore({ id: d.id, resemblanceAccepted: true })).toMatchObject({ orderIndex: 7 });
  });

  it('is enforced by the database too [A-PROJ-61]', async () => {
    await clearPodium();
    const [a, b] = [await home({ orderIndex: 1 }), await home()];
    await expect(app.sql('update projects set order_index = 1 where id = $1', [b.id])).rejects.toThrow(
      'projects_podium_slot',
    );
    await expect(app.sql(`update projects set status = 'approved' where id = $1`, [a.id])).rejects.toThrow(
      'projects_podium_is_home',
    );
  });
});

import { describe, expect, it } from 'vitest';
import { createdToken } from '#tests/support/chains/created-token.ts';
import { paymentRig } from '#tests/support/payments/payments.ts';
import { watchDeliverables } from './watch.service.ts';

const { app, order } = await paymentRig();
const back = app.as(await app.member({ role: 'admin' })).admin;
const theirs = app.as(await app.member({ role: 'admin' })).admin;
const visitor = app.as(null, { address: '10.69.1.1' });
const KEPT = '23001';

const watch = () =>
  watchDeliverables({ db: app.services.db, jobs: app.services.jobs, secret: app.secret, now: app.now });

/** A paid order whose token is created and published as a project, at the position `place` on home. */
async function sold({ place = 999, status = 'published_home' }: { place?: number; status?: string } = {}) {
  const request = await order('basic');
  request.move('finished', 1);
  await request.check();
  await createdToken(app, request.id, { network: 'ethereum' });
  const { id: projectId } = await back.showcase.add({
    requestId: request.id,
    resemblanceAccepted: true,
    as: 'project',
  });
  await app.sql('update projects set order_index = 999 where order_index = $1', [place]);
  await app.sql('update projects set status = $2, order_index = $3 where id = $1', [projectId, status, place]);
  const task = async (item = 'spotlightWeek') => {
    const { rows } = await back.deliverables.list({ request: request.id, state: 'all', size: 100 });
    const found = rows.find((row) => row.item === item);
    if (!found) throw new Error(`no task ${item}`);
    return found;
  };
  const start = async (over: { kind?: 'home' | 'top3'; project?: string; item?: string } = {}) => {
    const { id, version } = await task(over.item);
    return back.deliverables.startPlace({ id, version, kind: over.kind ?? 'home', project: over.project ?? projectId });
  };
  const item = async () => (await request.read()).items.find(({ key }) => key === 'spotlightWeek');
  const mark = async () =>
    (await visitor.projects.list({ limit: 100 })).items.find(({ id }) => id === projectId)?.sold ?? null;
  /** The database's clock can't be set: the week is moved to the past. */
  const weekIsOver = async () => {
    await app.sql('alter table sold_places disable trigger sold_place_kept');
    await app.sql(
      `update sold_places set starts_at = starts_at - interval '169 hours', ends_at = ends_at - interval '169 hours'
       where project_id = $1 and ended_at is null`,
      [projectId],
    );
    await app.sql('alter table sold_places enable trigger sold_place_kept');
  };
  return { ...request, projectId, task, start, item, mark, weekIsOver };
}
const interruptions = async (email: string) =>
  (await app.deliverMails()).filter(
    ({ to, subject }) => to === email && /^Un espacio contratado de tu pedido FL-\S+ terminó antes/.test(subject),
  );
const auditActions = async (id: string) =>
  (
    await app.sql<{ action: string }>(
      "select action from audit_events where resource_id = $1 and action like 'deliverable.%' order by id",
      [id],
    )
  ).map(({ action }) => action);

describe('a sold place', () => {
  it('is marked for everybody for seven days of the database’s clock, and shown to its payer', async () => {
    const one = await sold();
    expect(await one.mark()).toBeNull();
    expect((await one.item())?.place).toBeNull();
    const { place, homes } = await one.start();
    expect(homes).toMatchObject([{ id: one.projectId, onHome: true, inTop3: false }]);
    const [starts, ends] = [Date.parse(place?.startsAt ?? ''), Date.parse(place?.endsAt ?? '')];
    expect(ends - starts).toBe(7 * 86_400_000);
    // Not the clock of the process, which is in March.
    expect(Math.abs(starts - Date.now())).toBeLessThan(600_000);
    const mark = await one.mark();
    expect(mark?.until).toBe(place?.endsAt);
    expect(mark?.es).toMatch(/^Espacio contratado hasta el \d{1,2} \S+ \d{4}$/);
    expect(mark?.en).toMatch(/^Paid placement until \w+ \d{1,2}, \d{4}$/);
    expect((await one.item())?.place).toEqual(place);
    expect((await one.item())?.state).toBe('promised');
  });

  it('ends by the database’s clock: its mark at once, and a job delivers it with its time as evidence', async () => {
    const one = await sold();
    await one.start();
    await app.deliverMails();
    expect((await watch()).ended).toBe(0);
    await one.weekIsOver();
    expect(await one.mark()).toBeNull();
    expect((await Promise.all([watch(), watch()])).map(({ ended }) => ended).toSorted()).toEqual([0, 1]);
    expect((await watch()).ended).toBe(0);
    const item = await one.item();
    expect(item).toMatchObject({ state: 'done', evidence: { kind: 'place' }, place: { endCause: 'time' } });
    expect(item?.evidence?.value).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d – \d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
    const mails = (await app.deliverMails()).filter(
      ({ to, subject }) => to === one.email && subject.startsWith('Entregado'),
    );
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain(item?.evidence?.value);
    expect(await auditActions((await one.task()).id)).toEqual(['deliverable.place_begun', 'deliverable.place_ended']);
  });

  it('in the Top 3 is marked as such, and its project leaves the Top 3 at the end', async () => {
    const one = await sold({ place: 2 });
    await one.start({ kind: 'top3' });
    const podium = await visitor.projects.podium();
    expect(podium.find(({ id }) => id === one.projectId)?.sold?.es).toContain(
      'Espacio contratado en el Top 3 hasta el ',
    );
    // Moved to another of the three places: still the sold one.
    await app.sql('update projects set order_index = 999 where order_index = 1');
    await app.sql('update projects set order_index = 1 where id = $1', [one.projectId]);
    expect(await one.mark()).not.toBeNull();
    await one.weekIsOver();
    await watch();
    const [project] = await app.sql('select order_index, status from projects where id = $1', [one.projectId]);
    expect(project).toEqual({ order_index: 999, status: 'published_home' });
    expect((await one.item())?.state).toBe('done');
  });

  it.each([
    ['home', "status = 'approved', order_index = 999"],
    ['home', "status = 'pending', order_index = 999, deleted_at = now()"],
    ['top3', 'order_index = 999'],
  ] as const)('(%s) is interrupted as soon as its project leaves it: %s', async (kind, change) => {
    const one = await sold({ place: 3 });
    const owner = await app.member();
    await app.sql('update token_creation_submissions set user_id = $2 where id = $1', [one.id, owner.id]);
    await one.start({ kind });
    await app.sql(`update projects set ${change} where id = $1`, [one.projectId]);
    expect(await one.item()).toMatchObject({ state: 'promised', place: { endCause: 'interrupted' } });
    expect(await one.mark()).toBeNull();
    expect((await watch()).ended).toBe(1);
    expect((await one.item())?.state).toBe('promised');
    // Its payer is notified once, with the time that it was shown and the consequence from the terms.
    expect((await watch()).ended).toBe(0);
    const mails = await interruptions(one.email);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toMatch(/Estuvo en su sitio: \d{4}-\d\d-\d\d \d\d:\d\d – .* UTC/);
    expect(mails[0]?.text).toContain((await one.item())?.ifNot.es);
    expect((await app.as(owner).notifications.list({})).items).toMatchObject([
      { kind: 'orders', detail: 'item_interrupted', title: one.payment.orderId, path: `/order/${one.id}` },
    ]);
    expect(await auditActions((await one.task()).id)).toEqual(['deliverable.place_begun', 'deliverable.place_ended']);
    // It can be started again, for all of its days.
    await app.sql("update projects set status = 'published_home', deleted_at = null, order_index = 3 where id = $1", [
      one.projectId,
    ]);
    const { place } = await one.start({ kind });
    expect(place).toMatchObject({ endedAt: null, endCause: null });
  });

  it('ends when its item is withdrawn, or all of its money was returned', async () => {
    const one = await sold();
    const { id, version } = await one.start();
    await back.deliverables.withdraw({ id, version, reason: 'No se puede', refund: 'no' });
    expect(await one.item()).toMatchObject({ state: 'withdrawn', place: { endCause: 'withdrawn' } });
    await watch();
    expect(await interruptions(one.email)).toEqual([]);
    expect(await one.mark()).toBeNull();
    const other = await sold();
    await other.start();
    other.move('refunded', 1);
    await other.check();
    expect(await other.mark()).toBeNull();
    expect((await other.item())?.place?.endCause).toBe('withdrawn');
  });

  it('is refused with the reason: wrong item, project or list, or running already', async () => {
    const one = await sold();
    const other = await sold();
    const away = await sold({ status: 'approved' });
    const refused = (why: string) => expect.objectContaining({ code: 'PLACE_REFUSED', data: { why } });
    await expect(one.start({ item: 'docs' })).rejects.toEqual(refused('item'));
    await expect(one.start({ project: other.projectId })).rejects.toEqual(refused('project'));
    await expect(away.start()).rejects.toEqual(refused('home'));
    await expect(one.start({ kind: 'top3' })).rejects.toEqual(refused('top3'));
    const { id, version } = await one.task();
    await one.start();
    await expect(one.start()).rejects.toEqual(refused('running'));
    // An admin with an outdated version.
    await expect(
      theirs.deliverables.startPlace({ id, version, kind: 'home', project: one.projectId }),
    ).rejects.toMatchObject({ code: 'VERSION_CONFLICT' });
    // It is not delivered while it is running.
    const running = await one.task();
    await expect(
      back.deliverables.deliver({ id, version: running.version, kind: 'url', evidence: 'https://x.example.org/1' }),
    ).rejects.toEqual(refused('running'));
  });

  it('is started once by two concurrent requests', async () => {
    const one = await sold();
    const { id, version } = await one.task();
    const input = { id, version, kind: 'home' as const, project: one.projectId };
    const both = await Promise.allSettled([back.deliverables.startPlace(input), theirs.deliverables.startPlace(input)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('is protected by the database against direct changes', async () => {
    const one = await sold();
    const place = await one.start();
    const [row] = await app.sql<{ id: string }>('select id from sold_places where project_id = $1', [one.projectId]);
    for (const [sql, code] of [
      ['delete from sold_places where id = $1', KEPT],
      ["update sold_places set ends_at = ends_at + interval '1 day' where id = $1", KEPT],
      ["update sold_places set ended_at = now(), end_cause = 'time' where id = $1", KEPT],
    ] as const)
      await expect(app.sql(sql, [row?.id])).rejects.toMatchObject({ code });
    await expect(
      app.sql(
        `update deliverables set state = 'delivered', done_at = now(), evidence_kind = 'url', evidence = 'https://x.test/' where id = $1`,
        [place.id],
      ),
    ).rejects.toMatchObject({ code: '23514' });
    const other = await sold();
    const { id } = await other.task('docs');
    // Another item, and a time sent by the client: the first is refused, the second ignored.
    await expect(
      app.sql(
        `insert into sold_places (deliverable_id, project_id, kind, days, starts_at, ends_at) values ($1, $2, 'home', 7, now(), now())`,
        [id, other.projectId],
      ),
    ).rejects.toMatchObject({ code: '23514' });
    const { id: week } = await other.task();
    await app.sql(
      `insert into sold_places (deliverable_id, project_id, kind, days, starts_at, ends_at)
       values ($1, $2, 'home', 7, '2020-01-01', '2099-01-01')`,
      [week, other.projectId],
    );
    const [made] = await app.sql<{ hours: number }>(
      `select extract(epoch from ends_at - starts_at)::int / 3600 as hours from sold_places where deliverable_id = $1
       and starts_at > now() - interval '1 hour'`,
      [week],
    );
    expect(made?.hours).toBe(168);
  });
});

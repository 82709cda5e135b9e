import { describe, expect, it } from 'vitest';
import { ImageNotFetched } from '#server/domains/media/media.service.ts';
import { notifyLaunches } from '#server/domains/saved/launches.service.ts';
import { listenTo, startTestApp } from '#tests/support/app/test-app.ts';

const app = await startTestApp({ fetchImage: () => Promise.reject(new ImageNotFetched('private')) });
const admin = await app.member({ role: 'admin' });
const api = app.as(admin).admin.nextProjects;

let serial = 0;
const make = (over: Record<string, unknown> = {}) =>
  api.create({ tokenName: `Cometa ${++serial}`, tokenSymbol: 'com', resemblanceAccepted: true, ...over });
const listed = async (id: string) =>
  (await app.as().nextProjects.list({ limit: 100 })).items.find((item) => item.id === id);

describe('the fields of a NEXT project', () => {
  it('have the documented defaults [A-NEXT-38] [A-NEXT-44] [A-NEXT-45] [A-NEXT-53] [AMB-106]', async () => {
    const made = await make({ tokenAddress: ' ', description: ' ', marketCap: ' ' });
    expect(made).toMatchObject({
      tokenSymbol: 'COM',
      tokenAddress: null,
      description: null,
      status: 'published',
      isActive: true,
      isFeatured: false,
      isVotingWinner: false,
      votingRoundId: null,
      orderIndex: 0,
      progressPercentage: 0,
      price: 0,
      marketCap: 'TBD',
      launchDate: null,
      countdownEnd: null,
    });
    expect(await listed(made.id)).toBeDefined();
    const [row] = await app.sql('select submitted_by_user_id from next_projects where id = $1', [made.id]);
    expect(row).toEqual({ submitted_by_user_id: null });
  });

  it.each([
    ['tokenName', 'x'],
    ['tokenSymbol', ''],
    ['progressPercentage', 101],
    ['price', -0.1],
    ['price', Number.POSITIVE_INFINITY],
    ['status', 'approved'],
    ['launchDate', 'tomorrow'],
    ['launchDate', '+012026-01-01T00:00:00.000Z'],
    ['countdownEnd', '2026-02-30T00:00:00Z'],
    ['discordUrl', 'discord.gg/x'],
    // Only settable by the graduation of a round.
    ['isVotingWinner', true],
    ['votingRoundId', '5b6c5a3e-0d0b-4b6e-9a55-000000000000'],
  ])('refuse %s %j on creation and on change [A-NEXT-40..49]', async (name, value) => {
    const made = await make();
    const bad = { [name]: value };
    await expect(make(bad)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(api.update({ id: made.id, version: 1, ...bad } as never)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  it('keep times to the second and prices to six decimal places [A-NEXT-46] [A-NEXT-47]', async () => {
    const made = await make({ launchDate: '2026-05-01T10:00:00+02:00', price: 0.000001 });
    expect(made).toMatchObject({ launchDate: '2026-05-01T08:00:00.000Z', price: 0.000001 });
    const same = await api.update({ id: made.id, version: 1, launchDate: '2026-05-01T08:00:00Z' });
    expect(same.version).toBe(1);
    expect((await api.update({ id: made.id, version: 1, launchDate: null })).launchDate).toBeNull();
  });

  it('need a confirmation for a new countdown that is over or ends after the launch', async () => {
    const doubt = (why: string) => ({ code: 'COUNTDOWN_DOUBTFUL', data: { why } });
    const [past, soon, later] = ['2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z', '2026-05-01T00:00:00Z'];
    await expect(make({ countdownEnd: past })).rejects.toMatchObject(doubt('ended'));
    await expect(make({ launchDate: past })).rejects.toMatchObject(doubt('ended'));
    await expect(make({ countdownEnd: later, launchDate: soon })).rejects.toMatchObject(doubt('after_launch'));
    const good = await make({ countdownEnd: soon, launchDate: later });
    const seen = { id: good.id, version: good.version };
    await expect(api.update({ ...seen, countdownEnd: past })).rejects.toMatchObject(doubt('ended'));
    // Compared with the existing date.
    await expect(api.update({ ...seen, launchDate: '2026-03-20T00:00:00Z' })).rejects.toMatchObject(
      doubt('after_launch'),
    );
    const meant = await api.update({ ...seen, countdownEnd: past, countdownAccepted: true });
    expect(meant.countdownEnd).toBe('2026-03-01T00:00:00.000Z');
    // Once accepted, other changes need no confirmation.
    expect((await api.update({ ...seen, version: meant.version, description: 'x' })).description).toBe('x');
    // The launch of a launched token is in the past.
    expect(await make({ launchDate: past, status: 'launched' })).toMatchObject({ status: 'launched' });
  });

  it('have no token address of another live NEXT project, but may have none [AMB-112] [ERR-79]', async () => {
    const one = await make({ tokenAddress: 'mint-of-comet' });
    const taken = { code: 'DUPLICATE', data: { fields: ['tokenAddress'] } };
    await expect(make({ tokenAddress: 'mint-of-comet' })).rejects.toMatchObject(taken);
    await make();
    await api.remove({ id: one.id, version: 1 });
    await make({ tokenAddress: 'mint-of-comet' });
    await expect(api.restore({ id: one.id })).rejects.toMatchObject(taken);
  });

  it('report why the image of an address was not fetched', async () => {
    await expect(make({ imageUrl: 'https://169.254.169.254/a.png' })).rejects.toMatchObject({
      code: 'IMAGE_NOT_FETCHED',
      data: { why: 'private' },
    });
  });
});

describe('a NEXT project in the back office', () => {
  it('notifies open pages when it is created, changed, deleted and restored [RT-02]', async () => {
    const listening = listenTo(app.services);
    await listening.forget();
    const notified = () => listening.changes('nextProjects');
    const { id } = await make();
    await expect.poll(notified).toBe(1);
    await api.update({ id, version: 1, description: 'Other words' });
    await expect.poll(notified).toBe(2);
    await api.remove({ id, version: 2 });
    await expect.poll(notified).toBe(3);
    await api.restore({ id, resemblanceAccepted: true });
    await expect.poll(notified).toBe(4);
  });

  it('enters a change into the audit log, notifies open pages, and refuses an outdated version [A-NEXT-54] [A-NEXT-60]', async () => {
    const made = await make();
    app.pass(1_000);
    const liveEvents = listenTo(app.services);
    const saved = await api.update({ id: made.id, version: 1, status: 'pending', isActive: false });
    expect(saved).toMatchObject({ createdAt: made.createdAt, updatedAt: app.now.toISOString() });
    await liveEvents.changed('nextProjects');
    expect(await listed(made.id)).toBeUndefined();
    await expect(api.update({ id: made.id, version: 1, price: 1 })).rejects.toMatchObject({
      code: 'VERSION_CONFLICT',
      data: { version: 2, current: { status: 'pending', isActive: false }, by: admin.username },
    });
    const entries = await app.sql(
      `select action, before, after from audit_events where resource_type = 'next_project' and resource_id = $1 order by id`,
      [made.id],
    );
    expect(entries[1]).toEqual({
      action: 'next_project.updated',
      before: { status: 'published', isActive: true },
      after: { status: 'pending', isActive: false },
    });
  });

  it('goes to the trash and comes back unchanged [A-NEXT-55]', async () => {
    const made = await make({ orderIndex: 2 });
    await api.remove({ id: made.id, version: 1 });
    expect(await listed(made.id)).toBeUndefined();
    expect((await api.list({ shelf: 'trash', q: made.tokenName })).total).toBe(1);
    expect(await api.restore({ id: made.id, resemblanceAccepted: true })).toMatchObject({
      orderIndex: 2,
      status: 'published',
    });
    expect(await listed(made.id)).toBeDefined();
    await expect(api.restore({ id: made.id, resemblanceAccepted: true })).rejects.toMatchObject({
      code: 'VERSION_CONFLICT',
    });
  });

  it('is listed by place, or in the order requested [A-NEXT-52]', async () => {
    const [b, a] = [await make({ orderIndex: 90 }), await make({ orderIndex: 80, launchDate: '2027-01-01T00:00:00Z' })];
    const { rows } = await api.list({ sort: 'orderIndex', size: 1_000 });
    const places = rows.map(({ orderIndex }) => orderIndex);
    expect(places).toEqual([...places].sort((x, y) => x - y));
    expect(rows.findIndex(({ id }) => id === a.id)).toBeLessThan(rows.findIndex(({ id }) => id === b.id));
    expect((await api.list({ sort: '-launchDate' })).rows[0]?.id).toBe(a.id);
    const csv = await app.http(`/api/admin/next-projects.csv?q=${b.tokenName}`, { headers: { cookie: admin.cookie } });
    expect((await csv.text()).split('\r\n')[1]).toContain(b.tokenName);
  });
});

describe('a follower of a NEXT project [AMB-72]', () => {
  it('is notified of a new date and of the launch once they are saved, and not when saving failed', async () => {
    const made = await make({ launchDate: '2026-05-01T00:00:00Z' });
    const [ana] = await app.members(1, { verified: true });
    const me = app.as(ana ?? null);
    await me.saved.set({ kind: 'next', id: made.id, saved: true });
    await me.saved.setNotice({ kind: 'next', id: made.id, on: true, locale: 'en' });
    const notify = () => notifyLaunches({ db: app.services.db, now: app.now });
    await notify();
    await api.update({ id: made.id, version: 1, description: 'Longer' });
    expect(await notify()).toBe(0);
    await api.update({ id: made.id, version: 2, launchDate: '2026-06-01T00:00:00Z' });
    expect(await notify()).toBe(1);
    await expect(
      api.update({ id: made.id, version: 2, launchDate: '2026-07-01T00:00:00Z', status: 'launched' }),
    ).rejects.toMatchObject({ code: 'VERSION_CONFLICT' });
    expect(await notify()).toBe(0);
    await api.update({ id: made.id, version: 3, status: 'launched' });
    expect(await notify()).toBe(1);
  });
});

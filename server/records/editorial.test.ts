import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { SCHEDULES } from '#server/domains/admin/editorial.service.ts';
import { applySchedulesJob } from '#server/jobs/upkeep/apply-schedules.job.ts';
import { listenTo, startTestApp } from '#tests/support/app/test-app.ts';
import { applySchedules } from './schedules.ts';

const app = await startTestApp();
const admin = await app.member({ role: 'admin' });
const back = app.as(admin).admin;
const site = app.as(null);

let serial = 0;
const draft = (over: object = {}) => back.news.create({ title: `Borrador ${++serial}`, content: 'Un texto.', ...over });
const ahead = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
const schedule = (
  { id, version }: { id: string; version: number },
  publishAt: string | null,
  expireAt: string | null = null,
  kind: 'news' | 'next_project' = 'news',
) => back.editorial.setSchedule({ kind, id, version, publishAt, expireAt });
/** Moves a scheduled time into the past. */
const past = (id: string, column: 'publish_at' | 'expire_at', seconds = 1) =>
  app.sql(`update record_schedules set ${column} = clock_timestamp() - interval '${seconds} s' where record_id = $1`, [
    id,
  ]);
const apply = () => applySchedules(app.services.db, SCHEDULES);
const auditActions = async (id: string) =>
  (
    await app.sql<{ action: string; actor_role: string }>(
      'select action, actor_role from audit_events where resource_id = $1 order by id',
      [id],
    )
  ).map(({ action, actor_role }) => `${action} ${actor_role}`);
const planned = async (id: string) => (await back.editorial.schedules({ kind: 'news' })).find((one) => one.id === id);

describe('a schedule', () => {
  it('publishes a draft and hides it at the scheduled times by the clock of the database, once', async () => {
    const item = await draft();
    await schedule(item, ahead(600), ahead(1_200));
    expect(await apply()).toMatchObject({ applied: 0 });
    expect((await apply()).nextIn).toBeGreaterThan(500_000);
    await expect(site.news.byId({ id: item.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await past(item.id, 'publish_at');
    const events = listenTo(app.services);
    // Two processes at the same time.
    const both = await Promise.all([apply(), apply()]);
    expect(both[0].applied + both[1].applied).toBe(1);
    await events.changed('news');
    const shown = await site.news.byId({ id: item.id });
    expect(Math.abs(Date.parse(shown.publishedAt ?? '') - Date.now())).toBeLessThan(60_000);
    expect(await planned(item.id)).toMatchObject({ publishAt: null });
    await past(item.id, 'expire_at');
    await apply();
    await expect(site.news.byId({ id: item.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await planned(item.id)).toBeUndefined();
    expect(await apply()).toMatchObject({ applied: 0 });
    expect(await auditActions(item.id)).toEqual([
      'news.created admin',
      'news.scheduled admin',
      'news.published system',
      'news.expired system',
    ]);
  });

  it('never publishes a record whose whole period passed while no job ran', async () => {
    const item = await draft();
    await schedule(item, ahead(600), ahead(1_200));
    await past(item.id, 'publish_at', 60);
    await past(item.id, 'expire_at', 30);
    await apply();
    expect(await back.news.read({ id: item.id })).toMatchObject({ isActive: false, publishedAt: null });
    expect(await planned(item.id)).toBeUndefined();
  });

  it('publishes a launch that was pending', async () => {
    const made = await back.nextProjects.create({
      tokenName: 'Programado',
      tokenSymbol: 'PRG',
      status: 'pending',
      isActive: false,
    });
    await schedule(made, ahead(600), null, 'next_project');
    await past(made.id, 'publish_at');
    await apply();
    expect((await site.nextProjects.list({ limit: 100 })).items.map(({ id }) => id)).toContain(made.id);
  });

  it('refuses invalid times, each for its own reason', async () => {
    const item = await draft();
    const refused = (why: string) => ({ code: 'SCHEDULE_REFUSED', data: { why } });
    // Computed once: a second reading of the clock could be a millisecond later.
    const same = ahead(600);
    await expect(schedule(item, same, same)).rejects.toMatchObject(refused('order'));
    await expect(schedule(item, ahead(600), ahead(300))).rejects.toMatchObject(refused('order'));
    await expect(schedule(item, ahead(-60))).rejects.toMatchObject(refused('past'));
    await expect(schedule(item, null, ahead(-60))).rejects.toMatchObject(refused('ended'));
    const live = await draft({ isActive: true });
    await expect(schedule(live, ahead(600))).rejects.toMatchObject(refused('shown'));
    await schedule(live, null, ahead(600));
    await expect(
      app.sql(`update record_schedules set publish_at = expire_at where record_id = $1`, [live.id]),
    ).rejects.toThrow('record_schedules_order');
    expect(await planned(item.id)).toBeUndefined();
  });

  it('publishes a NEXT project that is active and still pending, which the site does not show', async () => {
    const made = await back.nextProjects.create({
      tokenName: 'Pendiente y activo',
      tokenSymbol: 'PYA',
      description: 'Espera.',
      status: 'pending',
      isActive: true,
    });
    await schedule(made, ahead(600), null, 'next_project');
    await past(made.id, 'publish_at');
    await apply();
    const { rows } = await back.nextProjects.list({ q: 'Pendiente y activo' });
    expect(rows).toMatchObject([{ id: made.id, status: 'published', isActive: true }]);
    const other = await back.nextProjects.create({
      tokenName: 'Publicado a mano',
      tokenSymbol: 'PAM',
      description: 'Espera.',
      status: 'pending',
      isActive: true,
    });
    const { version } = await schedule(other, ahead(600), null, 'next_project');
    await back.nextProjects.update({ id: other.id, version, status: 'published' });
    expect(await back.editorial.schedules({ kind: 'next_project' })).toEqual([]);
  });

  it('loses its time of publication when somebody publishes before it, so that hiding is permanent', async () => {
    const item = await draft();
    const { version } = await schedule(item, ahead(600), ahead(1_200));
    const write = (seen: number, isActive: boolean) =>
      back.news.update({ id: item.id, version: seen, title: item.title, content: 'Un texto.', isActive });
    const shown = await write(version, true);
    expect(await planned(item.id)).toMatchObject({ publishAt: null, expireAt: expect.any(String) });
    const [entry] = await app.sql<{ before: object; after: object }>(
      `select before, after from audit_events where resource_id = $1 and action = 'news.updated' order by id desc limit 1`,
      [item.id],
    );
    expect(entry).toMatchObject({ before: { publishAt: expect.any(String) }, after: { publishAt: null } });
    await write(shown.version, false);
    await apply();
    await expect(site.news.byId({ id: item.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('accepts one of two concurrent changes; the other receives the current schedule', async () => {
    const item = await draft();
    const first = ahead(600);
    const { version } = await schedule(item, first);
    expect(version).toBe(2);
    await expect(schedule(item, ahead(900))).rejects.toMatchObject({
      code: 'VERSION_CONFLICT',
      data: { version: 2, by: admin.username, current: { publishAt: first, expireAt: null } },
    });
    expect(await schedule({ ...item, version: 2 }, first)).toEqual({ version: 2 });
    await schedule({ ...item, version: 2 }, null);
    expect(await planned(item.id)).toBeUndefined();
  });

  it('is not applied in the trash, and is deleted with the record', async () => {
    const item = await draft();
    const { version } = await schedule(item, ahead(600));
    await back.news.remove({ id: item.id, version });
    await expect(schedule({ ...item, version: version + 1 }, ahead(700))).rejects.toMatchObject({ code: 'IN_TRASH' });
    await past(item.id, 'publish_at');
    expect(await apply()).toMatchObject({ applied: 0 });
    await back.news.restore({ id: item.id });
    expect(await apply()).toMatchObject({ applied: 1 });
    const other = await draft();
    await schedule(other, ahead(600));
    await past(other.id, 'publish_at');
    await app.sql('delete from news where id = $1', [other.id]);
    await apply();
    expect(await app.sql('select 1 from record_schedules where record_id = $1', [other.id])).toEqual([]);
    expect(await app.sql('select 1 from record_versions where record_id = $1', [other.id])).toEqual([]);
  });

  it('of a record in the trash remains, with its versions, when reading the record fails', async () => {
    const item = await draft();
    const { version } = await schedule(item, ahead(600));
    await back.news.remove({ id: item.id, version });
    await past(item.id, 'publish_at');
    const { db } = app.services;
    const select = db.select.bind(db);
    let reads = 0;
    // The first read is the time, the second the record.
    const reading = vi.spyOn(db, 'select').mockImplementation(((...fields: []) => {
      if (++reads === 2) throw Object.assign(new Error('terminating connection'), { code: '57P01' });
      return select(...fields);
    }) as typeof db.select);
    await expect(SCHEDULES.news.applySchedule(db, item.id)).rejects.toMatchObject({ code: '57P01' });
    reading.mockRestore();
    expect(await app.sql('select 1 from record_schedules where record_id = $1', [item.id])).toHaveLength(1);
    expect(await app.sql('select 1 from record_versions where record_id = $1', [item.id])).not.toEqual([]);
    await app.sql('delete from record_schedules where record_id = $1', [item.id]);
  });

  it('is applied on time although another one cannot be', async () => {
    const [stuck, item] = [await draft(), await draft()];
    await schedule(stuck, ahead(600));
    await past(stuck.id, 'publish_at', 5);
    await app.sql(`create function no_news() returns trigger language plpgsql as
      $$ begin raise exception 'not this one' using errcode = 'P0001'; end $$`);
    await app.sql(
      `create trigger no_news before update on news for each row when (old.id = '${stuck.id}') execute function no_news()`,
    );
    const log = pino({ level: 'silent' });
    const jobs = { stopped: false };
    const services = { ...app.services, jobs } as unknown as typeof app.services;
    const job = applySchedulesJob({}, { services, log }, { jobId: randomUUID(), attempt: 1, last: false });
    const outcome = job.then(
      () => 'done',
      () => 'failed',
    );
    await schedule(item, ahead(4));
    await expect.poll(() => planned(item.id), { timeout: 20_000 }).toBeUndefined();
    jobs.stopped = true;
    expect(await outcome).toBe('failed');
    expect(await site.news.byId({ id: item.id })).toMatchObject({ id: item.id });
    await app.sql('drop trigger no_news on news');
    expect(await apply()).toMatchObject({ applied: 1 });
  });
});

describe('versions', () => {
  const versions = async (id: string, kind: 'news' | 'project' | 'next_project' = 'news') =>
    (await back.editorial.versions({ kind, id })).versions;
  const restore = ({ id, version }: { id: string; version: number }, wanted: number) =>
    back.editorial.restoreVersion({ kind: 'news', id, version, restore: wanted });

  it('are stored for every change of a text, and of nothing else; an old one can be restored', async () => {
    const first = await draft({ title: 'Uno' });
    const two = await back.news.update({ ...seenFields(first), title: 'Dos' });
    const shown = await back.news.update({ ...seenFields(two), isActive: true });
    expect((await versions(first.id)).map(({ version, fields }) => [version, fields['title']])).toEqual([
      [2, 'Dos'],
      [1, 'Uno'],
    ]);
    expect(await restore(shown, 1)).toEqual({ version: 4, imageGone: false });
    expect(await back.news.read({ id: first.id })).toMatchObject({ title: 'Uno', isActive: true, version: 4 });
    const [newest] = await versions(first.id);
    expect(newest).toMatchObject({ version: 4, restoredFrom: 1, savedBy: admin.username, fields: { title: 'Uno' } });
    expect((await auditActions(first.id)).at(-1)).toBe('news.version_restored admin');
    // Equal texts change nothing.
    expect(await restore({ id: first.id, version: 4 }, 1)).toEqual({ version: 4, imageGone: false });
  });

  it('begin with the text that existed before versions were stored, and cannot be rewritten', async () => {
    const [old] = await app.sql<{ id: string }>(
      "insert into news (title, content) values ('Antes', 'De antes') returning id",
    );
    const id = old?.id ?? '';
    await back.news.update({ id, version: 1, title: 'Después', content: 'De antes' });
    expect((await versions(id)).map(({ version, savedBy, fields }) => [version, savedBy, fields['title']])).toEqual([
      [2, admin.username, 'Después'],
      [1, null, 'Antes'],
    ]);
    await expect(app.sql('update record_versions set version = 9 where record_id = $1', [id])).rejects.toThrow('kept');
  });

  it('of projects and NEXT projects are restored without state, place or dates', async () => {
    const project = await back.projects.create({
      tokenName: 'Uno',
      tokenSymbol: 'UNO',
      tokenAddress: `0x${'a'.repeat(39)}${++serial}`,
      description: 'Vieja',
    });
    const changed = await back.projects.update({
      id: project.id,
      version: 1,
      description: 'Nueva',
      status: 'published_home',
    });
    await back.editorial.restoreVersion({ kind: 'project', id: project.id, version: changed.version, restore: 1 });
    const [row] = (await back.projects.list({ q: 'Uno' })).rows.filter(({ id }) => id === project.id);
    expect(row).toMatchObject({ description: 'Vieja', status: 'published_home', version: 3 });
    const launch = ahead(86_400);
    const next = await back.nextProjects.create({
      tokenName: 'Nx',
      tokenSymbol: 'NX',
      price: 1,
      launchDate: ahead(8_640),
    });
    const later = await back.nextProjects.update({ id: next.id, version: 1, price: 2, launchDate: launch });
    await back.editorial.restoreVersion({ kind: 'next_project', id: next.id, version: later.version, restore: 1 });
    const [after] = (await back.nextProjects.list({ q: 'Nx' })).rows.filter(({ id }) => id === next.id);
    expect(after).toMatchObject({ price: 1, launchDate: launch });
  });

  it('are restored neither over a newer version, nor in the trash, nor when they do not exist', async () => {
    const item = await draft({ title: 'Mío' });
    const changed = await back.news.update({ ...seenFields(item), title: 'De otra persona' });
    await expect(restore(item, 1)).rejects.toMatchObject({
      code: 'VERSION_CONFLICT',
      data: { version: 2, current: { title: 'De otra persona' } },
    });
    await expect(restore(changed, 7)).rejects.toMatchObject({ code: 'NOT_FOUND', data: { what: 'version' } });
    await back.news.remove({ id: item.id, version: 2 });
    await expect(restore({ id: item.id, version: 3 }, 1)).rejects.toMatchObject({ code: 'IN_TRASH' });
  });

  it('are restored without an image that no longer exists', async () => {
    const name = 'c'.repeat(32);
    await app.sql(
      `insert into media (name, bucket, owner_user_id, width, height, frames, bytes, sha256, variants)
       values ($1, 'project-images', $2, 1, 1, 1, 1, sha256('x'), '[]')`,
      [name, admin.id],
    );
    const item = await draft({ imageUrl: `/media/${name}.webp`, title: 'Con imagen' });
    const bare = await back.news.update({ ...seenFields(item), title: 'Sin imagen', imageUrl: null });
    expect(await restore(bare, 1)).toEqual({ version: 3, imageGone: true });
    expect(await back.news.read({ id: item.id })).toMatchObject({ title: 'Con imagen', imageUrl: null });
  });
});

describe('an open form', () => {
  it('is shown to others who open it, until it is closed or its heartbeats end; nothing is locked', async () => {
    const { id } = await draft();
    const other = await app.member({ role: 'admin' });
    const beat = (who: typeof admin, open = true) => app.as(who).admin.editorial.editing({ kind: 'news', id, open });
    const names = async (who: typeof admin) => (await beat(who)).others.map(({ name }) => name);
    expect(await names(admin)).toEqual([]);
    expect(await names(other)).toEqual([admin.username]);
    expect(await names(admin)).toEqual([other.username]);
    const another = await draft();
    expect((await back.editorial.editing({ kind: 'news', id: another.id, open: true })).others).toEqual([]);
    // The announcement is edited on a screen that is always open: members without input see the others but are not listed.
    const announcement = async (who: typeof admin, open: boolean) =>
      (
        await app
          .as(who)
          .admin.editorial.editing({ kind: 'announcement', id: '00000000-0000-0000-0000-000000000000', open })
      ).others.map(({ name }) => name);
    expect(await announcement(admin, true)).toEqual([]);
    expect(await announcement(other, false)).toEqual([admin.username]);
    expect(await announcement(admin, true)).toEqual([]);
    await back.news.update({ id, version: 1, title: 'Guardado', content: 'x' });
    await beat(other, false);
    expect(await names(admin)).toEqual([]);
    await beat(other);
    await app.sql("update record_editors set seen_at = now() - interval '91 s' where user_id = $1", [other.id]);
    expect(await names(admin)).toEqual([]);
  });
});

function seenFields(item: { id: string; version: number; title: string; content: string }) {
  const { id, version, title, content } = item;
  return { id, version, title, content };
}

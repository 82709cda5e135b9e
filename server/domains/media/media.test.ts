import { describe, expect, it } from 'vitest';
import { cleanUploads as cleanJob } from '#server/jobs/upkeep/clean-uploads.job.ts';
import {
  ana,
  app,
  ben,
  clean,
  db,
  files,
  filesOf,
  idOf,
  nobody,
  row,
  store,
  UNKNOWN_ID,
  use,
} from '#tests/fixtures/media.ts';
import type { MediaOwner } from './media.port.ts';
import { markImageUsed, releaseMedia, removeMedia } from './media.service.ts';
import { IMAGE_COLUMNS } from './references.ts';

const release = (url: string | null) => db.transaction((tx) => releaseMedia(tx, url, app.now));
const draft = async () => {
  const [made] = await app.sql<{ id: string }>(
    "insert into token_creation_submissions (edit_secret_hash) values ('\\x00') returning id",
  );
  return made?.id ?? '';
};

describe('using an image', () => {
  it('is allowed to its owner, a member or a draft', async () => {
    const draftId = await draft();
    const [mine, drafted] = [await store(), await store({ draftId })];
    for (const stranger of [{ userId: idOf(ben) }, { draftId: await draft() }, {}, { userId: undefined }])
      for (const image of [mine, drafted])
        await expect(use(image, stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(use(mine, { draftId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await row(mine)).toMatchObject({ status: 'temporary', used_at: null });
    await use(mine, { userId: idOf(ana) });
    await use(drafted, { draftId });
    for (const image of [mine, drafted]) expect(await row(image)).toMatchObject({ status: 'used', used_at: app.now });
  });

  it('is allowed to staff for any image, and is idempotent', async () => {
    const image = await store();
    await use(image, 'anyone');
    const first = await row(image);
    app.pass(1_000);
    await use(image, 'anyone');
    expect(await row(image)).toEqual(first);
  });

  it('is rolled back with the transaction', async () => {
    const image = await store();
    await db
      .transaction(async (tx) => {
        await markImageUsed(tx, image.url, 'anyone', app.now);
        throw new Error('later failure');
      })
      .catch(() => {});
    expect(await row(image)).toMatchObject({ status: 'temporary' });
  });

  it('is refused for an unknown address of ours; foreign and empty addresses are ignored [AMB-35]', async () => {
    for (const url of [null, '', 'https://elsewhere.example/a.png']) await use({ url }, {});
    for (const url of ['/media/nothing.webp', `/media/${'0'.repeat(32)}.webp`, '/media/../../etc/passwd'])
      for (const owner of [{ userId: idOf(ben) }, 'anyone'] as const)
        await expect(use({ url }, owner), url).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is refused after its removal', async () => {
    const image = await store();
    await app.as(ana).media.remove({ id: image.id });
    await expect(use(image, 'anyone')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('removing an image', () => {
  it('is allowed to its owner; others get the answer for an unknown image [AMB-36] [MEDIA-14]', async () => {
    const image = await store();
    const admin = await app.member({ role: 'admin', verified: true });
    for (const person of [ben, admin])
      await expect(app.as(person).media.remove({ id: image.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(app.as().media.remove({ id: image.id })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(app.as(ana).media.remove({ id: UNKNOWN_ID })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await filesOf(image)).toHaveLength(5);
    expect(await app.as(ana).media.remove({ id: image.id })).toEqual({ removed: true });
    await expect(app.as(ana).media.remove({ id: image.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('removes the files by the job that it queues', async () => {
    const image = await store();
    await app.as(ana).media.remove({ id: image.id });
    expect((await app.sql("select data from jobs.job where name = 'clean-uploads'")).at(-1)).toEqual({
      data: { deletedOnly: true },
    });
    await cleanJob(
      { deletedOnly: true },
      { services: app.services, log: { info() {}, error() {} } as never },
      {
        jobId: UNKNOWN_ID,
        attempt: 1,
        last: false,
      },
    );
    expect([await filesOf(image), await row(image), (await app.http(image.url)).status]).toEqual([[], undefined, 404]);
  });

  it('does not remove an image that is used', async () => {
    const image = await store();
    await use(image, 'anyone');
    expect(await app.as(ana).media.remove({ id: image.id })).toEqual({ removed: false });
    expect(await row(image)).toMatchObject({ status: 'used', deleted_at: null });
  });

  it('is allowed to the draft that owns it', async () => {
    const draftId = await draft();
    const image = await store({ draftId });
    const remove = (owner: MediaOwner) => db.transaction((tx) => removeMedia(tx, nobody, owner, image.id, app.now));
    await expect(remove({ draftId: await draft() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await remove({ draftId })).toBe(true);
  });

  it('and marking it as used exclude each other in concurrent requests', async () => {
    for (let i = 0; i < 5; i++) {
      const image = await store();
      const [used, removed] = await Promise.allSettled([
        use(image, { userId: idOf(ana) }),
        app.as(ana).media.remove({ id: image.id }),
      ]);
      const state = await row(image);
      if (used.status === 'fulfilled') {
        expect(removed).toMatchObject({ value: { removed: false } });
        expect(state).toMatchObject({ status: 'used', deleted_at: null });
      } else {
        expect(removed).toMatchObject({ value: { removed: true } });
        expect(state).toMatchObject({ status: 'temporary', deleted_at: app.now });
      }
    }
    await clean(true);
  });
});

describe('a replaced image [AMB-200]', () => {
  it('is deleted, files and row', async () => {
    const [old, fresh] = [await store(), await store()];
    const { id } = await app.project({ image_url: old.url });
    await use(old, 'anyone');
    await db.transaction(async (tx) => {
      await markImageUsed(tx, fresh.url, 'anyone', app.now);
      await tx.execute(`update projects set image_url = '${fresh.url}' where id = '${id}'`);
      await releaseMedia(tx, old.url, app.now);
    });
    await clean(true);
    expect([await filesOf(old), await row(old)]).toEqual([[], undefined]);
    expect(await filesOf(fresh)).toHaveLength(5);
    expect(await row(fresh)).toMatchObject({ status: 'used', deleted_at: null });
  });

  it('is kept while another record shows it', async () => {
    const image = await store();
    await use(image, 'anyone');
    const { id } = await app.candidate({ image_url: `https://florka.example${image.url}` });
    await release(image.url);
    expect(await row(image)).toMatchObject({ deleted_at: null });
    await app.sql('update voting_candidates set image_url = null where id = $1', [id]);
    await release(image.url);
    expect(await row(image)).toMatchObject({ deleted_at: app.now });
    await clean(true);
  });

  it('on another site is ignored [MEDIA-11]', async () => {
    const image = await store();
    const before = await files();
    for (const url of [
      null,
      '',
      'https://elsewhere.example/a.png',
      `https://elsewhere.example${image.url}`,
      '/media/../x.webp',
    ])
      await release(url);
    await clean(true);
    expect(await files()).toEqual(before);
  });

  it('is kept while the metadata of a token ordered with version 0.2.0 contains it', async () => {
    const image = await store();
    await use(image, 'anyone');
    // Such a row is not accepted any more: tokens have confirmed metadata, whose image is a copy.
    await app.sql('alter table token_creations disable trigger user');
    await app.sql(
      `insert into token_creations (submission_id, network, snapshot, snapshot_hash, simulation, metadata, ordered_at,
         begun_at, updated_at)
       values ($1, 'solana', '{}', sha256(''), true, $2, now(), now(), now())`,
      [await draft(), { name: 'Ajolote', symbol: 'AJO', description: '', image: `https://florka.test${image.url}` }],
    );
    await app.sql('alter table token_creations enable trigger user');
    await release(image.url);
    await clean(true);
    expect(await filesOf(image)).toHaveLength(5);
    expect(await row(image)).toMatchObject({ status: 'used', deleted_at: null });
  });

  it('is looked for in every column that holds an address of an image', async () => {
    const columns = await app.sql<{ table_name: string; column_name: string }>(
      `select c.table_name, c.column_name from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
       where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name <> 'likeness_keys'
         and (c.column_name like '%image%' and c.column_name <> 'image_id'
           or (t.table_name, c.column_name) = ('deliverables', 'evidence'))`,
    );
    expect(columns.map((column) => [column.table_name, column.column_name]).sort()).toEqual(
      IMAGE_COLUMNS.map(([table, column]) => [table, column]).sort(),
    );
  });
});

describe('deleting an account', () => {
  it('keeps its used images, without an owner', async () => {
    const leaving = await app.member();
    const image = await store({ userId: leaving.id });
    await use(image, { userId: leaving.id });
    await app.sql('delete from users where id = $1', [leaving.id]);
    expect(await row(image)).toMatchObject({ owner_user_id: null, status: 'used' });
    await expect(use(image, {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

import fs from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanUploads as cleanJob } from '#server/jobs/upkeep/clean-uploads.job.ts';
import type { Storage, StoredFile } from '#server/providers/storage/port.ts';
import { app, clean, db, files, filesOf, media, row, store, UNKNOWN_ID, use } from '#tests/fixtures/media.ts';
import { cleanUploads } from './cleaning.ts';

const HOUR = 3_600_000;
/** Files have the time of the machine, rows that of the test. */
const machineTime = (ms: number) => new Date(Date.now() + ms);

describe('cleaning uploads', () => {
  it('deletes images that stayed unused for two days, to the second', async () => {
    const [old, used] = [await store(), await store()];
    await use(used, 'anyone');
    app.pass(1_000);
    const younger = await store();
    app.pass(48 * HOUR - 1_000);
    expect(await clean()).toMatchObject({ expired: 0 });
    app.pass(1);
    expect(await clean()).toMatchObject({ expired: expect.any(Number), stored: 0 });
    expect([await filesOf(old), await row(old)]).toEqual([[], undefined]);
    expect(await filesOf(younger)).toHaveLength(5);
    expect(await filesOf(used)).toHaveLength(5);
    app.pass(1_000 * HOUR);
    await clean();
    expect(await filesOf(younger)).toEqual([]);
    expect(await filesOf(used)).toHaveLength(5);
  });

  it('expires many images in small statements, so that none exceeds its time limit', async () => {
    await app.sql(`create function few_images() returns trigger language plpgsql as $$ begin
      if (select count(*) from changed) > 100 then raise exception 'too many images in one statement'; end if;
      return null; end $$`);
    await app.sql(`create trigger few_images after update on media referencing new table as changed
      for each statement execute function few_images()`);
    await app.sql(
      `insert into media (name, bucket, width, height, frames, bytes, sha256, variants, created_at)
       select md5(n::text), 'token-images', 1, 1, 1, 1, sha256(''), '[]', $1 from generate_series(1, 250) n`,
      [new Date(app.now.getTime() - 49 * HOUR)],
    );
    expect(await clean()).toMatchObject({ expired: 250, removed: 250 });
    await app.sql('drop trigger few_images on media');
  });

  it('keeps an image that a record shows, although it was not marked as used', async () => {
    const image = await store();
    await app.nextProject({ image_url: image.url });
    app.pass(49 * HOUR);
    expect(await clean()).toMatchObject({ stored: 1 });
    expect(await row(image)).toMatchObject({ status: 'used', used_at: app.now });
    expect(await filesOf(image)).toHaveLength(5);
  });

  it('removes files without a row after an hour, and no file with a foreign name', async () => {
    const image = await store();
    await app.sql('delete from media where id = $1', [image.id]);
    const [foreign, copy] = ['notes.txt', `${'b'.repeat(32)} (1).webp`].map((file) =>
      path.join(app.uploadsDir, 'files', file),
    ) as [string, string];
    const part = path.join(app.uploadsDir, 'parts', `${'b'.repeat(32)}.webp.0011`);
    for (const file of [foreign, copy, part]) await fs.writeFile(file, 'x');
    expect(await clean(false, machineTime(HOUR - 60_000))).toMatchObject({ orphans: 0 });
    expect(await filesOf(image)).toHaveLength(5);
    expect(await clean(false, machineTime(HOUR + 60_000))).toMatchObject({ orphans: 6 });
    expect(await filesOf(image)).toEqual([]);
    await expect(fs.access(part)).rejects.toThrow();
    for (const file of [foreign, copy]) await fs.rm(file);
  });

  it('completes a removal of which an ended process deleted only some files', async () => {
    const image = await store();
    await app.sql('update media set deleted_at = now() where id = $1', [image.id]);
    for (const file of (await filesOf(image)).slice(0, 2)) await fs.rm(path.join(app.uploadsDir, 'files', file));
    expect(await clean(true)).toMatchObject({ removed: 1 });
    expect([await filesOf(image), await row(image)]).toEqual([[], undefined]);
  });

  it('removes the others when one file cannot be removed, and fails so that this is noticed', async () => {
    const [stuck, image] = [await store(), await store()];
    const [locked = ''] = await filesOf(stuck);
    const file = path.join(app.uploadsDir, 'files', locked);
    // A file cannot be removed where a folder has its name.
    await fs.rm(file);
    await fs.mkdir(path.join(file, 'locked'), { recursive: true });
    await app.sql("update media set deleted_at = now() - interval '1 hour' where id = $1", [stuck.id]);
    await app.sql('update media set deleted_at = now() where id = $1', [image.id]);
    const log = { info() {}, error() {} } as never;
    const job = () =>
      cleanJob({ deletedOnly: true }, { services: app.services, log }, { jobId: UNKNOWN_ID, attempt: 1, last: false });
    await expect(job()).rejects.toThrow('1 images or files could not be removed');
    expect([await filesOf(image), await row(image)]).toEqual([[], undefined]);
    expect(await row(stuck)).toBeDefined();
    await fs.rm(file, { recursive: true });
    await job();
    expect(await row(stuck)).toBeUndefined();
  });

  it('reports and logs missing files', async () => {
    const image = await store();
    await use(image, 'anyone');
    const [first = ''] = await filesOf(image);
    await fs.rm(path.join(app.uploadsDir, 'files', first));
    expect(await clean()).toMatchObject({ missing: [first] });
    const logged: unknown[] = [];
    const log = { info() {}, error: (what: unknown) => logged.push(what) } as never;
    await cleanJob(
      { deletedOnly: false },
      { services: app.services, log },
      { jobId: UNKNOWN_ID, attempt: 1, last: false },
    );
    expect(logged).toEqual([{ count: 1, files: [first] }]);
    await app.sql('update media set deleted_at = now() where id = $1', [image.id]);
    await clean(true);
  });

  describe('of more files than fit into one round', () => {
    const OLD = new Date(0);
    const name = (n: number) => n.toString(16).padStart(32, '0');
    /** A bucket with these files, which counts how many were listed and not processed yet. */
    function bucket(names: readonly string[], order = (files: string[]) => files.sort()) {
      const there = new Set(names);
      const seen = { removed: [] as string[], asked: 0, listed: 0 };
      const storage: Storage = {
        target: 'memory',
        write: () => Promise.reject(new Error('not asked for')),
        open: async (file) => {
          seen.asked++;
          return there.has(file) ? { bytes: 1, stream: () => Promise.reject(new Error('not asked for')) } : null;
        },
        remove: async (file) => {
          there.delete(file);
          seen.removed.push(file);
        },
        async *list(folder = '/'): AsyncIterable<StoredFile> {
          const isBelow = (file: string) => (folder === '/' ? !file.includes('/') : file.startsWith(folder));
          for (const file of order([...there].filter(isBelow))) {
            seen.listed++;
            yield { file, changedAt: OLD };
            // Everything here is to be removed: what is not removed yet is in memory.
            if (held) expect(seen.listed - seen.removed.length).toBeLessThan(510);
          }
        },
        sweep: async () => 0,
        close() {},
      };
      const held = names.every((file) => file.startsWith('f'));
      return { storage, seen };
    }
    const five = (of: string) => ['.webp', '-384.webp', '-192.webp', '-96.webp', '-512.png'].map((end) => of + end);
    const rows = (from: number, to: number) =>
      app.sql(
        `insert into media (name, bucket, status, used_at, width, height, frames, bytes, sha256, variants)
         select lpad(to_hex(n), 32, '0'), 'token-images', 'used', now(), 1, 1, 1, 1, sha256(''),
           (select jsonb_agg(jsonb_build_object('file', lpad(to_hex(n), 32, '0') || e))
            from unnest(array['.webp', '-384.webp', '-192.webp', '-96.webp', '-512.png']) as e)
         from generate_series($1::int, $2::int) as n`,
        [from, to],
      );
    const mine = () => app.sql("delete from media where name like '000000%'");

    it('finds every missing and every orphaned file', async () => {
      await app.sql('update media set deleted_at = now()');
      await clean(true);
      await rows(1, 700);
      const all = Array.from({ length: 700 }, (_, i) => five(name(i + 1))).flat();
      const lost = new Set([
        ...five(name(1)),
        `${name(100)}.webp`,
        `${name(101)}-192.webp`,
        `${name(500)}-96.webp`,
        ...five(name(700)),
      ]);
      // At the borders of rounds, before the first and after the last.
      const orphans = [...five(name(0)), `${name(701)}.webp`, ...five('f'.repeat(32))];
      const { storage, seen } = bucket([...all.filter((file) => !lost.has(file)), ...orphans, 'notes.txt']);
      const done = await cleanUploads(db, storage, { now: app.now, deletedOnly: false });
      expect(done).toMatchObject({ orphans: orphans.length, lost: lost.size, compared: true });
      expect(done.missing.sort()).toEqual([...lost].sort());
      expect(seen.removed.sort()).toEqual(orphans.sort());
      // Only files missing from the list are requested individually.
      expect(seen.asked).toBe(lost.size);
      await mine();
    });

    it('counts the files missing from an empty bucket, and names a hundred', async () => {
      await rows(1, 120);
      const done = await cleanUploads(db, bucket([]).storage, { now: app.now, deletedOnly: false });
      expect([done.lost, done.missing.length]).toEqual([600, 100]);
      await mine();
    });

    it('holds the names of one round in memory at most', async () => {
      const files = Array.from({ length: 500 }, (_, i) => five(`f${name(i).slice(1)}`)).flat();
      const { storage, seen } = bucket(files);
      expect(await cleanUploads(db, storage, { now: app.now, deletedOnly: false })).toMatchObject({ orphans: 2_500 });
      expect(seen.removed).toHaveLength(2_500);
    });

    it('removes direct uploads of an earlier configuration, and continues after one it cannot remove', async () => {
      const [locked, left, orphan] = [`arrivals/${name(1)}`, `arrivals/${name(2)}`, `${name(3)}.webp`];
      const { storage, seen } = bucket([locked, left, orphan]);
      const remove = (file: string) => (file === locked ? Promise.reject(new Error('locked')) : storage.remove(file));
      const done = await cleanUploads(db, { ...storage, remove }, { now: app.now, deletedOnly: false });
      expect(done).toMatchObject({ orphans: 2, compared: true });
      expect(done.failures).toHaveLength(1);
      expect(seen.removed).toEqual([orphan, left]);
    });

    it('removes orphans from an unordered listing, and reports that missing files were not compared', async () => {
      await rows(1, 300);
      const all = Array.from({ length: 300 }, (_, i) => five(name(i + 1))).flat();
      const { storage, seen } = bucket([...all, `${name(999)}.webp`], (files) => files.sort().reverse());
      const done = await cleanUploads(db, storage, { now: app.now, deletedOnly: false });
      expect(done).toMatchObject({ orphans: 1, lost: 0, compared: false });
      expect(seen.removed).toEqual([`${name(999)}.webp`]);
      const logged: unknown[] = [];
      const log = { info() {}, error() {}, warn: (text: unknown) => logged.push(text) } as never;
      const services = { ...app.services, media: { ...media, clean: async () => ({ ...done, looked: 0 }) } };
      await cleanJob({ deletedOnly: false }, { services, log }, { jobId: UNKNOWN_ID, attempt: 1, last: false });
      expect(logged).toEqual([expect.stringContaining('missing files cannot be detected')]);
      await mine();
    });
  });

  it('can run twice concurrently while images are stored and removed', async () => {
    for (let i = 0; i < 6; i++)
      await app.sql('update media set deleted_at = now() where id = $1', [(await store()).id]);
    // Rows get the time of the files: otherwise the new one is months old, and expires when it is stored before the first step.
    app.setNow(machineTime(0).toISOString());
    const [, , fresh] = await Promise.all([clean(), clean(true), store()]);
    expect(await row(fresh)).toMatchObject({ deleted_at: null });
    expect(await filesOf(fresh)).toHaveLength(5);
    expect(await app.sql('select 1 from media where deleted_at is not null')).toEqual([]);
    const names = new Set((await app.sql<{ name: string }>('select name from media')).map(({ name }) => name));
    for (const file of await files()) expect(names).toContain(file.slice(0, 32));
  });
});

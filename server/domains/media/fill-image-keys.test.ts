import sharp from 'sharp';
import { beforeEach, expect, it } from 'vitest';
import { StorageError } from '#server/providers/storage/port.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { sampleToken } from '#tests/support/samples/resemblance-samples.ts';
import { fillImageKeys, NO_IMAGE_KEY } from './fill-image-keys.ts';
import { createImageProcessor } from './image-processor.ts';

const app = await startTestApp();
const { db, media } = app.services;
const { id: userId } = await app.member({ role: 'admin' });

/** Images whose key is missing, newest first. */
async function withoutKey(count: number): Promise<{ id: string; name: string }[]> {
  for (let seed = 0; seed < count; seed++)
    await media.store({
      bytes: await sharp(Buffer.from(sampleToken(seed).svg))
        .png()
        .toBuffer(),
      declared: null,
      bucket: 'project-images',
      owner: { userId },
      actor: { id: userId, role: 'admin', ipHash: null, requestId: null },
    });
  return app.sql('update media set picture_key = null returning id, name').then(newestFirst);
}
const newestFirst = () => app.sql<{ id: string; name: string }>('select id, name from media order by created_at desc');
const keyOf = async (id = '') => {
  const [row] = await app.sql<{ picture_key: string | null }>('select picture_key from media where id = $1', [id]);
  return row?.picture_key;
};
beforeEach(async () => {
  await app.sql('delete from media');
});

it('marks an image whose file is missing, so that its key is not computed again', async () => {
  const [image] = await withoutKey(1);
  const storage = { open: async () => null } as never;
  expect(await fillImageKeys(db, storage, createImageProcessor())).toBe(1);
  expect(await keyOf(image?.id)).toBe(NO_IMAGE_KEY);
});

it('computes the keys of the other images when one cannot be read, and reports the failure', async () => {
  const [newest, older] = await withoutKey(2);
  const open = async (file: string) => {
    if (file.includes(newest?.name ?? '')) throw new StorageError('this file is damaged');
    return null;
  };
  await expect(fillImageKeys(db, { open } as never, createImageProcessor())).rejects.toThrow(StorageError);
  expect([await keyOf(newest?.id), await keyOf(older?.id)]).toEqual([null, NO_IMAGE_KEY]);
});

it('stops after a few images while the storage is unavailable', async () => {
  await withoutKey(5);
  let attempts = 0;
  const open = async () => {
    attempts++;
    throw new StorageError('nobody answers');
  };
  await expect(fillImageKeys(db, { open } as never, createImageProcessor())).rejects.toThrow(StorageError);
  expect(attempts).toBe(3);
});

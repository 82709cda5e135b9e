import fs from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { DRAFT_IMAGES, type UploadedImage } from '#contract/domains/media.ts';
import { releaseMedia } from '#server/domains/media/media.service.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { COMPLETE } from '#tests/support/payments/complete-draft.ts';
import { halvesImage } from '#tests/support/samples/images.ts';

const app = await startTestApp({ trustProxy: 1 });
// Networks with manual delivery, so that drafts are accepted.
await app.sql('update blockchain_networks set manual_days = 7');
const HOUR = 3_600_000;

let png: Buffer;
beforeAll(async () => {
  png = await halvesImage(20, 20).png().toBuffer();
});

let serial = 0;
const newAddress = () => `10.31.${++serial % 250}.7`;
/** A guest with a draft, from a separate address. */
async function begin() {
  app.pass(2_000);
  const address = newAddress();
  const api = app.as(null, { address });
  return { api, address, ...(await api.tokenRequests.create({ data: COMPLETE })) };
}
type Begun = Awaited<ReturnType<typeof begin>>;

const send = (headers: Record<string, string>, from = newAddress()) =>
  app.http('/uploads?bucket=token-images', {
    method: 'POST',
    headers: { 'content-type': 'image/png', 'x-forwarded-for': from, ...headers },
    body: new Uint8Array(png),
  });
const upload = async (draft: { id: string; secret: string }, headers: Record<string, string> = {}) => {
  const response = await send({ 'x-draft': `${draft.id}.${draft.secret}`, ...headers });
  const body = (await response.json()) as UploadedImage & { code?: string };
  return { status: response.status, code: body.code, image: body };
};
const keep = async (draft: Begun) => {
  const { status, image } = await upload(draft);
  expect(status).toBe(201);
  return image;
};
const rowOf = async ({ id }: UploadedImage) => (await app.sql('select * from media where id = $1', [id]))[0];
const filesOf = async ({ url }: UploadedImage) =>
  (await fs.readdir(path.join(app.uploadsDir, 'files'))).filter((file) => url.includes(file.slice(0, 32)));
const clean = () => app.services.media.clean({ now: app.now, deletedOnly: false });

describe('an image of a guest’s draft', () => {
  it('belongs to the draft, is used once saved, and is retained [row 17] [MEDIA-03] [AMB-36] [AMB-199]', async () => {
    const mine = await begin();
    const image = await keep(mine);
    expect(image.url).toMatch(/^\/media\/[0-9a-f]{32}\.webp$/);
    expect(await rowOf(image)).toMatchObject({
      owner_draft_id: mine.id,
      owner_user_id: null,
      bucket: 'token-images',
      status: 'temporary',
    });
    const saved = await mine.api.tokenRequests.save({
      id: mine.id,
      secret: mine.secret,
      version: mine.version,
      data: { imageUrl: image.url },
    });
    expect([saved.data.imageUrl, saved.hints]).toEqual([image.url, []]);
    app.pass(49 * HOUR);
    await clean();
    expect(await filesOf(image)).toHaveLength(5);
  });

  it('is deleted after 48 hours when the draft was never saved with it [AMB-200]', async () => {
    const mine = await begin();
    const image = await keep(mine);
    app.pass(48 * HOUR - 1);
    await clean();
    expect(await filesOf(image)).toHaveLength(5);
    app.pass(2);
    await clean();
    expect([await filesOf(image), await rowOf(image)]).toEqual([[], undefined]);
  });

  it('is deleted when another replaces it or the draft drops it, unless another record shows it', async () => {
    const mine = await begin();
    const { id, secret } = mine;
    const [first, second, third] = [await keep(mine), await keep(mine), await keep(mine)];
    let { version } = await mine.api.tokenRequests.save({ ...draftOf(mine), data: { imageUrl: first.url } });
    const project = await app.project({ image_url: first.url });
    ({ version } = await mine.api.tokenRequests.save({ id, secret, version, data: { imageUrl: second.url } }));
    await clean();
    expect(await filesOf(first)).toHaveLength(5);
    await app.sql('update projects set image_url = null where id = $1', [project.id]);
    // Replaced by another image, and then removed.
    ({ version } = await mine.api.tokenRequests.save({ id, secret, version, data: { imageUrl: third.url } }));
    await clean();
    expect(await filesOf(second)).toEqual([]);
    expect(await filesOf(third)).toHaveLength(5);
    await mine.api.tokenRequests.save({ id, secret, version, data: { imageUrl: '' } });
    await clean();
    expect(await filesOf(third)).toEqual([]);
  });

  it('remains when other records no longer show it', async () => {
    const mine = await begin();
    const image = await keep(mine);
    await mine.api.tokenRequests.save({ ...draftOf(mine), data: { imageUrl: image.url } });
    await app.services.db.transaction((tx) => releaseMedia(tx, image.url, app.now));
    await clean();
    expect(await filesOf(image)).toHaveLength(5);
  });

  it('is accessible to nobody else: the draft, secret or image of another grants nothing [row 17]', async () => {
    const [mine, other] = [await begin(), await begin()];
    const member = await app.member();
    const nobody = '00000000-0000-4000-8000-000000000000';
    for (const claim of [
      `${mine.id}.${other.secret}`,
      `${other.id}.${mine.secret}`,
      `${mine.id}.${mine.orderKey}`,
      `${mine.id}.${mine.secret}x`,
      `${mine.id}.`,
      `${nobody}.${mine.secret}`,
      `${'-'.repeat(36)}.${mine.secret}`,
      `${mine.id.replaceAll('-', '')}0000.${mine.secret}`,
      mine.secret,
      mine.id,
      '',
    ]) {
      const response = await send({ 'x-draft': claim });
      expect([response.status, ((await response.json()) as { code: string }).code], claim).toEqual([
        401,
        'UNAUTHORIZED',
      ]);
    }
    expect(await app.sql('select id from media where owner_draft_id = $1', [mine.id])).toEqual([]);

    const image = await keep(mine);
    // The URL of another's image does not add it to one's own draft.
    const stolen = await other.api.tokenRequests.save({ ...draftOf(other), data: { imageUrl: image.url } });
    expect([stolen.data.imageUrl, stolen.hints]).toEqual(['', ['imageDropped']]);
    const attempts = [
      () => other.api.tokenRequests.removeImage({ id: other.id, secret: other.secret, imageId: image.id }),
      () => other.api.tokenRequests.removeImage({ id: mine.id, secret: other.secret, imageId: image.id }),
      () => app.as().tokenRequests.removeImage({ id: mine.id, imageId: image.id }),
      () => app.as(member).tokenRequests.removeImage({ id: mine.id, imageId: image.id }),
      () => app.as(member).media.remove({ id: image.id }),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await rowOf(image)).toMatchObject({ deleted_at: null });
  });

  it('is one of at most three; a removed one frees its place, and one in use is not removed', async () => {
    const mine = await begin();
    const { id, secret } = mine;
    const images = [await keep(mine), await keep(mine), await keep(mine)];
    expect(images).toHaveLength(DRAFT_IMAGES.files);
    expect(await upload(mine)).toMatchObject({ status: 409, code: 'DRAFT_FULL' });
    const [shown, loose] = images as [UploadedImage, UploadedImage];
    await mine.api.tokenRequests.save({ ...draftOf(mine), data: { imageUrl: shown.url } });
    expect(await mine.api.tokenRequests.removeImage({ id, secret, imageId: shown.id })).toEqual({ removed: false });
    expect(await upload(mine)).toMatchObject({ code: 'DRAFT_FULL' });
    expect(await mine.api.tokenRequests.removeImage({ id, secret, imageId: loose.id })).toEqual({ removed: true });
    await expect(mine.api.tokenRequests.removeImage({ id, secret, imageId: loose.id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await app.services.media.clean({ now: app.now, deletedOnly: true });
    expect(await filesOf(loose)).toEqual([]);
    expect((await upload(mine)).status).toBe(201);
  });

  it('is refused after ten in a minute from one address, over all drafts', async () => {
    app.pass(120_000);
    const drafts = [await begin(), await begin(), await begin(), await begin()];
    const from = newAddress();
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++) {
      const draft = drafts[i % 4] as Begun;
      statuses.push((await send({ 'x-draft': `${draft.id}.${draft.secret}` }, from)).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(201), 429]);
  });

  it('is refused for a paid draft', async () => {
    const mine = await begin();
    const image = await keep(mine);
    await app.sql("update token_creation_submissions set payment_status = 'completed' where id = $1", [mine.id]);
    expect(await upload(mine)).toMatchObject({ status: 401 });
    await expect(
      mine.api.tokenRequests.removeImage({ id: mine.id, secret: mine.secret, imageId: image.id }),
    ).rejects.toMatchObject({ code: 'LOCKED' });
  });

  it('also belongs to the member who works on the draft', async () => {
    const ana = await app.member();
    const mine = await begin();
    const { image } = await upload(mine, { cookie: ana.cookie });
    expect(await rowOf(image)).toMatchObject({ owner_draft_id: mine.id, owner_user_id: ana.id });
    expect(await app.as(ana).media.remove({ id: image.id })).toEqual({ removed: true });
  });
});

/** Credentials of a draft, in its first version. */
function draftOf({ id, secret, version }: Begun) {
  return { id, secret, version };
}

import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, startTestApp } from '#tests/support/app/test-app.ts';
import { halvesImage } from '#tests/support/samples/images.ts';

let notified = true;
const app = await startTestApp({ imagesMayStay: () => notified });
const { media, hub } = app.services;
const gone: string[] = [];
let ana: Person;
let png: Buffer;
beforeAll(async () => {
  hub.onImageGone((name) => gone.push(name));
  ana = await app.member();
  png = await halvesImage(20, 20).png().toBuffer();
});

const store = (bucket: 'token-images' | 'forum-images' = 'token-images') =>
  media.store({
    bytes: png,
    declared: null,
    bucket,
    owner: { userId: ana.id },
    actor: { id: null, role: 'visitor', ipHash: null, requestId: null },
  });
const nameOf = ({ url }: { url: string }) => url.slice('/media/'.length, -'.webp'.length);

describe('an image that is no longer public', () => {
  it('is announced to caches when it is removed, once, and not again when its files and row are deleted', async () => {
    const image = await store();
    await app.as(ana).media.remove({ id: image.id });
    await expect.poll(() => gone).toContain(nameOf(image));
    await media.clean({ now: app.now, deletedOnly: true });
    const next = await store();
    await app.sql('delete from media where id = $1', [next.id]);
    await expect.poll(() => gone).toContain(nameOf(next));
    expect(gone.filter((name) => name === nameOf(image))).toHaveLength(1);
  });

  it('is announced to caches when it is removed as abandoned after two days', async () => {
    const image = await store();
    app.pass(49 * 3_600_000);
    await media.clean({ now: app.now, deletedOnly: false });
    await expect.poll(() => gone).toContain(nameOf(image));
  });

  it('is announced to caches when the post that shows it is hidden, after its file was removed', async () => {
    const image = await store('forum-images');
    const [post] = await app.sql<{ id: string }>(
      "insert into forum_posts (title, content) values ('Una foto', 'Mira') returning id",
    );
    await app.sql(
      `insert into forum_post_images (post_id, position, url, alt, width, height) values ($1, 0, $2, '', 20, 20)`,
      [post?.id, image.url],
    );
    expect((await app.http(image.url)).status).toBe(200);
    await app.sql('update forum_posts set title = title || $2 where id = $1', [post?.id, '!']);
    await app.sql('update forum_posts set is_hidden = true, deleted_at = now() where id = $1', [post?.id]);
    await expect.poll(() => gone).toContain(nameOf(image));
    const answer = await app.http(image.url);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
    expect(gone.filter((name) => name === nameOf(image))).toHaveLength(1);
  });

  it('is not stored by shared caches while its removal cannot be read from the database', async () => {
    const image = await store();
    await app.sql('update media set trashed_at = now() where id = $1', [image.id]);
    expect((await app.http(image.url)).status).toBe(404);
    await app.sql('alter table media rename to media_away');
    const answer = await app.http(image.url).finally(() => app.sql('alter table media_away rename to media'));
    expect([answer.status, answer.headers.get('cache-control'), answer.headers.get('surrogate-key')]).toEqual([
      200,
      'private, max-age=60',
      null,
    ]);
    expect((await app.http(image.url)).status).toBe(404);
  });

  it('has a long lifetime in shared caches only while they receive purges', async () => {
    const image = await store();
    const tag = `florka-image-${nameOf(image)}`;
    const small = await app.http(image.url.replace('.webp', '-96.webp'));
    expect(small.headers.get('cache-control')).toBe('public, max-age=3600, s-maxage=31536000, immutable');
    expect(small.headers.get('surrogate-key')?.split(' ')).toContain(tag);
    const etag = small.headers.get('etag') ?? '';
    const again = await app.http(image.url.replace('.webp', '-96.webp'), { headers: { 'if-none-match': etag } });
    expect([again.status, again.headers.get('surrogate-key')?.includes(tag)]).toEqual([304, true]);
    notified = false;
    const plain = await app.http(image.url);
    expect(plain.headers.get('cache-control')).toBe('public, max-age=3600, immutable');
    expect(plain.headers.get('surrogate-key')).toBeNull();
  });
});

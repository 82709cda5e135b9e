import sharp from 'sharp';
import { beforeEach, expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { halvesImage } from '#tests/support/samples/images.ts';

const app = await startTestApp();
const owner = await app.member({ role: 'admin' });
const by = app.as(owner, {}).admin;
const { services } = app;
const png = await halvesImage(600, 300).png().toBuffer();
const upload = (bytes = png) =>
  services.media.store({
    bytes,
    declared: null,
    bucket: 'project-images',
    owner: { userId: owner.id },
    actor: { id: owner.id, role: 'admin', ipHash: null, requestId: null },
  });
async function save(value: string | null) {
  const setting = (await by.settings.list()).find(({ name }) => name === 'siteMark');
  await by.settings.save({ changes: [{ name: 'siteMark', version: setting?.version ?? 0, value }] });
  await expect.poll(() => services.settings.site().mark).toBe(value);
}
beforeEach(() => app.sql('update sessions set proved_at = now() where user_id = $1', [owner.id]));
const ask = (path: string) => app.http(path, { redirect: 'manual' });
const icons = async () => {
  const manifest: { icons: { src: string }[] } = await (await ask('/site.webmanifest')).json();
  return manifest.icons.map(({ src }) => src);
};
const used = async (url: string) =>
  (
    await app.sql(`select status, deleted_at is not null as gone, uses from media where $1 like '%' || name || '%'`, [
      url,
    ])
  )[0];

it('the mark replaces the default logo in every process, counts as used in the library, and is deleted on reset', async () => {
  const other = await app.secondProcess();
  const drawnCard = Buffer.from(await (await ask('/og/es/site.png')).arrayBuffer());
  expect((await ask('/favicon.svg')).status).not.toBe(302);
  const { url, id } = await upload();
  await save(url);
  await expect.poll(() => other.settings.site().mark).toBe(url);
  expect((await app.as().settings.notices()).site.mark).toBe(url);
  const file = url.replace('.webp', '-512.png');
  expect(await icons()).toEqual([file]);
  for (const path of ['/favicon.svg', '/apple-touch-icon.png', '/icon-192.png']) {
    const answer = await ask(path);
    expect([answer.status, answer.headers.get('location'), answer.headers.get('cache-control')]).toEqual([
      302,
      file,
      'no-cache',
    ]);
  }
  expect((await ask(file)).headers.get('content-type')).toBe('image/png');
  const card = Buffer.from(await (await ask('/og/es/site.png')).arrayBuffer());
  expect(card.equals(drawnCard)).toBe(false);
  expect(await used(url)).toEqual({ status: 'used', gone: false, uses: 1 });
  expect((await by.media.read({ id })).shownIn).toMatchObject([{ place: 'setting', record: 'siteMark' }]);
  expect((await by.media.remove({ ids: [id] })).results).toMatchObject([{ code: 'IMAGE_SHOWN' }]);

  // Another mark replaces it, and the former image is deleted.
  const next = await upload();
  await save(next.url);
  expect(await used(url)).toMatchObject({ gone: true, uses: 0 });
  await save(null);
  await expect.poll(() => other.settings.site().mark).toBeNull();
  expect(await used(next.url)).toMatchObject({ gone: true });
  expect(await icons()).toContain('/icon-192.png');
  expect(Buffer.from(await (await ask('/og/es/site.png')).arrayBuffer()).equals(drawnCard)).toBe(true);
  expect(await app.sql(`select action, after from audit_events where resource_id = 'siteMark' order by id`)).toEqual([
    { action: 'setting.changed', after: { value: url } },
    { action: 'setting.changed', after: { value: next.url } },
    { action: 'setting.removed', after: { value: null } },
  ]);
});

it('the mark must be an uploaded, still existing image that is not animated', async () => {
  const wrong = [
    'https://evil.test/mark.svg',
    '/media/x.svg',
    '/favicon.svg',
    'data:image/svg+xml,<svg/>',
    `/media/${'a'.repeat(32)}-96.webp`,
    true,
    7,
  ];
  for (const value of wrong)
    await expect(by.settings.save({ changes: [{ name: 'siteMark', version: 0, value }] })).rejects.toMatchObject({
      code: 'SETTING_WRONG',
      data: { names: ['siteMark'] },
    });
  const gone = `/media/${'a'.repeat(32)}.webp`;
  await expect(by.settings.save({ changes: [{ name: 'siteMark', version: 0, value: gone }] })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  // An animation could not be stopped on any page.
  const frames = [0, 255].map((level) =>
    sharp({ create: { width: 8, height: 8, channels: 3, background: { r: level, g: 0, b: 0 } } })
      .png()
      .toBuffer(),
  );
  const gif = await sharp(await Promise.all(frames), { join: { animated: true } })
    .gif({ delay: [100, 100] })
    .toBuffer();
  const moving = await upload(gif);
  expect(moving.frames).toBe(2);
  await expect(
    by.settings.save({ changes: [{ name: 'siteMark', version: 0, value: moving.url }] }),
  ).rejects.toMatchObject({ code: 'SETTING_WRONG', data: { names: ['siteMark'] } });
  expect(await used(moving.url)).toMatchObject({ status: 'temporary', uses: 0 });
  expect(services.settings.site().mark).toBeNull();
});

import { once } from 'node:events';
import fs from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
// @ts-expect-error: has no types.
import S3rver from 's3rver';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Storage, StorageError } from '#server/providers/storage/port.ts';
import { s3Storage } from '#server/providers/storage/s3.ts';
import { app, codeOf, filesOf, keep, png, rows, upload } from '#tests/fixtures/uploads.ts';
import { startTestApp, type TestApp } from '#tests/support/app/test-app.ts';
import { speckled } from '#tests/support/samples/images.ts';

const down: { as?: 'full' | 'down' } = {};
const troubled = await startTestApp({ storage: brokenStorage() });

/** Accepts the first two files of an image, and then fails. */
function brokenStorage(): Storage & { files: Map<string, Uint8Array> } {
  const files = new Map<string, Uint8Array>();
  const fail = () => {
    throw new StorageError(Object.assign(new Error(), { code: down.as === 'full' ? 'ENOSPC' : 'EIO' }));
  };
  return {
    files,
    target: 'broken',
    async write(file, bytes) {
      if (down.as && files.size >= 2) fail();
      files.set(file, bytes);
    },
    async open(file) {
      if (down.as) fail();
      const bytes = files.get(file);
      return bytes ? { bytes: bytes.length, stream: async () => Readable.from([bytes]) } : null;
    },
    remove: async (file) => void files.delete(file),
    async *list() {},
    sweep: async () => 0,
    close: () => {},
  };
}

describe('a failing storage', () => {
  it.each([
    ['full', '507 STORAGE_FULL', null],
    ['down', '503 STORAGE_DOWN', '5'],
  ] as const)('that is %s is reported, and no partly written file remains', async (as, code, retryAfter) => {
    const { storage } = troubled;
    down.as = as;
    const response = await upload(png, { person: await troubled.member(), at: troubled });
    expect(response.headers.get('retry-after')).toBe(retryAfter);
    expect(await codeOf(response)).toBe(code);
    expect((storage as ReturnType<typeof brokenStorage>).files.size).toBe(0);
    expect(await rows(troubled)).toEqual([]);
    expect(troubled.logged.findLast(({ msg }) => msg === 'upload failed')).toMatchObject({ level: 50 });
    const read = await troubled.http(`/media/${'0'.repeat(32)}.webp`);
    expect([read.status, read.headers.get('retry-after'), read.headers.get('cache-control')]).toEqual([
      503,
      '5',
      'no-store',
    ]);
    delete down.as;
  });

  it('is used again as soon as it works', async () => {
    const { url } = await keep(png, { at: troubled });
    expect((await troubled.http(url)).status).toBe(200);
  });

  it('an upload fails when the database refuses its row, and a later cleanup deletes its files', async () => {
    const person = await app.member();
    const before = await filesOf();
    await app.sql('alter table media add constraint never check (bytes < 0) not valid');
    const response = await upload(png, { person });
    await app.sql('alter table media drop constraint never');
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('never');
    const left = (await filesOf()).filter((file) => !before.includes(file));
    expect(left).toHaveLength(5);
    const { orphans } = await app.services.media.clean({ now: new Date(Date.now() + 3_700_000), deletedOnly: false });
    expect(orphans).toBeGreaterThanOrEqual(5);
    const after = await filesOf();
    for (const file of left) expect(after).not.toContain(file);
  });
});

describe('an image', () => {
  let url: string;
  beforeAll(async () => {
    app.pass(120_000);
    ({ url } = await keep(png));
  });

  it('is public, cached for an hour, and cannot execute anything [MEDIA-17] [AMB-208]', async () => {
    for (const [target, type, name] of [
      [url, 'image/webp', 'image.webp'],
      [url.replace('.webp', '-96.webp'), 'image/webp', 'image.webp'],
      [url.replace('.webp', '-512.png'), 'image/png', 'image.png'],
    ] as const) {
      const response = await app.http(target);
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': type,
        'cache-control': 'public, max-age=3600, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
        'cross-origin-resource-policy': 'cross-origin',
        'content-disposition': `inline; filename="${name}"`,
        etag: `"${target.slice('/media/'.length)}"`,
      });
      expect(response.headers.get('set-cookie')).toBeNull();
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(bytes.length).toBe(Number(response.headers.get('content-length')));
      expect(`image/${(await sharp(bytes).metadata()).format}`).toBe(type);
    }
  });

  it('is described by HEAD, and not sent again to a client that has it', async () => {
    const head = await app.http(url, { method: 'HEAD' });
    const etag = head.headers.get('etag') ?? '';
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(0);
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await app.http(url, { headers: { 'if-none-match': tag } });
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
      expect(again.headers.get('x-content-type-options')).toBe('nosniff');
    }
    expect((await app.http(url, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    // Range requests are ignored; the whole file is sent.
    expect((await app.http(url, { headers: { range: 'bytes=0-3' } })).status).toBe(200);
  });

  it('is not served under other paths', async () => {
    await fs.writeFile(path.join(app.uploadsDir, 'secret.webp'), 'secret');
    const { port } = new URL(app.origin);
    for (const target of [
      `/media/${'0'.repeat(32)}.webp`,
      '/media/',
      '/media/../secret.webp',
      '/media/..%2fsecret.webp',
      '/media/%2e%2e/secret.webp',
      '/media/..\\secret.webp',
      '/media//etc/passwd',
      '/media/files/x.webp',
      `${url}.html`,
      `${url}%00.png`,
      url.replace('.webp', '.png'),
      url.replace('.webp', '-97.webp'),
      url.toUpperCase().replace('/MEDIA/', '/media/').replace('.WEBP', '.webp').replace('/media/', '/media/A'),
    ]) {
      const request = http.request({ host: '127.0.0.1', port, path: target, agent: false }).end();
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      response.resume();
      expect(response.statusCode, target).toBe(404);
      expect(response.headers['cache-control']).toBe('no-store');
    }
  });

  it('that is missing is 404, also for a client that claims to have it', async () => {
    const { url: gone } = await keep(png);
    for (const file of await filesOf())
      if (gone.includes(file.slice(0, 32))) await fs.rm(path.join(app.uploadsDir, 'files', file));
    expect((await app.http(gone, { headers: { 'if-none-match': `"${gone.slice('/media/'.length)}"` } })).status).toBe(
      404,
    );
  });
});

describe('with S3 [MEDIA-06]', () => {
  let root: string;
  let s3: { run: () => Promise<AddressInfo>; close: () => Promise<void> };
  let remote: TestApp;
  beforeAll(async () => {
    root = await fs.mkdtemp(path.join(os.tmpdir(), 'florka-s3-'));
    s3 = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: root,
      configureBuckets: [{ name: 'images' }],
    });
    const { port } = await s3.run();
    remote = await startTestApp({
      storage: s3Storage({
        endpoint: `http://127.0.0.1:${port}`,
        bucket: 'images',
        region: 'us-east-1',
        accessKeyId: 'S3RVER',
        secretAccessKey: 'S3RVER',
        forcePathStyle: true,
      }),
    });
  });
  afterAll(async () => {
    await s3.close();
    await fs.rm(root, { recursive: true, force: true });
  });

  it('an image is uploaded, served and removed', async () => {
    const person = await remote.member();
    const { id, url } = await keep(await speckled(900).jpeg().toBuffer(), { person, at: remote });
    const response = await remote.http(url);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp']);
    expect((await sharp(Buffer.from(await response.arrayBuffer())).metadata()).width).toBe(768);
    expect((await remote.http(url, { method: 'HEAD' })).status).toBe(200);
    const stored = [];
    for await (const { file } of remote.storage.list()) stored.push(file);
    expect(stored).toHaveLength(5);
    expect(await remote.as(person).media.remove({ id })).toEqual({ removed: true });
    // The URL ends with the removal, the files with the next cleaning.
    expect((await remote.http(url)).status).toBe(404);
    expect(await remote.services.media.clean({ now: remote.now, deletedOnly: true })).toMatchObject({ removed: 1 });
    expect((await remote.http(url)).status).toBe(404);
    for await (const { file } of remote.storage.list()) expect(file).toBeNull();
  });

  it('files without a row are deleted by their age in the bucket', async () => {
    const file = `${'a'.repeat(32)}.webp`;
    await remote.storage.write(file, png, 'image/webp');
    const clean = (ms: number) => remote.services.media.clean({ now: new Date(Date.now() + ms), deletedOnly: false });
    expect(await clean(3_000_000)).toMatchObject({ orphans: 0 });
    expect(await clean(3_700_000)).toMatchObject({ orphans: 1 });
    expect(await remote.storage.open(file)).toBeNull();
  });
});

describe('an S3 response that breaks off', () => {
  const BYTES = 200_000;
  const image = `/media/${'0'.repeat(32)}.webp`;
  const s3 = { sends: 0, breakOff: () => {} };
  let server: http.Server;
  let remote: TestApp;
  beforeAll(async () => {
    server = http.createServer((req, res) => {
      req.resume();
      res.writeHead(200, { 'content-type': 'image/webp', 'content-length': BYTES });
      if (req.method === 'HEAD') return void res.end();
      s3.breakOff = () => void res.socket?.destroySoon();
      if (s3.sends > 0) return void res.write(Buffer.alloc(s3.sends));
      res.flushHeaders();
      s3.breakOff();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    remote = await startTestApp({
      storage: s3Storage({
        endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        bucket: 'images',
        region: 'us-east-1',
        accessKeyId: 'key',
        secretAccessKey: 'secret',
        forcePathStyle: true,
      }),
    });
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  const logged = (message: string) => remote.logged.filter(({ msg }) => msg === message);

  it.each([
    [image, 'image not read'],
    [`/token-files/${'0'.repeat(64)}.png`, 'token file not read'],
  ])('before the first byte of %s is answered with 503, and is not cached', async (url, message) => {
    s3.sends = 0;
    const response = await remote.http(url);
    expect([response.status, await response.text()]).toEqual([503, 'Storage not available']);
    expect(Object.fromEntries(response.headers)).toMatchObject({ 'retry-after': '5', 'cache-control': 'no-store' });
    expect(response.headers.get('etag')).toBeNull();
    expect(logged(message)).toHaveLength(1);
  });

  it('in the middle of an image ends the connection, so that no client takes it for complete', async () => {
    s3.sends = BYTES / 2;
    const response = await remote.http(image);
    expect([response.status, response.headers.get('content-length')]).toEqual([200, String(BYTES)]);
    s3.breakOff();
    await expect(response.arrayBuffer()).rejects.toThrow();
    await expect.poll(() => logged('image broke off').length).toBe(1);
    expect(logged('image broke off')[0]).toMatchObject({ level: 40, err: { type: 'StorageError' } });
  });

  it('in the middle of a file that is read as a whole is answered with 503', async () => {
    s3.sends = BYTES / 2;
    const answer = remote.http(`/token-files/${'1'.repeat(64)}.json`);
    const first = s3.breakOff;
    await expect.poll(() => s3.breakOff !== first).toBe(true);
    s3.breakOff();
    expect((await answer).status).toBe(503);
  });
});

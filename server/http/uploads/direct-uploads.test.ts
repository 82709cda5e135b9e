import { createHash, createHmac, randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
// @ts-expect-error: has no types.
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DIRECT_UPLOADS, IMAGE, type UploadedImage, type UploadPlace } from '#contract/domains/media.ts';
import { s3Storage } from '#server/providers/storage/s3.ts';
import { startTestApp, type TestApp } from '#tests/support/app/test-app.ts';

const SECRET = 'S3RVER';
let root: string;
let s3: { run: () => Promise<AddressInfo>; close: () => Promise<void> };
let front: http.Server;
let app: TestApp;
const local = await startTestApp();

/** Signature version 4 of a presigned request, written from Amazon's specification: what a bucket verifies. */
function signatureOf(method: string, url: URL, headers: http.IncomingHttpHeaders): string {
  const parameters = [...url.searchParams].filter(([name]) => name !== 'X-Amz-Signature');
  const quoted = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const query = parameters.map(([name, value]) => `${quoted(name)}=${quoted(value)}`).sort();
  const signed = (url.searchParams.get('X-Amz-SignedHeaders') ?? '').split(';');
  const canonical = [
    method,
    url.pathname,
    query.join('&'),
    ...signed.map((name) => `${name}:${String(headers[name] ?? '').trim()}`),
    '',
    signed.join(';'),
    'UNSIGNED-PAYLOAD',
  ].join('\n');
  const [, day = '', region = '', service = ''] = (url.searchParams.get('X-Amz-Credential') ?? '').split('/');
  const text = [
    'AWS4-HMAC-SHA256',
    url.searchParams.get('X-Amz-Date'),
    `${day}/${region}/${service}/aws4_request`,
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n');
  let key: Buffer = Buffer.from(`AWS4${SECRET}`);
  for (const part of [day, region, service, 'aws4_request']) key = createHmac('sha256', key).update(part).digest();
  return createHmac('sha256', key).update(text).digest('hex');
}

/** Endpoint for browsers: accepts signed requests only, because s3rver does not verify them. */
function startFront(keep: (key: string, bytes: Buffer, type: string) => Promise<void>): Promise<http.Server> {
  const server = http.createServer(async (req, res) => {
    const url = new URL(req.url ?? '/', 'http://bucket');
    const body = await buffer(req);
    const right = signatureOf(req.method ?? '', url, req.headers) === url.searchParams.get('X-Amz-Signature');
    if (!right) return res.writeHead(403).end('SignatureDoesNotMatch');
    await keep(url.pathname.replace('/images/', ''), body, String(req.headers['content-type']));
    res.writeHead(200).end();
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

beforeAll(async () => {
  root = await fs.mkdtemp(path.join(os.tmpdir(), 'florka-direct-'));
  s3 = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: root,
    configureBuckets: [{ name: 'images' }],
  });
  const { port } = await s3.run();
  front = await startFront((key, bytes, type) => app.storage.write(key, bytes, type));
  app = await startTestApp({
    storage: s3Storage({
      endpoint: `http://127.0.0.1:${port}`,
      browserEndpoint: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
      bucket: 'images',
      region: 'us-east-1',
      accessKeyId: 'S3RVER',
      secretAccessKey: SECRET,
      forcePathStyle: true,
    }),
  });
});
afterAll(async () => {
  front.close();
  await s3.close();
  await fs.rm(root, { recursive: true, force: true });
});

/** A PNG of a large size: noise does not compress. */
async function large(side = 700): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const raw = { width: side, height: side, channels: 3 } as const;
  return sharp(randomBytes(side * side * 3), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

interface Asking {
  cookie?: string | undefined;
  type?: string;
  bucket?: string;
  headers?: Record<string, string>;
  at?: TestApp;
}
const ask = (about: string, { cookie, type = 'image/png', bucket = 'token-images', headers, at = app }: Asking) =>
  at.http(`/uploads?bucket=${bucket}&${about}`, {
    method: 'POST',
    headers: { 'content-type': type, ...(cookie ? { cookie } : {}), ...headers },
  });
const codeOf = async (response: Response) => `${response.status} ${((await response.json()) as { code: string }).code}`;
const place = async (asking: Asking, bytes: number): Promise<{ name: string; url: string }> => {
  const answer = await ask(`place=${bytes}`, asking);
  expect(answer.status, await answer.clone().text()).toBe(200);
  const { name, url } = (await answer.json()) as UploadPlace;
  if (!name || !url) throw new Error('no place');
  return { name, url };
};
const put = (url: string, body: Buffer, type = 'image/png') =>
  fetch(url, { method: 'PUT', headers: { 'content-type': type }, body: body as BodyInit });
const arrivals = async () => {
  const names: string[] = [];
  for await (const { file } of app.storage.list('arrivals/')) names.push(file);
  return names;
};

describe('a large image', () => {
  it('is uploaded directly to the bucket, and not public before it was validated', async () => {
    const { cookie } = await app.member();
    const png = await large();
    const { name, url } = await place({ cookie }, png.length);
    expect(new URL(url).origin).toBe(await app.storage.direct?.origin());
    expect(Number(new URL(url).searchParams.get('X-Amz-Expires'))).toBe(DIRECT_UPLOADS.seconds);
    expect((await put(url, png)).status).toBe(200);
    expect(await arrivals()).toEqual([`arrivals/${name}`]);
    for (const address of [`/media/${name}`, `/media/${name}.webp`, `/media/arrivals/${name}`])
      expect((await app.http(address)).status, address).toBe(404);
    const before = await app.sql('select 1 from media');
    const answer = await ask(`arrived=${name}`, { cookie });
    expect(answer.status, await answer.clone().text()).toBe(201);
    const image = (await answer.json()) as UploadedImage;
    expect([image.width, image.height]).toEqual([700, 700]);
    expect((await app.http(image.url)).status).toBe(200);
    // Re-encoded like every image; the uploaded original is deleted.
    expect(image.url).not.toContain(name);
    expect(await arrivals()).toEqual([]);
    expect(await app.sql('select 1 from media')).toHaveLength(before.length + 1);
    expect(await codeOf(await ask(`arrived=${name}`, { cookie }))).toBe('409 NOT_ARRIVED');
  });

  it('must match its announcement: another size, type or name is refused by the bucket', async () => {
    const { cookie } = await app.member();
    const png = await large();
    const { name, url } = await place({ cookie }, png.length);
    expect((await put(url, Buffer.concat([png, png]))).status).toBe(403);
    expect((await put(url, png.subarray(1))).status).toBe(403);
    expect((await put(url, png, 'text/html')).status).toBe(403);
    expect((await put(url.replace(name, 'f'.repeat(32)), png)).status).toBe(403);
    expect((await put(url.replace('Expires=300', 'Expires=3000'), png)).status).toBe(403);
    expect(await arrivals()).toEqual([]);
    expect(await codeOf(await ask(`arrived=${name}`, { cookie }))).toBe('409 NOT_ARRIVED');
  });

  it('whose content is not an image is refused and deleted', async () => {
    const { cookie } = await app.member();
    const before = await app.sql('select 1 from media');
    const page = Buffer.from(`<script>alert(1)</script>${' '.repeat(DIRECT_UPLOADS.minBytes)}`);
    const { name, url } = await place({ cookie }, page.length);
    expect((await put(url, page)).status).toBe(200);
    expect(await codeOf(await ask(`arrived=${name}`, { cookie }))).toBe('415 FILE_TYPE');
    expect(await arrivals()).toEqual([]);
    expect(await app.sql('select 1 from media')).toHaveLength(before.length);
  });

  it('is limited by its size in the bucket, whatever size was signed', async () => {
    const { cookie } = await app.member();
    const name = '1'.repeat(32);
    await app.storage.write(`arrivals/${name}`, Buffer.alloc(IMAGE.maxBytes + 1), 'image/png');
    expect(await codeOf(await ask(`arrived=${name}`, { cookie }))).toBe('413 FILE_TOO_LARGE');
    expect(await arrivals()).toEqual([]);
  });

  it('whose arrival is never reported is deleted after an hour', async () => {
    const { cookie } = await app.member();
    const png = await large();
    const { url } = await place({ cookie }, png.length);
    expect((await put(url, png)).status).toBe(200);
    // Not of the site, which must not delete it.
    const foreign = ['arrivals/2026-report.pdf', `arrivals/${'b'.repeat(32)}.webp`];
    for (const file of foreign) await app.storage.write(file, Buffer.from('x'), 'application/pdf');
    const clean = (ms: number) => app.services.media.clean({ now: new Date(Date.now() + ms), deletedOnly: false });
    expect(await clean(3_000_000)).toMatchObject({ orphans: 0 });
    expect(await arrivals()).toHaveLength(3);
    expect((await clean(3_700_000)).orphans).toBeGreaterThan(0);
    expect((await arrivals()).toSorted()).toEqual(foreign);
    for (const file of foreign) await app.storage.remove(file);
  });
});

describe('a presigned URL', () => {
  const bytes = DIRECT_UPLOADS.minBytes;

  it('is only for permitted uploads', async () => {
    const { cookie } = await app.member();
    expect(await codeOf(await ask(`place=${bytes}`, {}))).toBe('401 UNAUTHORIZED');
    expect(await codeOf(await ask(`arrived=${'0'.repeat(32)}`, {}))).toBe('401 UNAUTHORIZED');
    expect(await codeOf(await ask(`place=${bytes}`, { cookie, bucket: 'project-images' }))).toBe('403 FORBIDDEN');
    expect(await codeOf(await ask(`place=${bytes}`, { cookie, headers: { origin: 'https://evil.example' } }))).toBe(
      '403 FOREIGN_ORIGIN',
    );
    expect(await codeOf(await ask(`place=${bytes}`, { cookie, type: 'image/svg+xml' }))).toBe('415 FILE_TYPE');
    expect(await codeOf(await ask(`place=${IMAGE.maxBytes + 1}`, { cookie }))).toBe('413 FILE_TOO_LARGE');
    for (const wrong of ['place=', 'place=-1', 'place=1e6', 'arrived=', 'arrived=../ledger/key', 'arrived=ABC'])
      expect(await codeOf(await ask(wrong, { cookie })), wrong).toBe('409 NOT_ARRIVED');
  });

  it('is issued ten times a minute, separately from uploads', async () => {
    const { cookie } = await app.member();
    for (let n = 0; n < 10; n++) expect((await ask(`place=${bytes}`, { cookie })).status).toBe(200);
    expect(await codeOf(await ask(`place=${bytes}`, { cookie }))).toBe('429 RATE_LIMITED');
    expect(await codeOf(await ask(`arrived=${'0'.repeat(32)}`, { cookie }))).toBe('409 NOT_ARRIVED');
  });

  it('is not issued for small images, for unknown types, or with storage on disk', async () => {
    const { cookie } = await app.member();
    const none = { name: null, url: null };
    expect(await (await ask(`place=${bytes - 1}`, { cookie })).json()).toEqual(none);
    expect(await (await ask(`place=${bytes}`, { cookie, type: 'application/octet-stream' })).json()).toEqual(none);
    const other = await local.member();
    expect(await (await ask(`place=${bytes}`, { cookie: other.cookie, at: local })).json()).toEqual(none);
    expect(await codeOf(await ask(`arrived=${'0'.repeat(32)}`, { cookie: other.cookie, at: local }))).toBe(
      '409 NOT_ARRIVED',
    );
  });
});

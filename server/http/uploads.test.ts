import { once } from 'node:events';
import fs from 'node:fs/promises';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
// @ts-expect-error: has no types.
import S3rver from 's3rver';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IMAGE, UPLOAD_LIMITS, type UploadedImage } from '#contract/media.ts';
import { type Storage, StorageError } from '#server/providers/storage/port.ts';
import { s3Storage } from '#server/providers/storage/s3.ts';
import {
  blackPng,
  CANARY,
  foreignFiles,
  gif,
  halvesImage,
  jpegClaiming,
  moving,
  phonePhoto,
  polyglots,
  speckled,
  webpClaiming,
} from '#tests/support/images.ts';
import { type Person, startTestApp, type TestApp } from '#tests/support/test-app.ts';

/** Guests say in a header which draft they hold: a stand-in for the real claim. */
const mayUpload = async (request: Request) => {
  const draftId = request.headers.get('x-test-draft');
  return draftId ? { owner: { draftId } } : null;
};
const app = await startTestApp({ mayUpload, bodyPatience: 1_500 });
const down: { as?: 'full' | 'down' } = {};
const troubled = await startTestApp({ storage: brokenStorage() });

let png: Buffer;
beforeAll(async () => {
  png = await halvesImage().png().toBuffer();
});

/** Takes the first two files of an image, and nothing after them. */
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

interface Sent {
  person?: Person | undefined;
  type?: string;
  bucket?: string;
  headers?: Record<string, string>;
  at?: TestApp;
}
const upload = (body: Buffer | string, { person, type, bucket = 'token-images', headers, at = app }: Sent = {}) =>
  at.http(`/uploads?bucket=${bucket}`, {
    method: 'POST',
    headers: {
      'content-type': type ?? 'application/octet-stream',
      ...(person ? { cookie: person.cookie } : {}),
      ...headers,
    },
    body: body as BodyInit,
  });
const keep = async (body: Buffer, sent: Sent = {}): Promise<UploadedImage> => {
  const response = await upload(body, { person: await (sent.at ?? app).member(), ...sent });
  expect(response.status, await response.clone().text()).toBe(201);
  return (await response.json()) as UploadedImage;
};
const codeOf = async (response: Response) => `${response.status} ${((await response.json()) as { code: string }).code}`;
const filesOf = (at = app) => fs.readdir(path.join(at.uploadsDir, 'files'));
const rows = (at = app) => at.sql<{ id: string; name: string } & Record<string, unknown>>('select * from media');

async function draft(): Promise<string> {
  const [row] = await app.sql<{ id: string }>(
    "insert into token_creation_submissions (edit_secret_hash) values ('\\x00') returning id",
  );
  return row?.id ?? '';
}

/** A request whose body is written by hand; answers with what came back before the connection ended. */
async function byHand(headers: Record<string, string>, write: (req: http.ClientRequest) => void) {
  const { port } = new URL(app.origin);
  const person = await app.member();
  const request = http.request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: '/uploads?bucket=token-images',
    agent: false,
    headers: { cookie: person.cookie, 'content-type': 'image/png', ...headers },
  });
  const began = performance.now();
  const closed = new Promise<number>((resolve) => {
    request.on('close', () => resolve(performance.now() - began));
    request.on('error', () => {});
  });
  const answered = new Promise<{ status: number; code: string } | null>((resolve) => {
    request.on('response', async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve({
        status: response.statusCode ?? 0,
        code: (JSON.parse(Buffer.concat(chunks).toString()) as { code: string }).code,
      });
    });
    void closed.then(() => setTimeout(resolve, 50, null));
  });
  write(request);
  return { answered, closed, request };
}

describe('an upload', () => {
  it('is kept in all sizes, under a name that nobody can guess [MEDIA-03..05] [MEDIA-12..13] [AMB-36]', async () => {
    const person = await app.member({ role: 'admin' });
    const names = new Set<string>();
    for (const bucket of ['token-images', 'project-images', 'voting-candidate-images']) {
      const image = await keep(png, { person, bucket, type: 'image/png' });
      expect(image).toEqual({
        id: expect.any(String),
        url: expect.stringMatching(/^\/media\/[0-9a-f]{32}\.webp$/),
        width: 120,
        height: 80,
        frames: 1,
      });
      const [row] = await app.sql('select * from media where id = $1', [image.id]);
      expect(row).toMatchObject({
        bucket,
        owner_user_id: person.id,
        owner_draft_id: null,
        status: 'temporary',
        bytes: png.length,
        used_at: null,
        deleted_at: null,
      });
      const variants = row?.['variants'] as { file: string; bytes: number; width: number }[];
      expect(variants).toHaveLength(5);
      for (const { file, bytes } of variants) {
        expect((await fs.stat(path.join(app.uploadsDir, 'files', file))).size).toBe(bytes);
        expect(file).toContain(row?.['name']);
      }
      names.add(row?.['name'] as string);
    }
    expect(names.size).toBe(3);
  });

  it('is in the audit log', async () => {
    const person = await app.member();
    const { id } = await keep(png, { person });
    const entries = await app.sql('select actor_id, action from audit_events where resource_id = $1', [id]);
    expect(entries).toEqual([{ actor_id: person.id, action: 'image.uploaded' }]);
  });

  it('needs a session or a draft, and is not even read without one', async () => {
    expect(await codeOf(await upload(png))).toBe('401 UNAUTHORIZED');
    expect(await codeOf(await upload(png, { headers: { cookie: 'florka.session_token=forged' } }))).toBe(
      '401 UNAUTHORIZED',
    );
    const { answered, request } = await byHand({ cookie: '', 'transfer-encoding': 'chunked' }, (req) =>
      req.write('first'),
    );
    expect(await answered).toEqual({ status: 401, code: 'UNAUTHORIZED' });
    request.destroy();
  });

  it('for the back office is an admin’s, in whatever way somebody stopped being one', async () => {
    const demoted = await app.member({ role: 'admin' });
    await app.sql('delete from admin_profiles where id = $1', [demoted.id]);
    for (const bucket of ['project-images', 'voting-candidate-images']) {
      await keep(png, { person: await app.member({ role: 'admin', verified: true }), bucket });
      for (const person of [await app.member(), await app.member({ role: 'moderator' }), demoted])
        expect(await codeOf(await upload(png, { person, bucket }))).toBe('403 FORBIDDEN');
    }
  });

  it('names one of the three buckets', async () => {
    const person = await app.member();
    for (const bucket of ['', 'secrets', '../x', 'token-images/../..'])
      expect(await codeOf(await upload(png, { person, bucket }))).toBe('400 BUCKET');
  });

  it('is a POST', async () => {
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH']) {
      const response = await app.http('/uploads', { method });
      expect(response.status, method).toBe(405);
      expect(response.headers.get('allow')).toBe('POST');
    }
  });
});

describe('the content of an upload', () => {
  const refusedWith = async (bytes: Buffer, sent: Sent = {}) =>
    codeOf(await upload(bytes, { person: await app.member(), ...sent }));

  it('decides, not its name or type; nothing of what is refused stays [MEDIA-01] [MEDIA-07]', async () => {
    const before = [await filesOf(), await rows()];
    for (const [name, bytes] of await foreignFiles())
      expect(await refusedWith(bytes, { type: 'image/png' }), name).toBe('415 FILE_TYPE');
    expect(await refusedWith(await moving(2).gif().toBuffer(), { type: 'image/png' })).toBe('415 FILE_TYPE');
    for (const [name, bytes] of [
      ['PNG', blackPng(16_383, 16_383)],
      ['JPEG', await jpegClaiming(16_383, 16_383)],
      ['WebP', await webpClaiming(16_383, 16_383)],
      ['GIF', gif(16_383, 16_383, 1)],
      ['frames', gif(100, 100, 1_298)],
      ['cut', (await speckled(100).jpeg().toBuffer()).subarray(0, 5_000)],
    ] as const)
      expect(await refusedWith(bytes), name).toBe('422 IMAGE_REFUSED');
    expect([await filesOf(), await rows()]).toEqual(before);
  });

  it('is bytes as they are: other types, forms and compressed bodies are not taken', async () => {
    const form = new FormData();
    for (const name of ['file', 'file'])
      form.append(name, new Blob([png as BlobPart], { type: 'image/png' }), '../../x.png');
    const person = await app.member();
    const send = (headers: Record<string, string>, body: BodyInit) =>
      app.http('/uploads?bucket=token-images', {
        method: 'POST',
        headers: { cookie: person.cookie, ...headers },
        body,
      });
    expect(await codeOf(await send({}, form))).toBe('415 FILE_TYPE');
    const noName = `--b\r\ncontent-type: image/png\r\n\r\n${png.toString('latin1')}\r\n--b--`;
    expect(await codeOf(await send({ 'content-type': 'multipart/form-data; boundary=b' }, noName))).toBe(
      '415 FILE_TYPE',
    );
    for (const type of ['', 'image/svg+xml', 'text/html', 'application/json', 'image/avif', 'image/png, text/html'])
      expect(await codeOf(await send({ 'content-type': type }, png as BodyInit)), type).toBe('415 FILE_TYPE');
    expect(
      await codeOf(await send({ 'content-type': 'image/png', 'content-encoding': 'gzip' }, gzipSync(png) as BodyInit)),
    ).toBe('415 FILE_TYPE');
    // Not even when it says so of plain bytes.
    for (const encoding of ['gzip', 'br', 'identity, gzip'])
      expect(
        await codeOf(await send({ 'content-type': 'image/png', 'content-encoding': encoding }, png as BodyInit)),
      ).toBe('415 FILE_TYPE');
  });

  it('has no say in names', async () => {
    const before = new Set(await filesOf());
    for (const name of ['../../x', 'a%00.png', 'CON', 'a'.repeat(300), 'x.png::$DATA', 'gnp.exe', 'a.png.html']) {
      const person = await app.member();
      const response = await app.http(`/uploads?bucket=token-images&name=${encodeURIComponent(name)}&file=${name}`, {
        method: 'POST',
        headers: {
          cookie: person.cookie,
          'content-type': `image/png; name="${name}"`,
          'content-disposition': `attachment; filename="${name}"`,
        },
        body: png as BodyInit,
      });
      expect(response.status, name).toBe(201);
    }
    for (const file of await filesOf())
      if (!before.has(file)) expect(file).toMatch(/^[0-9a-f]{32}(-\d+)?\.(webp|png)$/);
  });

  it('is encoded anew: no place, no owner, no code stays in what is served', async () => {
    for (const [name, bytes] of [['photo', await phonePhoto()] as const, ...(await polyglots())]) {
      const response = await upload(bytes, { person: await app.member() });
      if (response.status !== 201) {
        expect(response.status, name).toBeGreaterThanOrEqual(415);
        continue;
      }
      const { url } = (await response.json()) as UploadedImage;
      for (const target of [url, url.replace('.webp', '-96.webp'), url.replace('.webp', '-512.png')]) {
        const served = Buffer.from(await (await app.http(target)).arrayBuffer());
        expect(served.includes(CANARY), name).toBe(false);
        const found = await sharp(served).metadata();
        for (const part of ['exif', 'xmp', 'icc', 'orientation'] as const) expect(found[part]).toBeUndefined();
      }
    }
    expect(await keep(await phonePhoto())).toMatchObject({ width: 100, height: 160 });
  });

  it('may move', async () => {
    const { url, frames } = await keep(await moving(5).gif({ delay: 100 }).toBuffer(), { type: 'image/gif' });
    expect(frames).toBe(5);
    const served = Buffer.from(await (await app.http(url)).arrayBuffer());
    expect((await sharp(served, { animated: true }).metadata()).pages).toBe(5);
  });
});

describe('the size of an upload [MEDIA-02] [MEDIA-08]', () => {
  /** A good image of exactly this many bytes. */
  const ofSize = (bytes: number) => Buffer.concat([png, Buffer.alloc(bytes - png.length)]);

  it('is 5 MB at most, to the byte', async () => {
    expect(await keep(ofSize(IMAGE.bytesMost))).toMatchObject({ width: 120 });
    for (const more of [1, 100, 1_000_000])
      expect(await codeOf(await upload(ofSize(IMAGE.bytesMost + more), { person: await app.member() }))).toBe(
        '413 FILE_TOO_LARGE',
      );
  });

  it('is counted while it comes, when nobody told it; more than it is never held, and not read for ever', async () => {
    const person = await app.member();
    const before = process.memoryUsage.rss();
    const began = performance.now();
    const { port } = new URL(app.origin);
    const socket = net.connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.write(
      `POST /uploads?bucket=token-images HTTP/1.1\r\nhost: x\r\ncookie: ${person.cookie}\r\ncontent-type: image/png\r\ntransfer-encoding: chunked\r\n\r\n`,
    );
    // Written by hand: this sender does not stop at the answer.
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 1), Buffer.from('\r\n')]);
    let sent = 0;
    while (!socket.destroyed && performance.now() - began < 15_000) {
      sent += chunk.length;
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain').catch(() => {}), closed]);
    }
    await closed;
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toContain('FILE_TOO_LARGE');
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(sent).toBeLessThan(1e9);
    expect(process.memoryUsage.rss() - before).toBeLessThan(200e6);
  });

  it('a body that does not come is cut off', async () => {
    const { answered, closed } = await byHand({ 'content-length': '5000' }, (req) => req.write('slow'));
    expect(await answered).toEqual({ status: 408, code: 'TOO_SLOW' });
    expect(await closed).toBeLessThan(10_000);
  });

  it('a sender who leaves in the middle leaves nothing', async () => {
    const before = [await filesOf(), await rows()];
    const { request, closed } = await byHand({ 'content-length': String(png.length) }, (req) => {
      req.write(png.subarray(0, 60));
      setTimeout(() => req.destroy(), 100);
    });
    await closed;
    expect(request.destroyed).toBe(true);
    expect([await filesOf(), await rows()]).toEqual(before);
    expect(app.logged.filter(({ msg }) => msg === 'upload failed')).toEqual([]);
  });
});

describe('uploads from foreign pages [AMB-210]', () => {
  const CASES: Record<string, string>[] = [
    {},
    { origin: 'http://florka.test' },
    { origin: 'http://florka.test', 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://florka.test.evil.example' },
    { origin: 'http://florka.test@evil.example' },
    { origin: 'http://florka.test:8080' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: app.origin },
  ];

  it('are answered as the API answers them', async () => {
    for (const headers of CASES) {
      const person = await app.member();
      const api = await app.post('/rpc/saved/set', {}, { headers: { ...headers, cookie: person.cookie } });
      const ours = await upload(png, { person, headers });
      expect(ours.status === 403, JSON.stringify(headers)).toBe(api.status === 403);
      if (ours.status === 403) expect(await codeOf(ours)).toBe('403 FOREIGN_ORIGIN');
      else expect(ours.status).toBe(201);
    }
    expect(CASES.filter((headers) => Object.keys(headers).length > 0).length).toBeGreaterThan(10);
  });
});

describe('how often', () => {
  it('ten times a minute, per account', async () => {
    const person = await app.member();
    for (let i = 0; i < UPLOAD_LIMITS.minute.hits; i++) expect((await upload('no image', { person })).status).toBe(415);
    const refused = await upload(png, { person });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ code: 'RATE_LIMITED', data: { retryAfter: expect.any(Number) } });
    expect((await upload(png, { person: await app.member() })).status).toBe(201);
    app.pass(60_001);
    expect((await upload(png, { person })).status).toBe(201);
  });

  it('ten times a minute for the guests at one address together', async () => {
    app.pass(120_000);
    const drafts = [await draft(), await draft()];
    for (let i = 0; i < UPLOAD_LIMITS.minute.hits; i++)
      expect((await upload('no image', { headers: { 'x-test-draft': drafts[i % 2] ?? '' } })).status).toBe(415);
    expect((await upload(png, { headers: { 'x-test-draft': drafts[0] ?? '' } })).status).toBe(429);
    app.pass(120_000);
  });
});

describe('a guest with a draft', () => {
  const asGuest = (id: string): Sent => ({ headers: { 'x-test-draft': id } });

  it('keeps three files, and the place of a removed one is free again', async () => {
    app.pass(120_000);
    const id = await draft();
    for (let i = 0; i < 3; i++) expect((await upload(png, asGuest(id))).status).toBe(201);
    const [row] = await app.sql('select owner_user_id, owner_draft_id from media where owner_draft_id = $1', [id]);
    expect(row).toEqual({ owner_user_id: null, owner_draft_id: id });
    const before = await filesOf();
    expect(await codeOf(await upload(png, asGuest(id)))).toBe('409 DRAFT_FULL');
    expect(await filesOf()).toEqual(before);
    await app.sql(
      'update media set deleted_at = now() where id = (select id from media where owner_draft_id = $1 limit 1)',
      [id],
    );
    expect((await upload(png, asGuest(id))).status).toBe(201);
  });

  it('keeps three files also when four come at once', async () => {
    app.pass(120_000);
    const id = await draft();
    const before = await filesOf();
    const answers = await Promise.all(Array.from({ length: 4 }, () => upload(png, asGuest(id))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409]);
    const held = await app.sql('select name from media where owner_draft_id = $1', [id]);
    expect(held).toHaveLength(3);
    // The one too many was encoded and written, and taken back.
    expect(await filesOf()).toHaveLength(before.length + 15);
  });

  it('keeps 15 MB', async () => {
    app.pass(120_000);
    const id = await draft();
    await upload(png, asGuest(id));
    await app.sql('update media set bytes = $2 where owner_draft_id = $1', [id, 15 * 1024 * 1024 - png.length]);
    expect((await upload(png, asGuest(id))).status).toBe(201);
    await app.sql('delete from media where id = (select id from media where owner_draft_id = $1 and bytes < 1000000)', [
      id,
    ]);
    await app.sql('update media set bytes = bytes + 1 where owner_draft_id = $1', [id]);
    expect(await codeOf(await upload(png, asGuest(id)))).toBe('409 DRAFT_FULL');
  });

  it('uploads for a token only, and only into a draft that exists', async () => {
    app.pass(120_000);
    const id = await draft();
    for (const bucket of ['project-images', 'voting-candidate-images'])
      expect(await codeOf(await upload(png, { ...asGuest(id), bucket }))).toBe('400 BUCKET');
    expect(await codeOf(await upload(png, asGuest('11111111-1111-4111-8111-111111111111')))).toBe('401 UNAUTHORIZED');
  });

  it('is a member when signed in: the image is of both', async () => {
    const [person, id] = [await app.member(), await draft()];
    const { id: image } = await keep(png, { person, ...asGuest(id) });
    expect(await app.sql('select owner_user_id, owner_draft_id from media where id = $1', [image])).toEqual([
      { owner_user_id: person.id, owner_draft_id: id },
    ]);
  });
});

describe('a storage in trouble', () => {
  it.each([
    ['full', '507 STORAGE_FULL', null],
    ['down', '503 STORAGE_DOWN', '5'],
  ] as const)('that is %s is told, and nothing half-written stays', async (as, code, retryAfter) => {
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

  it('a database that refuses the row costs the answer, and the files go with the next cleaning', async () => {
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

  it('is served to everybody, kept for an hour, and can do nothing [MEDIA-17] [AMB-208]', async () => {
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
        'content-security-policy': "sandbox; default-src 'none'",
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

  it('is described by HEAD, and not sent again to who has it', async () => {
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
    // Ranges are not offered; the whole comes.
    expect((await app.http(url, { headers: { range: 'bytes=0-3' } })).status).toBe(200);
  });

  it('is nowhere else', async () => {
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

  it('that is missing is asked for in vain, also by who claims to have it', async () => {
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

  it('an image goes the same way: up, out, away', async () => {
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
    // The address ends with the removal, the files with the next cleaning.
    expect((await remote.http(url)).status).toBe(404);
    expect(await remote.services.media.clean({ now: remote.now, deletedOnly: true })).toMatchObject({ removed: 1 });
    expect((await remote.http(url)).status).toBe(404);
    for await (const { file } of remote.storage.list()) expect(file).toBeNull();
  });

  it('files without a row are found by their age there', async () => {
    const file = `${'a'.repeat(32)}.webp`;
    await remote.storage.write(file, png, 'image/webp');
    const clean = (ms: number) => remote.services.media.clean({ now: new Date(Date.now() + ms), deletedOnly: false });
    expect(await clean(3_000_000)).toMatchObject({ orphans: 0 });
    expect(await clean(3_700_000)).toMatchObject({ orphans: 1 });
    expect(await remote.storage.open(file)).toBeNull();
  });
});

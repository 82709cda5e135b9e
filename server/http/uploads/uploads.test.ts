import { once } from 'node:events';
import fs from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { IMAGE, type UploadedImage } from '#contract/domains/media.ts';
import { app, codeOf, filesOf, keep, png, rows, type Sent, upload } from '#tests/fixtures/uploads.ts';
import {
  blackPng,
  CANARY,
  foreignFiles,
  gif,
  jpegClaiming,
  moving,
  phonePhoto,
  polyglots,
  speckled,
  webpClaiming,
} from '#tests/support/samples/images.ts';

/** A request with a manually written body; returns what was received before the connection ended. */
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
  it('is stored in all sizes, under an unguessable name [MEDIA-03..05] [MEDIA-12..13] [AMB-36]', async () => {
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

  it('is recorded in the audit log', async () => {
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

  it('for the back office is refused to former admins, however they lost the role', async () => {
    const demoted = await app.member({ role: 'admin' });
    await app.sql('delete from admin_profiles where id = $1', [demoted.id]);
    for (const bucket of ['project-images', 'voting-candidate-images']) {
      await keep(png, { person: await app.member({ role: 'admin', verified: true }), bucket });
      for (const person of [await app.member(), await app.member({ role: 'moderator' }), demoted])
        expect(await codeOf(await upload(png, { person, bucket }))).toBe('403 FORBIDDEN');
    }
  });

  it('requires one of the four buckets', async () => {
    const person = await app.member();
    for (const bucket of ['', 'secrets', '../x', 'token-images/../..'])
      expect(await codeOf(await upload(png, { person, bucket }))).toBe('400 BUCKET');
  });

  it('requires POST', async () => {
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

  it('determines its type, not its name or headers; refused content is not stored [MEDIA-01] [MEDIA-07]', async () => {
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

  it('must be a raw image: other types, forms and compressed bodies are refused', async () => {
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
    // Not even if the bytes are not actually compressed.
    for (const encoding of ['gzip', 'br', 'identity, gzip'])
      expect(
        await codeOf(await send({ 'content-type': 'image/png', 'content-encoding': encoding }, png as BodyInit)),
      ).toBe('415 FILE_TYPE');
  });

  it('is stored under a random name, whatever file name the client sends', async () => {
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

  it('is re-encoded: no location, owner or code remains in the served file', async () => {
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

  it('may be animated', async () => {
    const { url, frames } = await keep(await moving(5).gif({ delay: 100 }).toBuffer(), { type: 'image/gif' });
    expect(frames).toBe(5);
    const served = Buffer.from(await (await app.http(url)).arrayBuffer());
    expect((await sharp(served, { animated: true }).metadata()).pages).toBe(5);
  });
});

describe('the size of an upload [MEDIA-02] [MEDIA-08]', () => {
  /** A valid image of exactly this many bytes. */
  const ofSize = (bytes: number) => Buffer.concat([png, Buffer.alloc(bytes - png.length)]);

  it('is 5 MB at most, to the byte', async () => {
    expect(await keep(ofSize(IMAGE.maxBytes))).toMatchObject({ width: 120 });
    for (const more of [1, 100, 1_000_000])
      expect(await codeOf(await upload(ofSize(IMAGE.maxBytes + more), { person: await app.member() }))).toBe(
        '413 FILE_TOO_LARGE',
      );
  });

  it('is counted while receiving without a declared length; the excess is neither stored nor read forever', async () => {
    const person = await app.member();
    const before = process.memoryUsage.rss();
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
    // Written manually: this client does not stop at the response.
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 1), Buffer.from('\r\n')]);
    let sent = 0;
    while (!socket.destroyed && sent < 1e9) {
      sent += chunk.length;
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain').catch(() => {}), closed]);
    }
    await closed;
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toContain('FILE_TOO_LARGE');
    expect(sent).toBeLessThan(1e9);
    expect(process.memoryUsage.rss() - before).toBeLessThan(200e6);
  });

  it('a body that does not arrive is aborted', async () => {
    const { answered, closed } = await byHand({ 'content-length': '5000' }, (req) => req.write('slow'));
    expect(await answered).toEqual({ status: 408, code: 'TOO_SLOW' });
    expect(await closed).toBeLessThan(10_000);
  });

  it('a client that disconnects leaves nothing', async () => {
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

  it('are refused in the same cases as by the API', async () => {
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

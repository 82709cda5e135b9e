import fs from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { loadStaticFiles } from './static-files.ts';

let dir: string;
beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'florka-static-'));
  return () => fs.rmSync(dir, { recursive: true, force: true });
});
const write = (name: string, bytes: string | Buffer) => fs.writeFileSync(path.join(dir, name), bytes);

/** Serves the files, and returns how a path is answered to a client that accepts one encoding. */
async function serve(files: ReturnType<typeof loadStaticFiles>) {
  const server = createServer((req, res) => files(req, res, req.url ?? '') || res.writeHead(404).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return async (name: string, encoding: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${name}`, { headers: { 'accept-encoding': encoding } });
    return {
      status: answer.status,
      encoding: answer.headers.get('content-encoding'),
      length: answer.headers.get('content-length'),
      text: await answer.text(),
    };
  };
}

it('a file is complete in each encoding while a newer build replaces the folder', async () => {
  const text = 'const words = 1;'.repeat(100);
  const gzip = gzipSync(text);
  write('app.js', text);
  write('app.js.gz', gzip);
  write('mark.png', 'an image');
  const get = await serve(loadStaticFiles([{ dir }], [], true));
  fs.rmSync(dir, { recursive: true });
  expect(await get('/app.js', 'gzip')).toEqual({ status: 200, encoding: 'gzip', length: String(gzip.length), text });
  for (let time = 0; time < 2; time++)
    expect(await get('/app.js', 'identity')).toEqual({
      status: 200,
      encoding: null,
      length: String(text.length),
      text,
    });
  expect(await get('/mark.png', 'gzip')).toMatchObject({ encoding: null, text: 'an image' });
  expect(await get('/app.js.gz', 'gzip')).toMatchObject({ status: 404 });
});

it('a file of a package is read at its first request, and only once', async () => {
  write('viewer.js', 'first');
  write('other.js', 'not named');
  const get = await serve(loadStaticFiles([{ dir, prefix: '/docs', only: ['viewer.js'], later: true }], [], true));
  write('viewer.js', 'before the request');
  expect(await get('/docs/viewer.js', 'gzip')).toMatchObject({ status: 200, text: 'before the request' });
  write('viewer.js', 'after it');
  expect(await get('/docs/viewer.js', 'gzip')).toMatchObject({ status: 200, text: 'before the request' });
  expect(await get('/docs/other.js', 'gzip')).toMatchObject({ status: 404 });
});

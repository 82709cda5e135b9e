import { once } from 'node:events';
import fs from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { UPLOAD_PACE } from '#contract/domains/media.ts';
import { ClientDisconnected, isTooSlow, openSpool, type SpoolRoom } from './spool.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'florka-spool-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
const spool = openSpool(folder);

const server = http.createServer();
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

/** A request on the server side, and its client. */
async function begin(bytes: number): Promise<{ sender: http.ClientRequest; req: IncomingMessage }> {
  const { port } = server.address() as AddressInfo;
  const sender = http.request({ host: '127.0.0.1', port, method: 'POST', agent: false });
  sender.setHeader('content-length', bytes);
  sender.on('error', () => {});
  sender.flushHeaders();
  const [req] = (await once(server, 'request')) as [IncomingMessage];
  return { sender, req };
}
const room = (left = 1_000_000): SpoolRoom => ({ left });

it('the spool returns the received bytes, leaves no file and releases its space', async () => {
  const sent = Buffer.alloc(300_000, 'florka');
  const { sender, req } = await begin(sent.length);
  const space = room();
  const received = spool.receive(req, sent.length, space);
  sender.end(sent);
  const body = await received;
  expect([body.bytes, space.left]).toEqual([300_000, 700_000]);
  expect(fs.readdirSync(folder)).toEqual([]);
  expect((await body.read()).equals(sent)).toBe(true);
  await body.drop();
  await body.drop();
  expect(space.left).toBe(1_000_000);
});

it.each([
  ['too long', 5_000, room(), 'FILE_TOO_LARGE'],
  ['larger than the space left', 1_000_000, room(5_000), 'BUSY'],
])('the spool refuses a body that is %s', async (_, max, space, code) => {
  const before = space.left;
  const { sender, req } = await begin(10_000);
  const received = spool.receive(req, max, space);
  sender.end(Buffer.alloc(10_000));
  await expect(received).rejects.toMatchObject({ code });
  expect([space.left, fs.readdirSync(folder)]).toEqual([before, []]);
});

it('the spool stores nothing of a client that disconnects', async () => {
  const space = room();
  const { sender, req } = await begin(10_000);
  const received = spool.receive(req, 10_000, space);
  sender.write(Buffer.alloc(4_000));
  await expect.poll(() => space.left).toBe(996_000);
  sender.destroy();
  await expect(received).rejects.toBeInstanceOf(ClientDisconnected);
  expect([space.left, fs.readdirSync(folder)]).toEqual([1_000_000, []]);
});

it('an upload must reach a minimum speed after some seconds, and end in time', () => {
  const { graceSeconds, bytesPerSecond, maxSeconds } = UPLOAD_PACE;
  const grace = graceSeconds * 1_000;
  expect(isTooSlow(grace, 0)).toBe(false);
  expect(isTooSlow(grace + 100, 0)).toBe(true);
  expect(isTooSlow(grace + 10_000, 10 * bytesPerSecond)).toBe(false);
  expect(isTooSlow(grace + 10_000, 10 * bytesPerSecond - 1)).toBe(true);
  expect(isTooSlow(maxSeconds * 1_000, 5_000_000)).toBe(true);
});

it('the spool deletes leftovers of a crash, and no file that another process may be using', () => {
  const own = fs.mkdtempSync(path.join(os.tmpdir(), 'florka-spool-'));
  const old = new Date(Date.now() - 3_600_000);
  for (const name of ['old', 'young']) fs.writeFileSync(path.join(own, name), 'x');
  fs.utimesSync(path.join(own, 'old'), old, old);
  openSpool(own);
  expect(fs.readdirSync(own)).toEqual(['young']);
  fs.rmSync(own, { recursive: true });
});

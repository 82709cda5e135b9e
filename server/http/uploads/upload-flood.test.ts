import http from 'node:http';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { UPLOAD_SLOTS } from '#contract/domains/media.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { halvesImage } from '#tests/support/samples/images.ts';

const app = await startTestApp({ trustProxy: 1, bodyTimeoutMs: 300_000 });

let png: Buffer;
beforeAll(async () => {
  png = await halvesImage(20, 20).png().toBuffer();
});

const FLOODERS = ['198.51.100.4', '203.0.113.77'] as const;
const HELD_PER_ADDRESS = 20;

/** Announces an image and never sends it; the claim is invented, as any visitor can do. */
function hold(address: string, serial: number): http.ClientRequest {
  const request = http.request(`${app.origin}/uploads?bucket=token-images`, {
    method: 'POST',
    agent: false,
    headers: {
      'x-forwarded-for': address,
      'x-claim': String(serial).padStart(43, 'A'),
      'content-type': 'image/png',
      'content-length': String(png.length),
    },
  });
  request.on('error', () => {});
  request.flushHeaders();
  return request;
}

it('uploads without a body from two addresses do not block uploads of others', async () => {
  // A retry of this test gets a new minute.
  app.pass(120_000);
  const statuses: number[] = [];
  onTestFinished(() => {
    for (const request of held) request.destroy();
  });
  const held = FLOODERS.flatMap((address, i) =>
    Array.from({ length: HELD_PER_ADDRESS }, (_, n) => hold(address, i * HELD_PER_ADDRESS + n)),
  );
  for (const request of held)
    request.once('response', (response) => {
      response.resume();
      statuses.push(response.statusCode ?? 0);
    });
  // The others are refused at once; these wait in their slots.
  const places = FLOODERS.length * UPLOAD_SLOTS.guestAddress;
  await expect.poll(() => statuses.length, { timeout: 60_000 }).toBe(held.length - places);
  expect(new Set(statuses)).toEqual(new Set([429]));

  const send = (headers: Record<string, string>) =>
    app.http('/uploads?bucket=token-images', {
      method: 'POST',
      headers: { 'content-type': 'image/png', ...headers },
      body: new Uint8Array(png),
    });
  const members = await app.members(12);
  const honest = await Promise.all([
    // One of them behind an address of the flood.
    ...members.map((person, i) =>
      send({ cookie: person.cookie, 'x-forwarded-for': i === 0 ? FLOODERS[0] : `192.0.2.${i}` }),
    ),
    send({ 'x-claim': 'B'.repeat(43), 'x-forwarded-for': '192.0.2.200' }),
  ]);
  expect(honest.map(({ status }) => status)).toEqual(honest.map(() => 201));
  expect(statuses).toHaveLength(held.length - places);
}, 180_000);

import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { PUSH_BROWSERS_MAX } from '#contract/limits.ts';
import { pushServices } from '#server/providers/push/services.ts';
import { type Person, startTestApp } from '#tests/support/app/test-app.ts';
import { startPushServer } from '#tests/support/services/push-server.ts';
import { notify } from './notify.service.ts';
import { createPushService, pushKeys } from './push.service.ts';

const service = await startPushServer();
afterAll(() => service.close());
const app = await startTestApp({ pushTransport: service.transport });
const { publicKey } = pushKeys(app.secret);
beforeEach(() => {
  service.arrived.length = 0;
  service.answers.length = 0;
  app.pass(120_000);
});

let serial = 0;
/** A member with a browser that is subscribed to pushes. */
async function subscriber() {
  const ana = await app.member({ verified: true });
  const browser = service.browser(`browser-${++serial}`);
  await app.as(ana).notifications.subscribe(browser.subscription);
  return { ana, browser };
}
const announce = (to: Person, cause = `push ${++serial}`) =>
  app.services.db.transaction((tx) =>
    notify(tx, {
      kind: 'follows',
      detail: 'launched',
      cause,
      to: [to],
      data: { title: 'Ñandú <b>', path: '/next' },
      now: app.now,
    }),
  );
const sends = (state: string) => app.sql('select 1 from push_sends where state = $1', [state]);

describe('a push', () => {
  it('is encrypted for the browser and sent with the key of the site', async () => {
    const { ana, browser } = await subscriber();
    expect((await app.as(ana).notifications.settings()).pushKey).toBe(publicKey);
    await announce(ana);
    expect((await app.deliverNotifications()).pushes).toBe(1);
    const [arrived] = service.arrived;
    expect(arrived?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'normal' });
    expect(arrived?.headers['topic']).toMatch(/^[0-9a-f]{32}$/);
    expect(arrived?.body.includes('Ñandú')).toBe(false);
    expect(browser.read(publicKey)).toEqual([
      expect.objectContaining({
        kind: 'follows',
        detail: 'launched',
        title: 'Ñandú <b>',
        path: expect.stringMatching(/^\/next\?notice=[0-9a-f-]{36}$/),
        locale: 'es',
      }),
    ]);
    // Not for another browser, and not with another key.
    expect(() => browser.read(pushKeys('another secret').publicKey)).toThrow('key of the site');
  });

  it('is sent once to each browser, also with repeated and concurrent deliveries', async () => {
    const { ana } = await subscriber();
    await app.as(ana).notifications.subscribe(service.browser(`browser-${++serial}`).subscription);
    await announce(ana, 'one cause');
    await announce(ana, 'one cause');
    await Promise.all(Array.from({ length: 4 }, () => app.deliverNotifications()));
    await app.deliverNotifications();
    expect(service.arrived.length).toBe(2);
  });

  it('is sent again with the same topic when its process was killed before recording it', async () => {
    const { ana, browser } = await subscriber();
    await announce(ana);
    await app.deliverNotifications();
    // The claim of a process that ended in between expires.
    await app.sql(
      `update push_sends set state = 'waiting', due_at = $1
       where subscription_id in (select id from push_subscriptions where user_id = $2)`,
      [new Date(app.now.getTime() + 120_000), ana.id],
    );
    await app.deliverNotifications();
    expect(service.arrived.length).toBe(1);
    app.pass(120_000);
    await app.deliverNotifications();
    expect(service.arrived.length).toBe(2);
    expect(new Set(service.arrived.map(({ headers }) => headers['topic'])).size).toBe(1);
    const [first, second] = browser.read(publicKey);
    expect(first?.['id']).toBe(second?.['id']);
  });

  it('is retried with increasing delays after failures of the service, up to a maximum', async () => {
    const { ana } = await subscriber();
    service.answers.push({ status: 503 }, { status: 429, headers: { 'retry-after': '600' } });
    await announce(ana);
    await app.deliverNotifications();
    app.pass(2 * 60_000);
    await app.deliverNotifications();
    expect(service.arrived.length).toBe(2);
    app.pass(599_000);
    await app.deliverNotifications();
    expect(service.arrived.length).toBe(2);
    app.pass(1_000);
    expect((await app.deliverNotifications()).pushes).toBe(1);
    await announce(ana);
    for (let n = 0; n < 10; n++) {
      service.answers.push({ status: 500 });
      await app.deliverNotifications();
      app.pass(24 * 3_600_000);
    }
    expect(service.arrived.length).toBe(3 + 6);
    expect((await sends('failed')).length).toBe(1);
  });

  it.each([404, 410])('ends the subscription of a browser that no longer exists (%i)', async (status) => {
    const { ana } = await subscriber();
    service.answers.push({ status });
    await announce(ana);
    await app.deliverNotifications();
    expect(await app.sql('select 1 from push_subscriptions where user_id = $1', [ana.id])).toEqual([]);
  });

  it('is retried after a day at the latest, whatever Retry-After the service sends', async () => {
    const { ana } = await subscriber();
    await announce(ana);
    service.answers.push({ status: 429, headers: { 'retry-after': '99999999999999' } });
    await app.deliverNotifications();
    app.pass(86_400_000);
    expect((await app.deliverNotifications()).pushes).toBe(1);
  });

  it('is reported and retried when it cannot be encrypted, and does not block the next one', async () => {
    const { ana } = await subscriber();
    const { ana: bea } = await subscriber();
    await app.sql('update push_subscriptions set auth = $2 where user_id = $1', [ana.id, 'AA']);
    await announce(ana);
    await announce(bea);
    await expect(app.deliverNotifications()).rejects.toThrow(/auth/i);
    expect(service.arrived.length).toBe(1);
    expect(await sends('waiting')).toHaveLength(1);
    await app.sql('delete from push_subscriptions where user_id = $1', [ana.id]);
  });

  it('waits for the end of quiet hours, and is dropped when it was read by then', async () => {
    app.setNow('2026-05-01T23:00:00.000Z');
    const [one, two] = [await subscriber(), await subscriber()];
    for (const { ana } of [one, two])
      await app.as(ana).notifications.setReader({ locale: 'en', zone: 'UTC', quiet: { from: 22 * 60, to: 7 * 60 } });
    await announce(one.ana);
    await announce(two.ana);
    await app.deliverNotifications();
    expect(service.arrived).toEqual([]);
    await app.as(two.ana).notifications.markRead({ until: app.now.toISOString() });
    app.setNow('2026-05-02T07:00:00.000Z');
    await app.deliverNotifications();
    expect([one.browser.read(publicKey).length, two.browser.read(publicKey).length]).toEqual([1, 0]);
    expect(one.browser.read(publicKey)[0]).toMatchObject({ locale: 'en' });
  });
});

describe('a push that failed', () => {
  /** A subscriber whose first push failed. */
  async function failed() {
    app.setNow('2026-05-03T21:58:00.000Z');
    const one = await subscriber();
    await app.as(one.ana).notifications.setReader({ locale: 'es', zone: 'UTC', quiet: { from: 22 * 60, to: 7 * 60 } });
    service.answers.push({ status: 503 });
    await announce(one.ana);
    await app.deliverNotifications();
    expect(service.arrived.length).toBe(1);
    return one;
  }

  it('is not repeated in quiet hours, but after them', async () => {
    const { browser } = await failed();
    app.setNow('2026-05-03T22:05:00.000Z');
    await app.deliverNotifications();
    app.setNow('2026-05-04T06:59:00.000Z');
    await app.deliverNotifications();
    expect(service.arrived.length).toBe(1);
    app.setNow('2026-05-04T07:00:00.000Z');
    await app.deliverNotifications();
    expect(browser.read(publicKey).length).toBe(2);
  });

  it.each<[string, (ana: Person) => Promise<unknown>]>([
    ['was read', (ana) => app.as(ana).notifications.markRead({ until: app.now.toISOString() })],
    [
      'was turned off',
      (ana) => app.as(ana).notifications.setKind({ kind: 'follows', inApp: true, mail: 'off', push: false }),
    ],
  ])('is not repeated when it %s meanwhile', async (_, end) => {
    const { ana } = await failed();
    await end(ana);
    app.setNow('2026-05-04T12:00:00.000Z');
    await app.deliverNotifications();
    expect(service.arrived.length).toBe(1);
    expect(await sends('waiting')).toEqual([]);
  });
});

describe('subscribed browsers', () => {
  it('belong to the member who subscribed last, and can be unsubscribed by that member only', async () => {
    const { ana, browser } = await subscriber();
    const bob = await app.member();
    await app.as(bob).notifications.unsubscribe({ endpoint: browser.subscription.endpoint });
    expect((await app.sql('select 1 from push_subscriptions where user_id = $1', [ana.id])).length).toBe(1);
    await app.as(bob).notifications.subscribe(browser.subscription);
    await announce(ana);
    await app.deliverNotifications();
    expect(service.arrived).toEqual([]);
    await app.as(bob).notifications.unsubscribe({ endpoint: browser.subscription.endpoint });
    expect(await app.sql('select 1 from push_subscriptions where user_id = $1', [bob.id])).toEqual([]);
  });

  it('end with the session in which they were subscribed', async () => {
    const { ana } = await subscriber();
    await announce(ana);
    await app.sql('delete from sessions where user_id = $1', [ana.id]);
    await app.deliverNotifications();
    expect(service.arrived).toEqual([]);
  });

  it('are listed for their own session only', async () => {
    const { ana, browser } = await subscriber();
    const endpoints = async () => (await app.as(ana).notifications.settings()).pushEndpoints;
    expect(await endpoints()).toEqual([browser.subscription.endpoint]);
    // Another browser of the same member.
    const other = service.browser(`browser-${++serial}`).subscription.endpoint;
    await app.sql(
      `with session as (insert into sessions (user_id, token, expires_at, created_at, updated_at)
         select user_id, $2, expires_at, created_at, updated_at from sessions where user_id = $1 limit 1 returning id)
       insert into push_subscriptions (user_id, session_id, endpoint, p256dh, auth, created_at)
         select $1, id, $3, 'x', 'x', now() from session`,
      [ana.id, `token ${serial}`, other],
    );
    expect(await endpoints()).toEqual([browser.subscription.endpoint]);
  });

  it('are limited to a maximum per member, of which the newest remain', async () => {
    const { ana } = await subscriber();
    for (let n = 0; n < PUSH_BROWSERS_MAX + 2; n++) {
      app.pass(1_000);
      await app.as(ana).notifications.subscribe(service.browser(`many-${n}`).subscription);
    }
    const rows = await app.sql<{ endpoint: string }>('select endpoint from push_subscriptions where user_id = $1', [
      ana.id,
    ]);
    expect(rows.length).toBe(PUSH_BROWSERS_MAX);
    expect(rows.some(({ endpoint }) => endpoint.endsWith(`many-${PUSH_BROWSERS_MAX + 1}`))).toBe(true);
  });

  it.each([
    'https://evil.example/fcm.googleapis.com',
    'https://fcm.googleapis.com.evil.example/x',
    'http://fcm.googleapis.com/x',
    'https://fcm.googleapis.com:8443/x',
    'https://user@fcm.googleapis.com/x',
    'https://127.0.0.1/x',
    'https://localhost/x',
    'file:///etc/passwd',
  ])('cannot have the endpoint %s', async (endpoint) => {
    expect(pushServices().accepts(endpoint)).toBe(false);
    expect(await pushServices().post(endpoint, {}, null)).toEqual({ status: 404, retryAfter: null });
    const me = app.as(await app.member()).notifications;
    const keys = { p256dh: 'x'.repeat(87), auth: 'x'.repeat(22) };
    await expect(me.subscribe({ endpoint, ...keys })).rejects.toMatchObject({
      code: expect.stringMatching(/PUSH_SERVICE_UNKNOWN|BAD_REQUEST/),
    });
  });

  it('cannot have keys that do not permit encryption', async () => {
    const ana = await app.member();
    const { subscription } = service.browser(`browser-${++serial}`);
    const point = Buffer.from(subscription.p256dh, 'base64url');
    const offCurve = Buffer.from(point);
    offCurve[64] = (offCurve[64] ?? 0) ^ 1;
    for (const keys of [
      { p256dh: offCurve.toString('base64url') },
      { p256dh: 'x'.repeat(87) },
      { p256dh: point.subarray(0, 64).toString('base64url') },
      { auth: randomBytes(12).toString('base64url') },
      { auth: randomBytes(17).toString('base64url') },
    ])
      await expect(app.as(ana).notifications.subscribe({ ...subscription, ...keys })).rejects.toMatchObject({
        code: 'PUSH_KEYS_INVALID',
        status: 422,
      });
    expect(await app.sql('select 1 from push_subscriptions where user_id = $1', [ana.id])).toEqual([]);
    await app.as(ana).notifications.subscribe(subscription);
  });

  it.each([
    'https://fcm.googleapis.com/fcm/send/abc',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://web.push.apple.com/abc',
    'https://wns2-par02p.notify.windows.com/w/?token=abc',
  ])('can have the endpoint %s', (endpoint) => {
    expect(pushServices().accepts(endpoint)).toBe(true);
  });

  it('get the public key that is derived from the secret alone', () => {
    expect(pushKeys('a')).toEqual(pushKeys('a'));
    expect(pushKeys('a').publicKey).not.toBe(pushKeys('b').publicKey);
    expect(Buffer.from(pushKeys('a').publicKey, 'base64url').length).toBe(65);
  });

  it.each(['secret 123', 'secret 124'])('receive pushes with the key of any secret: %s', async (secret) => {
    // The private key of the first one begins with a zero byte, as that of one secret in 256.
    const { privateKey, publicKey: siteKey } = pushKeys(secret);
    expect(Buffer.from(privateKey, 'base64url').length).toBe(32);
    const browser = service.browser(`browser-${++serial}`);
    const push = createPushService({ secret, contact: 'mailto:ops@florka.test', transport: service.transport });
    expect(await push.send(browser.subscription, { text: '{"id":1}', topic: 'a' })).toBe('sent');
    expect(browser.read(siteKey)).toEqual([{ id: 1 }]);
  });
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readPush, turnPushOff, turnPushOn } from './browser-push.ts';

const KEY = 'AQID';
let subscribed: boolean;
const subscription = {
  endpoint: 'https://push.invalid/1',
  options: { applicationServerKey: new Uint8Array([1, 2, 3]).buffer },
  getKey: () => new Uint8Array([4]).buffer,
  unsubscribe: async () => {
    subscribed = false;
    return true;
  },
};
const worker = {
  pushManager: {
    getSubscription: async () => (subscribed ? subscription : null),
    subscribe: async () => {
      subscribed = true;
      return subscription;
    },
  },
};

beforeEach(() => {
  subscribed = false;
  const Notification = { permission: 'granted', requestPermission: async () => 'granted' };
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => worker, ready: Promise.resolve() } });
  vi.stubGlobal('window', { PushManager: class {}, Notification });
  vi.stubGlobal('Notification', Notification);
});
afterEach(() => vi.unstubAllGlobals());

/** The server receives every call; the first `lost` answers do not arrive. @returns the procedures called. */
function serverLosing(lost: number): string[] {
  const calls: string[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    calls.push(path);
    if (calls.length <= lost) throw new TypeError('Failed to fetch');
    return Response.json({ json: { ok: true } });
  });
  return calls;
}
const where = { locale: 'es', zone: 'Europe/Madrid' } as const;

it('subscribing a browser to push is retried after one lost answer', async () => {
  const calls = serverLosing(1);
  const on = { state: 'subscribed', endpoint: subscription.endpoint };
  expect(await turnPushOn(KEY, where)).toEqual(on);
  expect(calls).toEqual(Array(2).fill('/rpc/notifications/subscribe'));
  expect(await readPush()).toEqual(on);
});

it('a subscription whose answers are all lost is removed from the browser, so that its state “off” is correct', async () => {
  serverLosing(2);
  await expect(turnPushOn(KEY, where)).rejects.toThrow('Failed to fetch');
  expect(await readPush()).toEqual({ state: 'off' });
});

it.each([
  ['after one lost answer of the server, with a second call', 1],
  ['without any answer of the server, after two calls', 2],
])('push is turned off in the browser %s', async (_, lost) => {
  subscribed = true;
  const calls = serverLosing(lost);
  expect(await turnPushOff()).toEqual({ state: 'off' });
  expect(calls).toEqual(Array(2).fill('/rpc/notifications/unsubscribe'));
  expect(subscribed).toBe(false);
});

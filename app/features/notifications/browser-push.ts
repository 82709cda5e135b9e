import { isLost } from '#app/lib/api/lost-answer.ts';
import { retryAfterLostAnswer } from '#app/lib/api/retry-lost-answer.ts';
import { client } from '#app/lib/api/rpc.ts';

/** State of this browser; `subscribed` with the address that it receives pushes at. */
export type BrowserPushState = { state: 'unsupported' | 'denied' | 'off' } | { state: 'subscribed'; endpoint: string };

const supported = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** The service worker that would show pushes; null where there is none, as in a private window of some browsers. */
const registration = async () => (await navigator.serviceWorker.getRegistration('/')) ?? null;

/**
 * Whether this browser can receive pushes now. Does not ask for permission. The server ends a subscription with its session, which the
 * browser does not know: whether it is the member's is in the settings.
 */
export async function readPush(): Promise<BrowserPushState> {
  if (!supported()) return { state: 'unsupported' };
  if (Notification.permission === 'denied') return { state: 'denied' };
  const subscription = await (await registration())?.pushManager.getSubscription();
  return subscription && Notification.permission === 'granted'
    ? { state: 'subscribed', endpoint: subscription.endpoint }
    : { state: 'off' };
}

/**
 * Asks for permission, which browsers allow after a click only, and subscribes this browser.
 * @param where language and time zone of this page.
 * @param key of the site. A subscription for another one, from before the server's secret changed, is replaced.
 */
export async function turnPushOn(key: string, where: { locale: 'es' | 'en'; zone: string }): Promise<BrowserPushState> {
  if (!supported()) return { state: 'unsupported' };
  if ((await Notification.requestPermission()) !== 'granted')
    return { state: Notification.permission === 'denied' ? 'denied' : 'off' };
  const worker = (await registration()) ?? (await navigator.serviceWorker.register('/sw.js'));
  await navigator.serviceWorker.ready;
  const held = await worker.pushManager.getSubscription();
  const known = held?.options.applicationServerKey;
  if (held && known && base64url(known) !== key) await held.unsubscribe();
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const [p256dh, auth] = [subscription.getKey('p256dh'), subscription.getKey('auth')];
  if (!p256dh || !auth) return { state: 'unsupported' };
  const keys = { endpoint: subscription.endpoint, p256dh: base64url(p256dh), auth: base64url(auth) };
  try {
    await retryAfterLostAnswer(() => client.notifications.subscribe({ ...keys, ...where }));
  } catch (error) {
    // So that "off" is true even if the server stored it: its next push is refused, and it drops the subscription.
    await subscription.unsubscribe().catch(() => {});
    throw error;
  }
  return { state: 'subscribed', endpoint: subscription.endpoint };
}

/** Unsubscribes this browser, here and on the server. */
export async function turnPushOff(): Promise<BrowserPushState> {
  const subscription = await (await registration())?.pushManager.getSubscription();
  if (subscription) {
    const { endpoint } = subscription;
    // Alone it ends the pushes: the server drops a subscription that the push service no longer knows.
    await subscription.unsubscribe();
    await retryAfterLostAnswer(() => client.notifications.unsubscribe({ endpoint })).catch((error) => {
      if (!isLost(error)) throw error;
    });
  }
  return readPush();
}

const base64url = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

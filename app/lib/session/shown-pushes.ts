import { client } from '#app/lib/api/rpc.ts';

/** The newest notifications, among which a shown push is searched for. */
const NEWEST = 50;

const shownPushes = async (): Promise<Notification[]> => {
  // Private windows of some browsers have no service workers.
  if (!('serviceWorker' in navigator)) return [];
  const worker = await navigator.serviceWorker.getRegistration('/');
  return (await worker?.getNotifications?.()) ?? [];
};

/**
 * Closes the pushes in this browser whose notifications were read, here or on another device. Pushes of a kind that the member does
 * not keep in the list can't be read, and stay.
 */
export async function closeReadPushes(): Promise<void> {
  const shown = await shownPushes();
  if (shown.length === 0) return;
  const { items } = await client.notifications.list({ limit: NEWEST });
  const read = new Set(items.filter((item) => item.read).map(({ id }) => id));
  for (const push of shown) if (read.has(push.tag)) push.close();
}

/** Closes all pushes in this browser, whose member signed out or closed the account. */
export async function closeAllPushes(): Promise<void> {
  for (const push of await shownPushes()) push.close();
}

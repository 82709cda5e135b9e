const NAME = 'florka-order-keys';
/** Orders of one device; the oldest are forgotten. */
const MAX_ITEMS = 50;

function read(): [id: string, key: string][] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(NAME) ?? '[]');
    return Array.isArray(stored) ? stored.filter((pair) => Array.isArray(pair) && pair.length === 2) : [];
  } catch {
    return [];
  }
}

/**
 * Keeps the key of an order's private page on this device: the payment provider sends people back to the page without it,
 * because the key must not travel through others.
 */
export function keepOrderKey(id: string, key: string): void {
  try {
    const others = read().filter(([known]) => known !== id);
    localStorage.setItem(NAME, JSON.stringify([[id, key], ...others].slice(0, MAX_ITEMS)));
  } catch {
    // Storage can be full or denied: the mail has the link.
  }
}

/** The key of an order that was opened or made on this device; null when it was not. */
export const orderKeyOf = (id: string): string | null => read().find(([known]) => known === id)?.[1] ?? null;

/** Path of an order's private page, in the default language, as mails have it. */
export const orderPath = (id: string, key: string): string => `/order/${id}#${key}`;

const NAME = 'florka-order-keys';
/** Maximum number of orders per device; the oldest are deleted. */
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
 * Stores the key of an order's private page on this device: the payment provider redirects to the page without it, because the key
 * must not be sent to third parties.
 */
export function storeOrderKey(id: string, key: string): void {
  try {
    const others = read().filter(([known]) => known !== id);
    localStorage.setItem(NAME, JSON.stringify([[id, key], ...others].slice(0, MAX_ITEMS)));
  } catch {
    // Storage can be full or denied: the link is in the mail.
  }
}

/** The key of an order that was opened or created on this device; otherwise null. */
export const orderKeyOf = (id: string): string | null => read().find(([known]) => known === id)?.[1] ?? null;

/** Path of an order's private page in the default language, as in mails. */
export const orderPath = (id: string, key: string): string => `/order/${id}#${key}`;

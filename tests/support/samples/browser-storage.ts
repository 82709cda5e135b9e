/** A browser's storage in memory. @param items its content; may be read and changed by the test. */
export const browserStorage = (items: Map<string, string>): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> => ({
  getItem: (key) => items.get(key) ?? null,
  setItem: (key, value) => void items.set(key, value),
  removeItem: (key) => void items.delete(key),
});

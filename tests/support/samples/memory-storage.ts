/** A storage like that of a browser, in memory. @param items what it holds; may be read and changed from outside. */
export const memoryStorage = (items: Map<string, string>): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> => ({
  getItem: (key) => items.get(key) ?? null,
  setItem: (key, value) => void items.set(key, value),
  removeItem: (key) => void items.delete(key),
});

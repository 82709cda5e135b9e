/** Builds a record with a value for each of the keys, in their order. */
export const each = <Key extends string, Value>(keys: readonly Key[], make: (key: Key) => Value): Record<Key, Value> =>
  Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<Key, Value>;

/** One table of its parts. @throws Error for a key of two parts: the compiler sees only those of one. */
export function joinParts<Value>(...parts: Record<string, Value>[]): Record<string, Value> {
  const entries = parts.flatMap((part) => Object.entries(part));
  const keys = entries.map(([key]) => key);
  const twice = keys.filter((key, at) => keys.indexOf(key) !== at);
  if (twice.length > 0) throw new Error(`in two parts: ${twice.join(', ')}`);
  return Object.fromEntries(entries);
}

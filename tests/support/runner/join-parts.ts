/** Joins the parts of a table. @throws Error for a key in two parts: the compiler only sees those of one. */
export function joinParts<Value>(...parts: Record<string, Value>[]): Record<string, Value> {
  const entries = parts.flatMap((part) => Object.entries(part));
  const keys = entries.map(([key]) => key);
  const twice = keys.filter((key, at) => keys.indexOf(key) !== at);
  if (twice.length > 0) throw new Error(`in two parts: ${twice.join(', ')}`);
  return Object.fromEntries(entries);
}

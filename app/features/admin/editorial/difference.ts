/** A segment of text that is in both versions, or only in one of them. */
export interface Segment {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** Above this number of comparisons two texts are compared by lines, and above it again as one single change. */
const MAX_COMPARISONS = 1_000_000;

/** The edit steps between two lists, by the longest common subsequence; null when it would exceed the limit. */
function steps(before: readonly string[], after: readonly string[]): Segment[] | null {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end++;
  const [a, b] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  if (a.length * b.length > MAX_COMPARISONS) return null;
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const found: Segment[] = before.slice(0, start).map((text) => ({ kind: 'same', text }));
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length)
    if (i < a.length && j < b.length && a[i] === b[j]) {
      found.push({ kind: 'same', text: a[i++] ?? '' });
      j++;
    } else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1)))
      found.push({ kind: 'removed', text: a[i++] ?? '' });
    else found.push({ kind: 'added', text: b[j++] ?? '' });
  found.push(...before.slice(before.length - end).map((text): Segment => ({ kind: 'same', text })));
  return found;
}

/** Merges adjacent segments of one kind, so that screen readers read them as one. */
function mergeAdjacent(parts: Segment[]): Segment[] {
  const found: Segment[] = [];
  for (const { kind, text } of parts) {
    const last = found.at(-1);
    if (last?.kind === kind) last.text += text;
    else found.push({ kind, text });
  }
  return found;
}

/**
 * Removed and added parts of a text, by words; of very long texts by lines. Joining all but `added` gives the first text, all but
 * `removed` the second.
 */
export function difference(before: string, after: string): Segment[] {
  const parts = (text: string, by: RegExp) => text.match(by) ?? [];
  const found =
    steps(parts(before, /\s+|[^\s]+/g), parts(after, /\s+|[^\s]+/g)) ??
    steps(parts(before, /[^\n]*\n|[^\n]+$/g), parts(after, /[^\n]*\n|[^\n]+$/g));
  const whole: Segment[] = [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ];
  return mergeAdjacent(found ?? whole);
}

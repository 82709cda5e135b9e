export interface LineBuffer {
  /** Adds a line, with its line break. */
  write: (line: string) => void;
  /** Empties the buffer. @returns its bytes; null when there are none */
  take: () => Buffer | null;
}

/**
 * Collects lines and passes them on together: a write of its own for every line or few costs several times as much as the
 * line.
 *
 * @param send receives the bytes of whole lines; they are a copy that it may store.
 * @param limits size of the buffer in bytes, and the longest time in milliseconds for which a line stays in it. Lines that do
 *   not fit into an empty buffer are passed on at once.
 */
export function lineBuffer(send: (bytes: Buffer) => void, limits: { bytes: number; ms: number }): LineBuffer {
  const buffer = Buffer.allocUnsafeSlow(limits.bytes);
  let used = 0;
  let timer: NodeJS.Timeout | undefined;
  const take = () => {
    clearTimeout(timer);
    timer = undefined;
    if (used === 0) return null;
    const bytes = Buffer.from(buffer.subarray(0, used));
    used = 0;
    return bytes;
  };
  const flush = () => {
    const bytes = take();
    if (bytes) send(bytes);
  };
  return {
    take,
    write(line) {
      // UTF-8 needs at most three bytes for a unit of a string.
      const longest = line.length * 3;
      if (used + longest > limits.bytes) flush();
      if (longest > limits.bytes) return send(Buffer.from(line));
      used += buffer.write(line, used);
      timer ??= setTimeout(flush, limits.ms).unref();
    },
  };
}

/**
 * Reads the numbers of an ECDSA signature from DER: a sequence of two non-negative integers in their shortest form.
 *
 * @returns null for anything else, including trailing bytes.
 */
export function readDerSignature(bytes: Uint8Array): { r: bigint; s: bigint } | null {
  // Two integers of at most 33 bytes: every length fits into one byte.
  if (bytes.length < 8 || bytes.length > 72 || bytes[0] !== 0x30 || bytes[1] !== bytes.length - 2) return null;
  const r = readInteger(bytes, 2);
  const s = r && readInteger(bytes, r.end);
  return r && s && s.end === bytes.length ? { r: r.value, s: s.value } : null;
}

function readInteger(bytes: Uint8Array, start: number): { value: bigint; end: number } | null {
  const length = bytes[start + 1] ?? 0;
  const own = bytes.subarray(start + 2, start + 2 + length);
  const [first = 0, second = 0] = own;
  if (bytes[start] !== 2 || length < 1 || length > 33 || own.length !== length || first >= 0x80) return null;
  // A leading zero is only allowed where the sign bit would be set otherwise.
  if (first === 0 && length > 1 && second < 0x80) return null;
  return { value: BigInt(`0x${Buffer.from(own).toString('hex')}`), end: start + 2 + length };
}

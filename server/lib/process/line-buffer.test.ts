import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { lineBuffer } from './line-buffer.ts';

let sent: string[] = [];
const open = () => lineBuffer((bytes) => void sent.push(bytes.toString()), { bytes: 32, ms: 500 });

beforeEach(() => {
  sent = [];
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

it('the buffer writes lines together: before one that would not fit, and after the maximum delay', () => {
  const buffer = open();
  for (const line of ['one\n', 'two\n', 'three\n', 'four\n', 'five\n']) buffer.write(line);
  expect(sent.join('')).toBe('one\ntwo\nthree\nfour\n'.slice(0, sent.join('').length));
  expect(sent.every((chunk) => chunk.endsWith('\n'))).toBe(true);
  expect(sent.join('')).not.toContain('five');
  vi.advanceTimersByTime(500);
  expect(sent.join('')).toBe('one\ntwo\nthree\nfour\nfive\n');
  expect(sent.length).toBeLessThan(5);
});

it('the delay restarts with the first line in an empty buffer', () => {
  const buffer = open();
  buffer.write('a\n');
  vi.advanceTimersByTime(400);
  expect(buffer.take()?.toString()).toBe('a\n');
  buffer.write('b\n');
  vi.advanceTimersByTime(499);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(sent).toEqual(['b\n']);
  expect(buffer.take()).toBeNull();
});

it('the buffer preserves order and bytes, also of lines longer than itself and of multi-byte characters', () => {
  const buffer = open();
  const lines = ['short\n', `${'x'.repeat(100)}\n`, 'ñandú 🚀\n', `${'€'.repeat(40)}\n`, 'end\n'];
  for (const line of lines) buffer.write(line);
  expect(sent.join('') + (buffer.take() ?? '')).toBe(lines.join(''));
});

it('the bytes that the buffer wrote are not changed by later lines', () => {
  const chunks: Buffer[] = [];
  const buffer = lineBuffer((bytes) => void chunks.push(bytes), { bytes: 32, ms: 500 });
  for (const line of ['first\n', 'second\n']) {
    buffer.write(line);
    vi.advanceTimersByTime(500);
  }
  expect(Buffer.concat(chunks).toString()).toBe('first\nsecond\n');
});

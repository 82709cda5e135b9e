import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { lineBuffer } from './line-buffer.ts';

let sent: string[] = [];
const open = () => lineBuffer((bytes) => void sent.push(bytes.toString()), { bytes: 32, ms: 500 });

beforeEach(() => {
  sent = [];
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

it('passes lines on together: when the next one could not fit, and after the longest time', () => {
  const buffer = open();
  for (const line of ['one\n', 'two\n', 'three\n', 'four\n', 'five\n']) buffer.write(line);
  expect(sent.join('')).toBe('one\ntwo\nthree\nfour\n'.slice(0, sent.join('').length));
  expect(sent.every((chunk) => chunk.endsWith('\n'))).toBe(true);
  expect(sent.join('')).not.toContain('five');
  vi.advanceTimersByTime(500);
  expect(sent.join('')).toBe('one\ntwo\nthree\nfour\nfive\n');
  expect(sent.length).toBeLessThan(5);
});

it('starts the time again with the first line in an empty buffer', () => {
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

it('keeps the order and every byte, also of lines longer than the buffer and of characters of several bytes', () => {
  const buffer = open();
  const lines = ['short\n', `${'x'.repeat(100)}\n`, 'ñandú 🚀\n', `${'€'.repeat(40)}\n`, 'end\n'];
  for (const line of lines) buffer.write(line);
  expect(sent.join('') + (buffer.take() ?? '')).toBe(lines.join(''));
});

it('passes on bytes that later lines do not change', () => {
  const chunks: Buffer[] = [];
  const buffer = lineBuffer((bytes) => void chunks.push(bytes), { bytes: 32, ms: 500 });
  for (const line of ['first\n', 'second\n']) {
    buffer.write(line);
    vi.advanceTimersByTime(500);
  }
  expect(Buffer.concat(chunks).toString()).toBe('first\nsecond\n');
});

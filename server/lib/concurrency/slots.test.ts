import { expect, it } from 'vitest';
import { createSlots, sharesOf } from './slots.ts';

it('slots are limited in total and per share, and released only once', () => {
  const slots = createSlots(3);
  const a = [{ key: 'a', max: 2 }];
  const first = slots.acquire(a);
  expect([typeof first, typeof slots.acquire(a), slots.acquire(a)]).toEqual(['function', 'function', 'shareFull']);
  expect([typeof slots.acquire([]), slots.acquire([]), slots.size]).toEqual(['function', 'full', 3]);
  if (typeof first === 'function') {
    first();
    first();
  }
  expect([slots.size, typeof slots.acquire(a), slots.acquire(a)]).toEqual([2, 'function', 'shareFull']);
});

/** How many of these addresses get a slot. */
const fitting = (addresses: string[], each: number) => {
  const slots = createSlots(10_000);
  return addresses.filter((address) => typeof slots.acquire(sharesOf(address, each)) === 'function').length;
};
const numbers = Array.from({ length: 200 }, (_, i) => i + 1);

it.each([
  ['one IPv4', numbers.map(() => '203.0.113.9'), 2],
  ['an IPv4 /24', numbers.map((i) => `203.0.113.${i}`), 16],
  ['IPv4 of many networks', numbers.map((i) => `203.0.${i}.9`), 200],
  ['a /64', numbers.map((i) => `2001:db8:1:2::${i.toString(16)}`), 2],
  ['a /56', numbers.map((i) => `2001:db8:1:${i.toString(16)}::1`), 4],
  ['a /48', numbers.map((i) => `2001:db8:1:${(i * 256).toString(16)}::1`), 16],
  ['IPv6 of many sites', numbers.map((i) => `2001:db8:${i.toString(16)}::1`), 200],
  ['this machine', numbers.map(() => '127.0.0.1'), 200],
])('a limit of two slots per address admits as many as expected from %s', (_, addresses, fit) => {
  expect(fitting(addresses, 2)).toBe(fit);
});

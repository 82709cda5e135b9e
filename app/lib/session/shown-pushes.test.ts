import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { closeAllPushes, closeReadPushes } from './shown-pushes.ts';

let shown: string[];
let calls: string[];
beforeEach(() => {
  shown = ['read', 'unread', 'not in the list'];
  calls = [];
  const getNotifications = async () =>
    shown.map((tag) => ({
      tag,
      close: () => {
        shown = shown.filter((one) => one !== tag);
      },
    }));
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => ({ getNotifications }) } });
  vi.stubGlobal('fetch', async (path: string) => {
    calls.push(path);
    const items = [
      { id: 'read', read: true },
      { id: 'unread', read: false },
    ];
    return Response.json({ json: { items, nextCursor: null } });
  });
});
afterEach(() => vi.unstubAllGlobals());

it('a push whose notification was read is closed, and no other one', async () => {
  await closeReadPushes();
  expect(shown).toEqual(['unread', 'not in the list']);
});

it('without a shown push nothing is requested', async () => {
  shown = [];
  await closeReadPushes();
  expect(calls).toEqual([]);
});

it('all shown pushes are closed on sign-out', async () => {
  await closeAllPushes();
  expect(shown).toEqual([]);
});

it('without service workers there are no pushes to close', async () => {
  vi.stubGlobal('navigator', {});
  await closeReadPushes();
  await closeAllPushes();
  expect(calls).toEqual([]);
});

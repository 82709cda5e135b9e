import { expect, it } from 'vitest';
import { openPushed, type PushScope } from './push.ts';

it('a click on a push opens a new page, since navigating an open one would lose what is typed there', async () => {
  const seen: string[] = [];
  const page = { url: 'https://florka.test/next', navigate: async (to: string) => seen.push(`lead to ${to}`) };
  const clients = { matchAll: async () => [page], openWindow: async (to: string) => seen.push(`open ${to}`) };
  const notification = { close: () => seen.push('close'), data: { path: '/next?notice=1' } };
  await openPushed({ clients } as unknown as PushScope, notification as unknown as Notification);
  expect(seen).toEqual(['close', 'open /next?notice=1']);
});

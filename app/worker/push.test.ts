import { expect, it } from 'vitest';
import { openPushed, type PushScope } from './push.ts';

/** Clicks a push to /next while these pages are open. @returns what happened, in order. */
async function click(open: string[], controlled = true): Promise<string[]> {
  const seen: string[] = [];
  const pages = open.map((url) => ({
    url: `https://florka.test${url}`,
    focus: async () => seen.push(`focus ${url}`),
    navigate: async (to: string) => {
      if (!controlled) throw new TypeError('not controlled');
      seen.push(`${url} to ${to}`);
    },
  }));
  const scope = {
    clients: {
      matchAll: async () => pages,
      openWindow: async (to: string) => seen.push(`open ${to}`),
    },
  } as unknown as PushScope;
  const notification = { close: () => seen.push('close'), data: { path: '/next' } };
  await openPushed(scope, notification as unknown as Notification);
  return seen;
}

it('the click of a push opens its page, in an open page if there is one', async () => {
  expect(await click([])).toEqual(['close', 'open /next']);
  expect(await click(['/en/forum', '/vote'])).toEqual(['close', 'focus /en/forum', '/en/forum to /next']);
  expect(await click(['/vote'], false)).toEqual(['close', 'focus /vote', 'open /next']);
});

it.each(['/admin', '/admin/news?q=x', '/en/admin/settings'])(
  'it leaves %s as it is: a form there would be lost',
  async (office) => {
    expect(await click([office])).toEqual(['close', 'open /next']);
    expect(await click([office, '/vote'])).toEqual(['close', 'focus /vote', '/vote to /next']);
  },
);

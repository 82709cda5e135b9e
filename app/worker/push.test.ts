import { expect, it } from 'vitest';
import { openPushed, type PushScope } from './push.ts';

/** Clicks a push to /next#now while these pages are open. @returns what happened, in order. */
async function click(open: string[]): Promise<string[]> {
  const seen: string[] = [];
  const pages = open.map((url) => ({
    url: `https://florka.test${url}`,
    focus: async () => seen.push(`focus ${url}`),
    navigate: async (to: string) => seen.push(`${url} to ${to}`),
  }));
  const scope = {
    clients: {
      matchAll: async () => pages,
      openWindow: async (to: string) => seen.push(`open ${to}`),
    },
  } as unknown as PushScope;
  const notification = { close: () => seen.push('close'), data: { path: '/next#now' } };
  await openPushed(scope, notification as unknown as Notification);
  return seen;
}

it('the click of a push shows the open page with its address', async () => {
  expect(await click(['/en/forum', '/next#now', '/next#now'])).toEqual(['close', 'focus /next#now']);
});

it.each(['/forum/new', '/en/create', '/admin/news?q=x', '/next'])(
  'it opens a page of its own beside %s: what is typed there would be lost',
  async (page) => {
    expect(await click([page])).toEqual(['close', 'open /next#now']);
  },
);

it('it opens a page where none is open', async () => {
  expect(await click([])).toEqual(['close', 'open /next#now']);
});

// What the attack run reads and sends exists: a probe of something else would never find anything.
import { expect, it } from 'vitest';
import { PATHS, SCREENS } from '../attack/markup.ts';
import { PAGES, requestMoved } from '../attack/sequence-reads.ts';

interface Route {
  path?: string | undefined;
  index?: boolean | undefined;
  children?: Route[] | undefined;
}

it('every page and screen that is read is in the table of routes', async () => {
  const { default: routes } = (await import('#app/routes.ts')) as { default: Route[] };
  const addressesOf = (all: Route[]): string[] =>
    all.flatMap(({ path, index, children }) => [
      ...(index ? ['/'] : []),
      ...(path === undefined ? [] : [`/${path.replace(/\/?:\w+\?$/, '')}`]),
      ...addressesOf(children ?? []),
    ]);
  const there = addressesOf(routes);
  expect(there).toContain('/en/forum');
  const read = [...PAGES, ...PATHS, ...SCREENS].map((address) => address.split('?')[0] ?? '');
  expect(read.filter((address) => !there.includes(address))).toEqual([]);
});

it('a page and a card that have moved to the name of a token are read there', async () => {
  const requested: string[] = [];
  const who = {
    async request(method: string, address: string) {
      requested.push(address);
      const moved = address === '/token/1';
      const headers = new Headers(moved ? { location: 'https://florka.test/token/axolotl?a=b' } : {});
      return { method, status: moved ? 308 : 200, headers, text: address };
    },
  };
  expect(await requestMoved(who, '/token/1')).toMatchObject({ status: 200, text: '/token/axolotl?a=b' });
  expect(requested).toEqual(['/token/1', '/token/axolotl?a=b']);
});

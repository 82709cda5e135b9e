// The addresses and fields that the attack run probes exist: a probe of anything else would never find anything.
import { expect, it } from 'vitest';
import { PATHS, SCREENS } from '../attack/markup.ts';
import { PAGES, requestMoved } from '../attack/sequence-reads.ts';

interface Route {
  path?: string | undefined;
  index?: boolean | undefined;
  children?: Route[] | undefined;
}

it('every page and screen that the attack run reads is a route of the application', async () => {
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

it('a page that redirects to the slug of its token is read at its new address', async () => {
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

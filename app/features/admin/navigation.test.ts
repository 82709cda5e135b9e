import { expect, it } from 'vitest';
import routes from '../../routes.ts';
import { NAVIGATION } from './navigation.ts';

/** Screens reached by links of another screen, or second addresses of one. */
const INSIDE = [
  '/admin-login',
  '/admin/mailbox',
  '/admin/people/:id',
  '/admin/votes/rounds',
  '/admin/projects-api',
  '/admin/next-projects-api',
];

it('leads to every screen of the back office, and nowhere else', () => {
  const screens = routes
    .flatMap(({ children = [] }) => children)
    .filter(({ id, path }) => id?.startsWith('es/admin') && !path?.includes('*'))
    .map(({ path }) => `/${path}`);
  const led = NAVIGATION.flatMap(({ screens: some }) => some.map(({ path }): string => path));
  expect(screens.length).toBeGreaterThan(10);
  expect([...led, ...INSIDE].sort()).toEqual(screens.sort());
});

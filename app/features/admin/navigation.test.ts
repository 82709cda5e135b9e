import { expect, it } from 'vitest';
import routes from '../../routes.ts';
import { NAVIGATION, screenAt } from './navigation.ts';

/** Screens without an entry in the navigation: reached from another screen, or a second address of one. */
const INSIDE = [
  '/admin-login',
  '/admin/mailbox',
  '/admin/people/:id',
  '/admin/votes/rounds',
  '/admin/projects-api',
  '/admin/next-projects-api',
];

it('the navigation links to every screen of the back office except those listed above, and to nothing else', () => {
  const screens = routes
    .flatMap(({ children = [] }) => children)
    .filter(({ id, path }) => id?.startsWith('es/admin') && !path?.includes('*'))
    .map(({ path }) => `/${path}`);
  const led = NAVIGATION.flatMap(({ screens: some }) => some.map(({ path }): string => path));
  expect(screens.length).toBeGreaterThan(10);
  expect([...led, ...INSIDE].sort()).toEqual(screens.sort());
});

it('screenAt finds the screen of each page, in both languages', () => {
  for (const [path, name] of [
    ['/admin', 'dashboard'],
    ['/en/admin/people/11111111-1111-4111-8111-111111111111', 'people'],
    ['/admin/mailbox', 'people'],
    ['/en/admin/mailbox', 'people'],
    ['/admin/votes/rounds', 'votes'],
    ['/admin/projects-api', 'projects'],
    ['/admin/nothing', undefined],
  ] as const)
    expect(screenAt(path)?.name, path).toBe(name);
});

import { renderToStaticMarkup } from 'react-dom/server';
import * as router from 'react-router';
import { describe, expect, it } from 'vitest';
import * as server from './server-router.tsx';

type LinkProps = Parameters<typeof server.Link>[0];
type NavProps = Parameters<typeof server.NavLink>[0];

/** Renders links inside a nested route, as pages are. */
function drawnAt(path: string, element: React.ReactElement): string {
  const routes: router.RouteObject[] = [
    {
      path: '/en?',
      children: [
        { index: true, element },
        { path: '*', element },
      ],
    },
  ];
  const inside = router.createMemoryRouter(routes, { initialEntries: [path] });
  return renderToStaticMarkup(<router.RouterProvider router={inside} />);
}

const LINKS: LinkProps[] = [
  { to: '/' },
  { to: '/vote' },
  { to: '/en/token/luna-1/candidate' },
  { to: '/tokens?kind=next&order=new' },
  { to: '/vote#ranking' },
  { to: '/forum?tag=a%20b#top', className: 'stretched', lang: 'en', title: 'Foro', children: 'Foro' },
  { to: '/vote', target: '_blank', rel: 'noopener', onClick: () => {} },
  { to: '/vote', discover: 'none', prefetch: 'none', preventScrollReset: true, replace: true, state: { a: 1 } },
  { to: '/account.data', reloadDocument: true },
  // The router resolves these.
  { to: '?tab=next' },
  { to: '' },
  { to: '.' },
  { to: '..' },
  { to: '/a/../b' },
  { to: '/vote/' },
  { to: '/vote?' },
  { to: '//other.example/x' },
  { to: 'https://other.example/x' },
  { to: 'mailto:a@b.example' },
  { to: '/member/Ñandú' },
  { to: '/a b' },
  { to: { pathname: '/vote', search: '?a=1' } },
  { to: '/vote', mask: '/race' },
];

describe('a link rendered on the server', () => {
  it.each(LINKS)('$to equals that of the router', (props) => {
    for (const at of ['/', '/vote', '/en/forum?tag=x'])
      expect(drawnAt(at, <server.Link {...props} />)).toBe(drawnAt(at, <router.Link {...props} />));
  });

  const NAVIGATION: NavProps[] = [
    { to: '/' },
    { to: '/', end: true },
    { to: '/vote', className: 'nav-link' },
    { to: '/vote', className: 'nav-link', end: true },
    { to: '/VOTE', caseSensitive: true },
    { to: '/VOTE' },
    { to: '/vo' },
    { to: '/vote', 'aria-current': 'location' },
    { to: '/vote?tab=1', className: 'nav-link' },
    { to: '/vote', className: ({ isActive }: { isActive: boolean }) => (isActive ? 'here' : 'there') },
    { to: '/vote', children: ({ isActive }: { isActive: boolean }) => (isActive ? 'here' : 'there') },
    { to: '/vote', style: { color: 'red' }, children: 'Vote' },
  ];
  it.each(NAVIGATION)('$to in a navigation equals that of the router', (props) => {
    for (const at of ['/', '/vote', '/vote/race', '/voted', '/en/vote'])
      expect(drawnAt(at, <server.NavLink {...props} />)).toBe(drawnAt(at, <router.NavLink {...props} />));
  });
});

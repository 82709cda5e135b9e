import { expect, it } from 'vitest';
import { createRouteNames, UNMATCHED } from './routes.ts';

const nameOf = createRouteNames({
  'public/es': { path: undefined },
  'es/home': { parentId: 'public/es', index: true },
  'es/token': { parentId: 'public/es', path: 'token/:slug' },
  'es/candidate': { parentId: 'public/es', path: 'token/:slug/candidate' },
  'es/news': { parentId: 'public/es', path: 'news/:id?' },
  'public/en': { path: undefined },
  'en/prefix': { parentId: 'public/en', path: 'en' },
  'en/home': { parentId: 'en/prefix', index: true },
  'es/not-found': { parentId: 'public/es', path: '*' },
  'en/not-found': { parentId: 'public/en', path: 'en/*' },
});

it.each([
  ['/', '/'],
  ['/_root.data', '/'],
  ['/en', '/en'],
  ['/en/', '/en'],
  ['/token/pepe', '/token/{slug}'],
  ['/token/pepe.data', '/token/{slug}'],
  ['/token/pepe/candidate', '/token/{slug}/candidate'],
  ['/news', '/news'],
  ['/news/feed.xml', '/news/feed.xml'],
  ['/news/123', '/news/{id}'],
  ['/rpc/voting/ranking', '/rpc/voting/ranking'],
  ['/rpc/voting/constructor', '/rpc/*'],
  ['/api/candidates', '/api/candidates'],
  ['/api/candidates/5f/history', '/api/candidates/{candidateId}/history'],
  ['/api/nothing', '/api/*'],
  ['/media/a/b/c.webp', '/media/*'],
  ['/og/es/token/%73ecret.png', '/og/*'],
  ['/wp-login.php', UNMATCHED],
  ['/en/wp-login.php', UNMATCHED],
  ['/token/a/b/c', UNMATCHED],
  ['/__proto__', UNMATCHED],
])('the route of %s is %s', (path, name) => {
  expect(nameOf(path)).toBe(name);
});

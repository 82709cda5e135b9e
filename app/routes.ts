import { index, layout, prefix, type RouteConfigEntry, route } from '@react-router/dev/routes';
import { SITE_PAGES } from '#contract/limits.ts';

/** The public pages once per language: the default one at the root, English below /en. */
const pages = (language: 'es' | 'en'): RouteConfigEntry[] => {
  const id = (name: string) => ({ id: `${language}/${name}` });
  return [
    index('routes/public/home.tsx', id('home')),
    route('vote', 'routes/public/vote.tsx', id('vote')),
    route('vote/race', 'routes/public/race.tsx', id('race')),
    route('ticket/:id', 'routes/public/ticket.tsx', id('ticket')),
    route('tokens', 'routes/public/tokens.tsx', id('tokens')),
    route('compare', 'routes/public/compare.tsx', id('compare')),
    route('token/:slug', 'routes/public/token.tsx', id('token')),
    route('token/:slug/candidate', 'routes/public/token.tsx', id('candidate')),
    route('creator/:kind/:id', 'routes/public/creator.tsx', id('creator')),
    route('auth', 'routes/public/auth.tsx', id('auth')),
    route('account', 'routes/public/account.tsx', id('account')),
    route('verify', 'routes/public/verify.tsx', id('verify')),
    route('reset', 'routes/public/reset.tsx', id('reset')),
    route('notifications', 'routes/public/notifications.tsx', id('notifications')),
    route('saved', 'routes/public/saved.tsx', id('saved')),
    route('news/:id?', 'routes/public/news.tsx', id('news')),
    route('next', 'routes/public/next.tsx', id('next')),
    route('unsubscribe', 'routes/public/unsubscribe.tsx', id('unsubscribe')),
    route('moderation', 'routes/public/moderation.tsx', id('moderation')),
    route('ledger', 'routes/public/ledger.tsx', id('ledger')),
    route('forum', 'routes/public/forum.tsx', id('forum')),
    route('forum/:id', 'routes/public/post.tsx', id('post')),
    route('member/:name', 'routes/public/member.tsx', id('member')),
    route('search', 'routes/public/search.tsx', id('search')),
    route('create', 'routes/public/create.tsx', id('create')),
    route('publish', 'routes/public/publish.tsx', id('publish')),
    route('order/:id', 'routes/public/order.tsx', id('order')),
    route('preview/:key?', 'routes/public/preview.tsx', id('preview')),
    route('submission/:id', 'routes/public/submission.tsx', id('submission')),
    ...SITE_PAGES.map((page) => route(page, 'routes/public/site-page.tsx', id(page))),
    route('*', 'routes/public/not-found.tsx', id('not-found')),
  ];
};

/** The back office: the same in both languages. */
const adminRoutes = (language: 'es' | 'en'): RouteConfigEntry[] => {
  const screen = (path: string, file: string) =>
    route(path, `routes/admin/${file}.tsx`, { id: `${language}/admin/${path}` });
  return [
    screen('admin-login', 'login'),
    screen('admin', 'dashboard'),
    screen('admin/audit', 'audit'),
    screen('admin/inbox', 'inbox'),
    screen('admin/deliverables', 'deliverables'),
    screen('admin/deliverable-terms', 'deliverable-terms'),
    screen('admin/refunds', 'refunds'),
    screen('admin/money', 'money'),
    screen('admin/settlement', 'settlement'),
    screen('admin/networks', 'networks'),
    screen('admin/verified', 'verified'),
    screen('admin/news', 'news'),
    screen('admin/site-pages', 'site-pages'),
    screen('admin/media', 'media'),
    screen('admin/reports', 'reports'),
    screen('admin/people', 'people'),
    screen('admin/people/:id', 'person'),
    screen('admin/mailbox', 'mailbox'),
    screen('admin/settings', 'settings'),
    screen('admin/doctor', 'doctor'),
    screen('admin/votes', 'votes'),
    screen('admin/votes/rounds', 'rounds'),
    screen('admin/vote-review', 'vote-review'),
    screen('admin/projects', 'projects'),
    screen('admin/projects-api', 'projects'),
    screen('admin/next-projects', 'next-projects'),
    screen('admin/next-projects-api', 'next-projects'),
    screen('admin/submissions', 'submissions'),
    screen('admin/token-creation', 'token-creation'),
    screen('admin/forum', 'forum'),
    screen('admin/moderator-requests', 'moderator-requests'),
    screen('admin/users', 'roles'),
    screen('admin/complete-users', 'users'),
    screen('admin/*', 'not-found'),
  ];
};

export default [
  layout('routes/public/es.tsx', pages('es')),
  layout('routes/public/en.tsx', prefix('en', pages('en'))),
  layout('routes/admin/layout.tsx', { id: 'admin/es' }, adminRoutes('es')),
  layout('routes/admin/layout.tsx', { id: 'admin/en' }, prefix('en', adminRoutes('en'))),
];

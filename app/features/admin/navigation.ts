import {
  BadgeCheck,
  ChartNoAxesColumn,
  ClipboardList,
  Coins,
  FileClock,
  FileText,
  Gauge,
  Images,
  Inbox,
  MessagesSquare,
  Network,
  Newspaper,
  PackageCheck,
  Rocket,
  Scale,
  ScrollText,
  Settings,
  ShieldAlert,
  ShieldQuestion,
  ShieldUser,
  Stethoscope,
  Trophy,
  Undo2,
  UserSearch,
  Users,
  Vote,
  Wallet,
} from 'lucide-react';
import type { AdminProcedure } from '#contract/domains/admin.ts';

/**
 * Every screen of the back office, grouped as in the navigation. A screen is open to users with the right to call any of the
 * procedures that it reads, so the contract alone decides it.
 */
export const NAVIGATION = [
  {
    group: 'work',
    screens: [
      { name: 'dashboard', path: '/admin', reads: ['dashboard.counts'], icon: Gauge },
      { name: 'inbox', path: '/admin/inbox', reads: ['inbox.list'], icon: Inbox },
      {
        name: 'reports',
        path: '/admin/reports',
        reads: ['funnel.list', 'retention.list', 'moderationLoad.list', 'pageViews.list'],
        icon: ChartNoAxesColumn,
      },
      { name: 'audit', path: '/admin/audit', reads: ['audit.names'], icon: FileClock },
    ],
  },
  {
    group: 'content',
    screens: [
      { name: 'projects', path: '/admin/projects', reads: ['projects.list'], icon: Trophy },
      { name: 'nextProjects', path: '/admin/next-projects', reads: ['nextProjects.list'], icon: Rocket },
      { name: 'votes', path: '/admin/votes', reads: ['candidates.list'], icon: Vote },
      { name: 'voteReview', path: '/admin/vote-review', reads: ['voteReview.list'], icon: ShieldAlert },
      { name: 'verified', path: '/admin/verified', reads: ['ownership.list'], icon: BadgeCheck },
      { name: 'news', path: '/admin/news', reads: ['news.list'], icon: Newspaper },
      { name: 'sitePages', path: '/admin/site-pages', reads: ['sitePages.list'], icon: FileText },
      { name: 'media', path: '/admin/media', reads: ['media.list'], icon: Images },
    ],
  },
  {
    group: 'community',
    screens: [
      {
        name: 'people',
        path: '/admin/people',
        also: ['/admin/mailbox'],
        reads: ['people.find'],
        icon: UserSearch,
      },
      { name: 'forum', path: '/admin/forum', reads: ['forum.list'], icon: MessagesSquare },
      {
        name: 'moderatorRequests',
        path: '/admin/moderator-requests',
        reads: ['moderatorRequests.list'],
        icon: ShieldQuestion,
      },
      { name: 'roles', path: '/admin/users', reads: ['roles.list'], icon: ShieldUser },
      { name: 'users', path: '/admin/complete-users', reads: ['users.list'], icon: Users },
    ],
  },
  {
    group: 'business',
    screens: [
      { name: 'submissions', path: '/admin/submissions', reads: ['submissions.list'], icon: ClipboardList },
      { name: 'tokenCreation', path: '/admin/token-creation', reads: ['tokenRequests.list'], icon: Coins },
      { name: 'deliverables', path: '/admin/deliverables', reads: ['deliverables.list'], icon: PackageCheck },
      { name: 'deliverableTerms', path: '/admin/deliverable-terms', reads: ['deliverables.terms'], icon: ScrollText },
      { name: 'refunds', path: '/admin/refunds', reads: ['refunds.list'], icon: Undo2 },
      { name: 'money', path: '/admin/money', reads: ['money.list'], icon: Wallet },
      { name: 'settlement', path: '/admin/settlement', reads: ['settlement.list'], icon: Scale },
      { name: 'networks', path: '/admin/networks', reads: ['networks.update'], icon: Network },
    ],
  },
  {
    group: 'site',
    screens: [
      { name: 'settings', path: '/admin/settings', reads: ['settings.list'], icon: Settings },
      { name: 'doctor', path: '/admin/doctor', reads: ['settings.doctor'], icon: Stethoscope },
    ],
  },
] as const satisfies readonly {
  group: string;
  screens: readonly {
    name: string;
    path: string;
    /** Addresses of pages that belong to this screen and do not begin with its path. */
    also?: readonly string[];
    reads: readonly AdminProcedure[];
    icon: unknown;
  }[];
}[];

export type ScreenName = (typeof NAVIGATION)[number]['screens'][number]['name'];
type AnyScreen = (typeof NAVIGATION)[number]['screens'][number];

/** The screen of an address, in either language; undefined when there is none. */
export function screenAt(pathname: string): AnyScreen | undefined {
  const path = pathname.replace(/^\/en(?=\/)/, '').replace(/(-api)?\/*$/, '');
  return NAVIGATION.flatMap((group): AnyScreen[] => [...group.screens]).find((screen) =>
    screen.path === '/admin'
      ? path === '/admin'
      : [screen.path, ...('also' in screen ? screen.also : [])].some(
          (own) => path === own || path.startsWith(`${own}/`),
        ),
  );
}

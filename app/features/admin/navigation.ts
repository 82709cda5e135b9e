import {
  BadgeCheck,
  ChartNoAxesColumn,
  ClipboardList,
  Coins,
  FileClock,
  FileText,
  Gauge,
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

/** Every screen of the back office, as the navigation groups them. */
export const NAVIGATION = [
  {
    group: 'work',
    screens: [
      { name: 'dashboard', path: '/admin', icon: Gauge },
      { name: 'inbox', path: '/admin/inbox', icon: Inbox },
      { name: 'reports', path: '/admin/reports', icon: ChartNoAxesColumn },
      { name: 'audit', path: '/admin/audit', icon: FileClock },
    ],
  },
  {
    group: 'content',
    screens: [
      { name: 'projects', path: '/admin/projects', icon: Trophy },
      { name: 'nextProjects', path: '/admin/next-projects', icon: Rocket },
      { name: 'votes', path: '/admin/votes', icon: Vote },
      { name: 'voteReview', path: '/admin/vote-review', icon: ShieldAlert },
      { name: 'verified', path: '/admin/verified', icon: BadgeCheck },
      { name: 'news', path: '/admin/news', icon: Newspaper },
      { name: 'sitePages', path: '/admin/site-pages', icon: FileText },
    ],
  },
  {
    group: 'community',
    screens: [
      { name: 'people', path: '/admin/people', icon: UserSearch },
      { name: 'forum', path: '/admin/forum', icon: MessagesSquare },
      { name: 'moderatorRequests', path: '/admin/moderator-requests', icon: ShieldQuestion },
      { name: 'users', path: '/admin/users', icon: ShieldUser },
      { name: 'completeUsers', path: '/admin/complete-users', icon: Users },
    ],
  },
  {
    group: 'business',
    screens: [
      { name: 'submissions', path: '/admin/submissions', icon: ClipboardList },
      { name: 'tokenCreation', path: '/admin/token-creation', icon: Coins },
      { name: 'deliverables', path: '/admin/deliverables', icon: PackageCheck },
      { name: 'deliverableTerms', path: '/admin/deliverable-terms', icon: ScrollText },
      { name: 'refunds', path: '/admin/refunds', icon: Undo2 },
      { name: 'money', path: '/admin/money', icon: Wallet },
      { name: 'settlement', path: '/admin/settlement', icon: Scale },
      { name: 'networks', path: '/admin/networks', icon: Network },
    ],
  },
  {
    group: 'site',
    screens: [
      { name: 'settings', path: '/admin/settings', icon: Settings },
      { name: 'doctor', path: '/admin/doctor', icon: Stethoscope },
    ],
  },
] as const;

export type ScreenName = (typeof NAVIGATION)[number]['screens'][number]['name'];

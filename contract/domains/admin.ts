import { z } from 'zod';
import { adminAudit } from '../admin/audit.ts';
import { adminRecords } from '../admin/bulk-records.ts';
import { adminDashboard } from '../admin/dashboard.ts';
import { adminDeliverables } from '../admin/deliverables.ts';
import { adminEditorial } from '../admin/editorial.ts';
import { adminForum } from '../admin/forum.ts';
import { adminInbox } from '../admin/inbox.ts';
import { adminLists } from '../admin/list-preferences.ts';
import { adminMailboxes } from '../admin/mailboxes.ts';
import { adminMarket } from '../admin/market.ts';
import { adminMedia } from '../admin/media.ts';
import { adminModeratorRequests } from '../admin/moderators.ts';
import { adminIncome, adminLaunchIncome, adminMoney, adminPaymentList } from '../admin/money.ts';
import { adminNetworks } from '../admin/networks.ts';
import { adminNews } from '../admin/news.ts';
import { adminNextProjects } from '../admin/next-projects.ts';
import { adminOwnership } from '../admin/ownership.ts';
import { adminPeople } from '../admin/people.ts';
import { adminProjects } from '../admin/projects.ts';
import { adminRefunds } from '../admin/refunds.ts';
import { adminFunnel, adminModerationLoad, adminPageViews, adminRetention } from '../admin/reports.ts';
import { adminRoles } from '../admin/roles.ts';
import { adminSearch } from '../admin/search.ts';
import { adminSettings } from '../admin/settings.ts';
import { adminSettlement } from '../admin/settlement.ts';
import { adminRead } from '../admin/shared/list.ts';
import { adminShowcase } from '../admin/showcase.ts';
import { adminSitePages } from '../admin/site-pages.ts';
import { adminSubmissions } from '../admin/submissions.ts';
import { adminTokenRequests } from '../admin/token-requests.ts';
import { adminUnplaced } from '../admin/unplaced.ts';
import { adminUsers } from '../admin/users.ts';
import { adminClusterVotes, adminVoteReview } from '../admin/vote-review.ts';
import { adminCandidates, adminRounds } from '../admin/voting.ts';
import { ANY_STAFF } from '../staff.ts';
import { staffRole } from './auth.ts';

export const adminSession = z.object({
  email: z.string(),
  username: z.string().nullable(),
  staffRoles: z.array(staffRole).min(1),
  /** Every procedure by its name, 'news.list', with the staff roles that have access in addition to owners. */
  rights: z.record(z.string(), z.array(staffRole)),
  /** `setup`: all other procedures are refused until the second factor is set up. */
  secondFactor: z.enum(['ready', 'setup']),
  /** `initial`: all other procedures are refused until a new password is chosen. */
  password: z.enum(['own', 'initial']),
  /** The kind of step-up. */
  proof: z.enum(['code', 'password']),
  /** True when a passkey is accepted too. */
  passkey: z.boolean(),
  /** Set on a restored or copied installation, where mails, jobs, payments and the signer wait for an operator. */
  paused: z.object({ since: z.iso.datetime(), reason: z.enum(['restored', 'copied', 'operator']) }).nullable(),
});
export type AdminSession = z.infer<typeof adminSession>;

/**
 * The back office, for admins only; rights are read from the database on each call. Each procedure names the staff roles with
 * access in addition to owners.
 */
export const admin = {
  /** The caller's session in the back office; refused to everybody else. */
  session: adminRead('/session', 'My session in the back office', ANY_STAFF).output(adminSession),
  audit: adminAudit,
  dashboard: adminDashboard,
  deliverables: adminDeliverables,
  editorial: adminEditorial,
  find: adminSearch,
  lists: adminLists,
  inbox: adminInbox,
  forum: adminForum,
  funnel: adminFunnel,
  moderationLoad: adminModerationLoad,
  retention: adminRetention,
  pageViews: adminPageViews,
  mailboxes: adminMailboxes,
  market: adminMarket,
  media: adminMedia,
  records: adminRecords,
  moderatorRequests: adminModeratorRequests,
  candidates: adminCandidates,
  money: adminMoney,
  payments: adminPaymentList,
  income: adminIncome,
  launchIncome: adminLaunchIncome,
  networks: adminNetworks,
  news: adminNews,
  rounds: adminRounds,
  voteReview: adminVoteReview,
  clusterVotes: adminClusterVotes,
  refunds: adminRefunds,
  roles: adminRoles,
  users: adminUsers,
  nextProjects: adminNextProjects,
  people: adminPeople,
  ownership: adminOwnership,
  projects: adminProjects,
  settings: adminSettings,
  settlement: adminSettlement,
  showcase: adminShowcase,
  sitePages: adminSitePages,
  submissions: adminSubmissions,
  tokenRequests: adminTokenRequests,
  unplaced: adminUnplaced,
};

type NamesOf<Part, Before extends string = ''> = {
  [Name in keyof Part & string]: Part[Name] extends { '~orpc': unknown }
    ? `${Before}${Name}`
    : NamesOf<Part[Name], `${Before}${Name}.`>;
}[keyof Part & string];
/** A procedure of the back office by its name: 'news.list'. */
export type AdminProcedure = NamesOf<typeof admin>;

import { moderatorRequestsAdminApi, rolesAdminApi, usersAdminApi } from '#server/domains/account/account.admin.api.ts';
import { accountApi } from '#server/domains/account/account.api.ts';
import { adminApi } from '#server/domains/admin/admin.api.ts';
import { libraryAdminApi } from '#server/domains/admin/library/library.admin.api.ts';
import { authApi } from '#server/domains/auth/auth.api.ts';
import { deliverablesAdminApi } from '#server/domains/deliverables/deliverables.admin.api.ts';
import { deliverablesApi } from '#server/domains/deliverables/deliverables.api.ts';
import { forumAdminApi } from '#server/domains/forum/forum.admin.api.ts';
import { forumApi } from '#server/domains/forum/forum.api.ts';
import { ledgerApi } from '#server/domains/ledger/ledger.api.ts';
import { marketAdminApi } from '#server/domains/market/market.admin.api.ts';
import { marketApi } from '#server/domains/market/market.api.ts';
import { mediaApi } from '#server/domains/media/media.api.ts';
import {
  incomeAdminApi,
  launchIncomeAdminApi,
  moneyAdminApi,
  paymentListAdminApi,
} from '#server/domains/money/money.admin.api.ts';
import { networksAdminApi } from '#server/domains/networks/networks.admin.api.ts';
import { networksApi } from '#server/domains/networks/networks.api.ts';
import { newsAdminApi } from '#server/domains/news/news.admin.api.ts';
import { newsApi } from '#server/domains/news/news.api.ts';
import { nextProjectsAdminApi } from '#server/domains/next-projects/next-projects.admin.api.ts';
import { nextProjectsApi } from '#server/domains/next-projects/next-projects.api.ts';
import { notificationsApi } from '#server/domains/notifications/notifications.api.ts';
import { ownershipAdminApi } from '#server/domains/ownership/ownership.admin.api.ts';
import { ownershipApi } from '#server/domains/ownership/ownership.api.ts';
import { paymentsAdminApi, unplacedAdminApi } from '#server/domains/payments/payments.admin.api.ts';
import { presenceApi } from '#server/domains/presence/presence.api.ts';
import { previewsApi } from '#server/domains/previews/previews.api.ts';
import { profilesApi } from '#server/domains/profiles/profiles.api.ts';
import { projectsAdminApi } from '#server/domains/projects/projects.admin.api.ts';
import { projectsApi } from '#server/domains/projects/projects.api.ts';
import { raceApi } from '#server/domains/race/race.api.ts';
import { refundsAdminApi, unplacedRefundApi } from '#server/domains/refunds/refunds.admin.api.ts';
import { refundsApi } from '#server/domains/refunds/refunds.api.ts';
import { savedApi } from '#server/domains/saved/saved.api.ts';
import { searchApi } from '#server/domains/search/search.api.ts';
import { settingsAdminApi } from '#server/domains/settings/settings.admin.api.ts';
import { settingsApi } from '#server/domains/settings/settings.api.ts';
import { settlementAdminApi } from '#server/domains/settlement/settlement.admin.api.ts';
import { sitePagesAdminApi } from '#server/domains/site-pages/site-pages.admin.api.ts';
import { sitePagesApi } from '#server/domains/site-pages/site-pages.api.ts';
import { submissionsAdminApi } from '#server/domains/submissions/submissions.admin.api.ts';
import { submissionsApi } from '#server/domains/submissions/submissions.api.ts';
import { tokenCreationAdminApi } from '#server/domains/token-creation/token-creation.admin.api.ts';
import { showcaseAdminApi, tokenRequestsAdminApi } from '#server/domains/token-requests/token-requests.admin.api.ts';
import { tokenRequestsApi } from '#server/domains/token-requests/token-requests.api.ts';
import { tokensApi } from '#server/domains/tokens/tokens.api.ts';
import { clusterVotesAdminApi, voteReviewAdminApi } from '#server/domains/vote-review/vote-review.admin.api.ts';
import { candidatesAdminApi, roundsAdminApi } from '#server/domains/voting/voting.admin.api.ts';
import { votingApi } from '#server/domains/voting/voting.api.ts';
import { open } from '#server/http/api/procedures.ts';

/** The back office: each domain's admin procedures. */
const adminRoutes = {
  ...adminApi,
  candidates: candidatesAdminApi,
  deliverables: deliverablesAdminApi,
  forum: forumAdminApi,
  market: marketAdminApi,
  moderatorRequests: moderatorRequestsAdminApi,
  money: moneyAdminApi,
  payments: paymentListAdminApi,
  income: incomeAdminApi,
  launchIncome: launchIncomeAdminApi,
  networks: networksAdminApi,
  media: libraryAdminApi,
  news: newsAdminApi,
  nextProjects: nextProjectsAdminApi,
  ownership: ownershipAdminApi,
  projects: projectsAdminApi,
  refunds: refundsAdminApi,
  roles: rolesAdminApi,
  rounds: roundsAdminApi,
  settings: settingsAdminApi,
  settlement: settlementAdminApi,
  showcase: showcaseAdminApi,
  sitePages: sitePagesAdminApi,
  submissions: submissionsAdminApi,
  tokenRequests: { ...tokenRequestsAdminApi, ...paymentsAdminApi, ...tokenCreationAdminApi },
  unplaced: { ...unplacedAdminApi, ...unplacedRefundApi },
  users: usersAdminApi,
  voteReview: voteReviewAdminApi,
  clusterVotes: clusterVotesAdminApi,
};

/** The whole API, one entry per domain. */
export const router = open.router({
  account: accountApi,
  admin: adminRoutes,
  auth: authApi,
  deliverables: deliverablesApi,
  forum: forumApi,
  ledger: ledgerApi,
  market: marketApi,
  media: mediaApi,
  networks: networksApi,
  news: newsApi,
  nextProjects: nextProjectsApi,
  notifications: notificationsApi,
  ownership: ownershipApi,
  presence: presenceApi,
  previews: previewsApi,
  profiles: profilesApi,
  projects: projectsApi,
  race: raceApi,
  refunds: refundsApi,
  saved: savedApi,
  search: searchApi,
  settings: settingsApi,
  sitePages: sitePagesApi,
  submissions: submissionsApi,
  tokenRequests: tokenRequestsApi,
  tokens: tokensApi,
  voting: votingApi,
});

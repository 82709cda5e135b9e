import { accountApi } from '#server/domains/account/account.api.ts';
import { adminApi } from '#server/domains/admin/admin.api.ts';
import { authApi } from '#server/domains/auth/auth.api.ts';
import { forumApi } from '#server/domains/forum/forum.api.ts';
import { marketApi } from '#server/domains/market/market.api.ts';
import { mediaApi } from '#server/domains/media/media.api.ts';
import { networksApi } from '#server/domains/networks/networks.api.ts';
import { newsApi } from '#server/domains/news/news.api.ts';
import { nextProjectsApi } from '#server/domains/next-projects/next-projects.api.ts';
import { presenceApi } from '#server/domains/presence/presence.api.ts';
import { projectsApi } from '#server/domains/projects/projects.api.ts';
import { savedApi } from '#server/domains/saved/saved.api.ts';
import { sitePagesApi } from '#server/domains/site-pages/site-pages.api.ts';
import { submissionsApi } from '#server/domains/submissions/submissions.api.ts';
import { tokenRequestsApi } from '#server/domains/token-requests/token-requests.api.ts';
import { tokensApi } from '#server/domains/tokens/tokens.api.ts';
import { votingApi } from '#server/domains/voting/voting.api.ts';
import { open } from '#server/http/procedures.ts';

/** The whole API, one line per domain. */
export const router = open.router({
  account: accountApi,
  admin: adminApi,
  auth: authApi,
  forum: forumApi,
  market: marketApi,
  media: mediaApi,
  networks: networksApi,
  news: newsApi,
  nextProjects: nextProjectsApi,
  presence: presenceApi,
  projects: projectsApi,
  saved: savedApi,
  sitePages: sitePagesApi,
  submissions: submissionsApi,
  tokenRequests: tokenRequestsApi,
  tokens: tokensApi,
  voting: votingApi,
});

import { account } from './domains/account.ts';
import { admin } from './domains/admin.ts';
import { auth } from './domains/auth.ts';
import { deliverables } from './domains/deliverables.ts';
import { forum } from './domains/forum.ts';
import { forumReview } from './domains/forum-review.ts';
import { ledger } from './domains/ledger.ts';
import { market } from './domains/market.ts';
import { media } from './domains/media.ts';
import { networks } from './domains/networks.ts';
import { news } from './domains/news.ts';
import { nextProjects } from './domains/next-projects.ts';
import { notifications } from './domains/notifications.ts';
import { ownership } from './domains/ownership.ts';
import { presence } from './domains/presence.ts';
import { previews } from './domains/previews.ts';
import { profiles } from './domains/profiles.ts';
import { projects } from './domains/projects.ts';
import { race } from './domains/race.ts';
import { refunds } from './domains/refunds.ts';
import { saved } from './domains/saved.ts';
import { search } from './domains/search.ts';
import { settings } from './domains/settings.ts';
import { sitePages } from './domains/site-pages.ts';
import { submissions } from './domains/submissions.ts';
import { tokenRequests } from './domains/token-requests.ts';
import { tokens } from './domains/tokens.ts';
import { voting } from './domains/voting.ts';

/** The whole API, one line per domain. */
export const contract = {
  account,
  admin,
  auth,
  deliverables,
  forum: { ...forum, ...forumReview },
  ledger,
  market,
  media,
  networks,
  news,
  nextProjects,
  notifications,
  ownership,
  presence,
  previews,
  profiles,
  projects,
  race,
  refunds,
  saved,
  search,
  settings,
  sitePages,
  submissions,
  tokenRequests,
  tokens,
  voting,
};

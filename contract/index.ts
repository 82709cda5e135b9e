import { account } from './account.ts';
import { admin } from './admin.ts';
import { auth } from './auth.ts';
import { deliverables } from './deliverables.ts';
import { forum } from './forum.ts';
import { forumReview } from './forum-review.ts';
import { ledger } from './ledger.ts';
import { market } from './market.ts';
import { media } from './media.ts';
import { networks } from './networks.ts';
import { news } from './news.ts';
import { nextProjects } from './next-projects.ts';
import { notifications } from './notifications.ts';
import { ownership } from './ownership.ts';
import { presence } from './presence.ts';
import { previews } from './previews.ts';
import { profiles } from './profiles.ts';
import { projects } from './projects.ts';
import { race } from './race.ts';
import { refunds } from './refunds.ts';
import { saved } from './saved.ts';
import { search } from './search.ts';
import { settings } from './settings.ts';
import { sitePages } from './site-pages.ts';
import { submissions } from './submissions.ts';
import { tokenRequests } from './token-requests.ts';
import { tokens } from './tokens.ts';
import { voting } from './voting.ts';

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

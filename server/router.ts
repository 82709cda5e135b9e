import { authApi } from '#server/domains/auth/auth.api.ts';
import { networksApi } from '#server/domains/networks/networks.api.ts';
import { nextProjectsApi } from '#server/domains/next-projects/next-projects.api.ts';
import { projectsApi } from '#server/domains/projects/projects.api.ts';
import { savedApi } from '#server/domains/saved/saved.api.ts';
import { tokensApi } from '#server/domains/tokens/tokens.api.ts';
import { votingApi } from '#server/domains/voting/voting.api.ts';
import { open } from '#server/http/procedures.ts';

/** The whole API, one line per domain. */
export const router = open.router({
  auth: authApi,
  networks: networksApi,
  nextProjects: nextProjectsApi,
  projects: projectsApi,
  saved: savedApi,
  tokens: tokensApi,
  voting: votingApi,
});

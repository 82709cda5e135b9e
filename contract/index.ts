import { auth } from './auth.ts';
import { networks } from './networks.ts';
import { nextProjects } from './next-projects.ts';
import { projects } from './projects.ts';
import { saved } from './saved.ts';
import { tokens } from './tokens.ts';
import { voting } from './voting.ts';

/** The whole API, one line per domain. */
export const contract = { auth, networks, nextProjects, projects, saved, tokens, voting };

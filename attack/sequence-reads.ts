// Reads everything that shows the data stored by sequences: pages, documents, cards, lists and exports.

import type { AttackContext } from './attack-context.ts';
import type { Findings } from './findings.ts';
import { checkResponse } from './judge.ts';
import type { Operation } from './operations.ts';
import { type Answer, clearLimits, type HttpClient, newPerson } from './people.ts';
import type { Random } from './random.ts';

export const PAGES = [
  '/',
  '/vote',
  '/vote/race',
  '/next',
  '/news',
  '/forum',
  '/prices',
  '/tokens',
  '/ledger',
  '/about',
  '/contact',
];
const DOCUMENTS = ['/sitemap.xml', '/news/feed.xml', '/next/calendar.ics', '/embed/ranking', '/robots.txt'];
const SHARED = /\.(xml|ics|svg|txt|png)$|^\/embed\//;
const EXPORTS = [
  'submissions',
  'token-requests',
  'projects',
  'candidates',
  'next-projects',
  'users',
  'refunds',
  'news',
];
/** Two redirects: from an id to the name, and from there to the language. */
const MAX_MOVES = 3;

/**
 * Reads an address and follows its redirects: a record that is addressed by its id has its page and cards at its name.
 */
export async function requestMoved(who: Pick<HttpClient, 'request'>, address: string): Promise<Answer> {
  let answer = await who.request('GET', address);
  for (let moves = 0; moves < MAX_MOVES && answer.status > 300 && answer.status < 400; moves++) {
    const { pathname, search } = new URL(answer.headers.get('location') ?? '/', 'http://site');
    answer = await who.request('GET', pathname + search);
  }
  return answer;
}

/**
 * Reads public pages, documents of the site, and the lists and exports of the back office.
 * @param pages maximum number of linked pages; lists are read in every order when it exceeds 20.
 * @returns how many addresses were read.
 */
export async function readSite(
  { target }: AttackContext,
  operations: Operation[],
  random: Random,
  findings: Findings,
  pages: number,
): Promise<number> {
  let made = 0;
  const thorough = pages > 20;
  const admin = await newPerson(target, 'admin');
  const read = async (address: string, isThere = false) => {
    if (made++ % 100 === 0) await clearLimits(target);
    const answer = await requestMoved(admin, address);
    const what = `GET ${address.slice(0, 120)}`;
    // Feeds, lists and cards are meant for other sites.
    if (!SHARED.test(address)) checkResponse(findings, 'admin', what, answer, []);
    else if (answer.status >= 500 && answer.status !== 503) findings.add('server error', `${what}: ${answer.status}`);
    // These exist whatever was stored: otherwise a wrong address here would never be noticed.
    if (isThere && answer.status >= 400 && answer.status < 500) findings.add('other', `${what}: ${answer.status}`);
    return answer.text;
  };
  const links = new Set<string>();
  for (const page of thorough ? [...PAGES, ...PAGES.map((path) => `/en${path}`)] : PAGES)
    for (const [, link = ''] of (await read(page, true)).matchAll(/href="(\/(?:token|news|forum|member)\/[^"#?]+)"/g))
      links.add(link);
  for (const link of [...links].slice(0, pages)) await read(link);
  for (const document of DOCUMENTS) await read(document, true);
  for (const name of EXPORTS) await read(`/api/admin/${name}.csv`, true);
  for (const { path, method, parameters } of operations) {
    if (method !== 'GET' || path.includes('{')) continue;
    await read(`/api${path}`);
    if (!thorough) continue;
    for (const { name, schema } of parameters)
      for (const value of (schema?.enum ?? []).slice(0, 8))
        await read(`/api${path}?${name}=${encodeURIComponent(String(value))}`);
  }
  const { rows } = await target.db.query<{ id: string }>(
    `select id from (select id, created_at from projects union all select id, created_at from next_projects
       union all select id, created_at from voting_candidates) t order by created_at desc limit $1`,
    [Math.ceil(pages / 3)],
  );
  for (const { id } of rows) {
    await read(`/token/${id}`);
    await read(`/og/${random.pick(['es', 'en'])}/token/${id}.png`);
    await read(`/badge/${id}.svg`);
  }
  return made;
}

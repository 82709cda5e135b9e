import type { FoundHit } from '#contract/admin/find.ts';
import type { Reader } from '#server/db/client.ts';
import { listTexts } from '#server/domains/forum/moderate.service.ts';
import { listAllNews } from '#server/domains/news/manage.service.ts';
import { listAllNextProjects } from '#server/domains/next-projects/manage.service.ts';
import { listAllProjects } from '#server/domains/projects/manage.service.ts';
import { listRefunds } from '#server/domains/refunds/manage.service.ts';
import { listSubmissions } from '#server/domains/submissions/manage.service.ts';
import { listTokenRequests } from '#server/domains/token-requests/manage.service.ts';
import { listAllCandidates } from '#server/domains/voting/manage.service.ts';
import { findPeople } from './people.service.ts';

/** Of each kind, the first of its own list. */
const SHOWN = 5;

/** A number that the team gives: of an order, a refund, a publication request. */
const NUMBER = /^(FL|RF|PR)-/i;

/**
 * Looks in every list of the back office at once, by the words that the lists themselves understand. What lies in the trash is not
 * found. Lists one after the other: a search takes one connection, however many there are.
 */
export async function findEverywhere(db: Reader, q: string, now: Date): Promise<FoundHit[]> {
  const page = { q, page: 1, size: SHOWN } as const;
  const live = { ...page, shelf: 'live' } as const;
  const people = (await findPeople(db, q))
    .slice(0, SHOWN)
    .map(({ id, email, username }): FoundHit => ({ kind: 'person', id, title: username ?? email, detail: email }));
  const orders = (await listTokenRequests(db, { ...page, sort: '-createdAt' })).rows.map(
    ({ id, tokenName, email, orderId }): FoundHit => ({
      kind: 'order',
      id,
      title: tokenName || (orderId ?? id),
      detail: [orderId, email].filter(Boolean).join(' · '),
    }),
  );
  const submissions = (await listSubmissions(db, { ...page, sort: '-createdAt' })).rows.map(
    ({ id, projectName, reference, submitterName }): FoundHit => ({
      kind: 'submission',
      id,
      title: projectName || submitterName || '',
      detail: [reference, submitterName].filter(Boolean).join(' · '),
    }),
  );
  const refunds = NUMBER.test(q)
    ? (await listRefunds(db, { ...page, sort: '-createdAt' })).rows.map(
        ({ id, number, tokenName }): FoundHit => ({ kind: 'refund', id, title: number, detail: tokenName }),
      )
    : [];
  // Nothing else has such a number.
  if (NUMBER.test(q)) return [...people, ...orders, ...refunds, ...submissions];
  const token =
    (kind: 'project' | 'next_project' | 'candidate') =>
    (row: { id: string; tokenName: string; tokenSymbol: string }): FoundHit => ({
      kind,
      id: row.id,
      title: row.tokenName,
      detail: `$${row.tokenSymbol}`,
    });
  return [
    ...people,
    ...orders,
    ...submissions,
    ...(await listAllProjects(db, { ...live, sort: 'tokenName' })).rows.map(token('project')),
    ...(await listAllNextProjects(db, { ...live, sort: 'tokenName' })).rows.map(token('next_project')),
    ...(await listAllCandidates(db, { ...live, sort: 'tokenName', status: 'all' }, now)).rows.map(token('candidate')),
    ...(await listAllNews(db, { ...live, sort: '-createdAt', status: 'all' })).rows.map(
      ({ id, title, authorName }): FoundHit => ({ kind: 'news', id, title, detail: authorName }),
    ),
    ...(await listTexts(db, { ...page, sort: '-createdAt', what: 'post', shelf: 'all' })).rows.map(
      ({ id, title, author }): FoundHit => ({ kind: 'post', id, title, detail: author ?? '' }),
    ),
  ];
}

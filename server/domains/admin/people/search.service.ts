import type { SearchHit } from '#contract/admin/search.ts';
import { contract } from '#contract/index.ts';
import { MAX_HITS_OF_A_KIND } from '#contract/limits.ts';
import { mayAs, type StaffRole } from '#contract/staff.ts';
import type { Reader } from '#server/db/client.ts';
import { listDeliverables } from '#server/domains/deliverables/manage.service.ts';
import { listTexts } from '#server/domains/forum/moderate.service.ts';
import { listAllNetworks } from '#server/domains/networks/manage.service.ts';
import { listAllNews } from '#server/domains/news/manage.service.ts';
import { listAllNextProjects } from '#server/domains/next-projects/manage.service.ts';
import { findUnplaced } from '#server/domains/payments/unplaced.service.ts';
import { listAllProjects } from '#server/domains/projects/manage.service.ts';
import { listRefunds } from '#server/domains/refunds/manage.service.ts';
import { listSubmissions } from '#server/domains/submissions/manage.service.ts';
import { listTokenRequests } from '#server/domains/token-requests/manage.service.ts';
import { listAllCandidates } from '#server/domains/voting/manage.service.ts';
import { opensTo, type WithRights } from '#server/lib/staff-rights.ts';
import { isRecordNumber } from '#server/lib/text/record-number.ts';
import { findMailboxes } from './mailboxes.service.ts';
import { findPeople } from './people.service.ts';

/** Characters of a comment that are its title in the results; a search term is shorter. */
const COMMENT_SHOWN = 200;

interface FindQuery {
  db: Reader;
  q: string;
  now: Date;
}

const { admin } = contract;
const token =
  (kind: 'project' | 'next_project' | 'candidate') =>
  (row: { id: string; tokenName: string; tokenSymbol: string }): SearchHit => ({
    kind,
    id: row.id,
    title: row.tokenName,
    detail: `$${row.tokenSymbol}`,
  });
/** A record with exactly the searched title comes first. */
const pageFor = ({ q }: FindQuery) => ({ q, titled: q, page: 1, size: MAX_HITS_OF_A_KIND }) as const;
const liveFor = (query: FindQuery) => ({ ...pageFor(query), shelf: 'live' }) as const;

/** The searched lists, in the order of the groups: an admin's search covers the lists that they may read. */
const PLACES: readonly {
  reads: WithRights;
  /** True when the records of the list have numbers assigned by the site. */
  numbered: boolean;
  find: (query: FindQuery) => Promise<SearchHit[]>;
}[] = [
  {
    reads: admin.people.find,
    numbered: true,
    find: async ({ db, q }) =>
      (await findPeople(db, q))
        .slice(0, MAX_HITS_OF_A_KIND)
        .map(({ id, email, username }): SearchHit => ({ kind: 'person', id, title: username ?? email, detail: email })),
  },
  {
    reads: admin.mailboxes.find,
    numbered: true,
    find: async ({ db, q }) =>
      (await findMailboxes(db, q))
        .slice(0, MAX_HITS_OF_A_KIND)
        .map(({ address }): SearchHit => ({ kind: 'mailbox', id: address, title: address, detail: '' })),
  },
  {
    reads: admin.tokenRequests.list,
    numbered: true,
    find: async (query) =>
      (await listTokenRequests(query.db, { ...pageFor(query), sort: '-createdAt' })).rows.map(
        ({ id, tokenName, email, orderId }): SearchHit => ({
          kind: 'order',
          id,
          title: tokenName || (orderId ?? id),
          detail: [orderId, email].filter(Boolean).join(' · '),
        }),
      ),
  },
  {
    reads: admin.unplaced.list,
    numbered: true,
    find: async ({ db, q }) =>
      (await findUnplaced(db, q, MAX_HITS_OF_A_KIND)).map(
        ({ id, orderId }): SearchHit => ({ kind: 'unplaced', id, title: id, detail: orderId ?? '' }),
      ),
  },
  {
    reads: admin.refunds.list,
    numbered: true,
    find: async (query) =>
      isRecordNumber(query.q)
        ? (
            await listRefunds(query.db, { ...pageFor(query), sort: '-createdAt' }, { me: null, now: query.now })
          ).rows.map(
            ({ id, number, tokenName }): SearchHit => ({ kind: 'refund', id, title: number, detail: tokenName }),
          )
        : [],
  },
  {
    reads: admin.deliverables.list,
    numbered: true,
    find: async (query) =>
      (
        await listDeliverables(
          query.db,
          { ...pageFor(query), sort: 'dueAt', state: 'all' },
          // Only the filter of one's own deliverables needs the reader.
          { me: '', now: query.now },
        )
      ).rows.map(
        ({ id, tokenName, orderId, item }): SearchHit => ({
          kind: 'deliverable',
          id,
          title: tokenName || orderId,
          detail: orderId,
          item,
        }),
      ),
  },
  {
    reads: admin.submissions.list,
    numbered: true,
    find: async (query) =>
      (await listSubmissions(query.db, { ...pageFor(query), sort: '-createdAt' })).rows.map(
        ({ id, projectName, reference, submitterName }): SearchHit => ({
          kind: 'submission',
          id,
          title: projectName || submitterName || '',
          detail: [reference, submitterName].filter(Boolean).join(' · '),
        }),
      ),
  },
  {
    reads: admin.projects.list,
    numbered: false,
    find: async (query) =>
      (await listAllProjects(query.db, { ...liveFor(query), sort: 'tokenName' })).rows.map(token('project')),
  },
  {
    reads: admin.nextProjects.list,
    numbered: false,
    find: async (query) =>
      (await listAllNextProjects(query.db, { ...liveFor(query), sort: 'tokenName' })).rows.map(token('next_project')),
  },
  {
    reads: admin.candidates.list,
    numbered: false,
    find: async (query) =>
      (await listAllCandidates(query.db, { ...liveFor(query), sort: 'tokenName', status: 'all' }, query.now)).rows.map(
        token('candidate'),
      ),
  },
  {
    // Not `list`: staff with other roles may read it too, for their forms.
    reads: admin.networks.update,
    numbered: false,
    find: async (query) =>
      (await listAllNetworks(query.db, { ...liveFor(query), sort: 'name' })).rows.map(
        ({ id, name, symbol }): SearchHit => ({ kind: 'network', id, title: name, detail: symbol }),
      ),
  },
  {
    reads: admin.news.list,
    numbered: false,
    find: async (query) =>
      (await listAllNews(query.db, { ...liveFor(query), sort: '-createdAt', status: 'all' })).rows.map(
        ({ id, title, authorName }): SearchHit => ({ kind: 'news', id, title, detail: authorName }),
      ),
  },
  {
    reads: admin.forum.list,
    numbered: false,
    find: async (query) =>
      (await listTexts(query.db, { ...pageFor(query), sort: '-createdAt', what: 'post', shelf: 'all' })).rows.map(
        ({ id, title, author }): SearchHit => ({ kind: 'post', id, title, detail: author ?? '' }),
      ),
  },
  {
    reads: admin.forum.list,
    numbered: false,
    find: async (query) =>
      (await listTexts(query.db, { ...pageFor(query), sort: '-createdAt', what: 'comment', shelf: 'all' })).rows.map(
        ({ id, content, author, title }): SearchHit => ({
          kind: 'comment',
          id,
          title: content.slice(0, COMMENT_SHOWN),
          detail: [author, title].filter(Boolean).join(' · '),
        }),
      ),
  },
];

/**
 * Searches every list of the back office that the reader may read, with the search of the list itself. Records in the trash are
 * excluded, except hidden texts of the forum. The lists are searched sequentially, so that a search uses one connection, however many
 * there are.
 */
export async function searchAdminRecords(
  db: Reader,
  me: { staffRoles: readonly StaffRole[] },
  q: string,
  now: Date,
): Promise<SearchHit[]> {
  const found: SearchHit[] = [];
  // Only these lists have such numbers.
  for (const { reads, numbered, find } of PLACES)
    if (mayAs(me.staffRoles, opensTo(reads)) && (numbered || !isRecordNumber(q)))
      found.push(...(await find({ db, q, now })));
  return found;
}

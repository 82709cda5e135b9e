import { and, eq, sql } from 'drizzle-orm';
import type { Showcased } from '#contract/admin/showcase.ts';
import type { DraftData } from '#contract/domains/token-requests.ts';
import { contactOf, eachLink, httpLink, isWizardLink, type TokenLink } from '#contract/fields/links.ts';
import { eachProjectText } from '#contract/fields/project-texts.ts';
import { upperTicker } from '#contract/fields/schemas.ts';
import { EMPTY_DRAFT } from '#contract/fields/token-form.ts';
import { CANDIDATE_MAX, DEFAULT_ORDER_INDEX, REQUEST_MAX } from '#contract/limits.ts';
import { requestNetworkOf, type TokenNetwork } from '#contract/networks.ts';
import { type Db, type Reader, type Tx, withinTransaction } from '#server/db/client.ts';
import { nextProjects } from '#server/db/tables/next-projects.ts';
import { projects } from '#server/db/tables/projects.ts';
import { showcasedTokens } from '#server/db/tables/showcased-tokens.ts';
import { tokenCreations } from '#server/db/tables/token-creations.ts';
import { votingCandidates } from '#server/db/tables/voting.ts';
import { createNextProject } from '#server/domains/next-projects/manage.service.ts';
import { lockRequest } from '#server/domains/payments/facts/record.service.ts';
import { createProject } from '#server/domains/projects/manage.service.ts';
import { createCandidate, readCandidateForAdmin, updateCandidate } from '#server/domains/voting/manage.service.ts';
import { audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import type { ImageStore } from '#server/records/record-images.ts';
import type { Editor } from '#server/records/records.ts';
import { findRequest } from './drafts.service.ts';

type Kind = Showcased['kind'];

/** The token as created on its chain. */
interface Made {
  network: TokenNetwork;
  address: string;
  name: string;
  symbol: string;
  supply: string;
}

/** All showcase records of a request's token, oldest first; those deleted from the trash are omitted. */
export async function listShowcase(db: Reader, requestId: string): Promise<Showcased[]> {
  const s = showcasedTokens;
  const rows = await db
    .select({
      at: s.showcasedAt,
      project: { id: projects.id, name: projects.tokenName, slug: projects.tokenSlug, deletedAt: projects.deletedAt },
      candidate: {
        id: votingCandidates.id,
        name: votingCandidates.tokenName,
        slug: votingCandidates.tokenSlug,
        deletedAt: votingCandidates.deletedAt,
      },
      next: { id: nextProjects.id, name: nextProjects.tokenName, deletedAt: nextProjects.deletedAt },
    })
    .from(s)
    .leftJoin(projects, eq(projects.id, s.projectId))
    .leftJoin(votingCandidates, eq(votingCandidates.id, s.candidateId))
    .leftJoin(nextProjects, eq(nextProjects.id, s.nextProjectId))
    .where(eq(s.requestId, requestId))
    .orderBy(s.showcasedAt, sql`coalesce(${s.projectId}, ${s.candidateId}, ${s.nextProjectId})`);
  return rows.flatMap(({ at, project, candidate, next }) => {
    // Exactly one of the three columns is set.
    const [kind, made] = project
      ? (['project', project] as const)
      : candidate
        ? (['candidate', candidate] as const)
        : (['next', next && { ...next, slug: next.id }] as const);
    if (!made) return [];
    const { id, name, slug, deletedAt } = made;
    return { kind, id, tokenName: name, slug, at: at.toISOString(), deleted: deletedAt !== null };
  });
}

/**
 * Creates a public record of a token that is on its chain, with the data of its request. Name, symbol and address are read from the
 * creation, never from the form.
 *
 * @throws NOT_FOUND when the request does not exist, or has no token on a chain.
 * @throws ALREADY_DONE when it has a record of this kind outside of the trash. @throws DUPLICATE, NOT_VALID
 * @throws RESEMBLES when it could be taken for another token and the resemblance was not accepted.
 */
export async function showcaseToken(
  db: Db,
  media: ImageStore,
  by: Editor,
  { requestId, as, resemblanceAccepted = false }: { requestId: string; as: Kind; resemblanceAccepted?: boolean },
): Promise<Showcased> {
  const request = await findRequest(db, requestId);
  const data: DraftData = { ...EMPTY_DRAFT, ...request.tokenData };
  // Before the transaction, because it may fetch from another server. An image that can't be fetched is added manually later.
  const imageUrl = await media.own(data.imageUrl || null, { bucket: BUCKETS[as], actor: by.actor }).catch(() => null);
  return db.transaction(async (tx) => {
    await lockRequest(tx, requestId);
    const made = await tokenOf(tx, requestId);
    const before = await listShowcase(tx, requestId);
    if (before.some(({ kind, deleted }) => kind === as && !deleted)) fail('ALREADY_DONE');
    const id = await create[as](withinTransaction(tx), media, by, { made, data, imageUrl, resemblanceAccepted });
    await tx
      .insert(showcasedTokens)
      .values({ requestId, [COLUMNS[as]]: id, showcasedAt: by.now, showcasedBy: by.actor.id });
    await audit(tx, by.actor, {
      action: 'token.showcased',
      resourceType: 'token_request',
      resourceId: requestId,
      after: { as, id, network: made.network, address: made.address },
    });
    const all = await listShowcase(tx, requestId);
    return all.find((one) => one.id === id) ?? fail('NOT_FOUND', { what: 'token' });
  });
}

const BUCKETS = { project: 'project-images', candidate: 'token-images', next: 'project-images' } as const;
const COLUMNS = { project: 'projectId', candidate: 'candidateId', next: 'nextProjectId' } as const;

async function tokenOf(tx: Tx, requestId: string): Promise<Made> {
  const { network, address, snapshot, submissionId, state } = tokenCreations;
  const [made] = await tx
    .select({ network, address, snapshot })
    .from(tokenCreations)
    .where(and(eq(submissionId, requestId), eq(state, 'completed')));
  if (!made || made.address === null) return fail('NOT_FOUND', { what: 'token' });
  const { name, symbol, supply } = made.snapshot;
  return { network: made.network, address: made.address, name, symbol, supply };
}

interface Source {
  made: Made;
  data: DraftData;
  imageUrl: string | null;
  resemblanceAccepted: boolean;
}

/** Only http(s) links: the fields of the form also accept account names. */
const link = (...values: string[]): string | null => values.map(httpLink).find(Boolean) ?? null;
export const linksOf = (data: DraftData): Record<TokenLink, string | null> =>
  eachLink((key) => {
    const contact = contactOf(key);
    return link(isWizardLink(key) ? data[key] : '', contact ? data[contact] : '');
  });

const sharedOf = ({ made, data, imageUrl, resemblanceAccepted }: Source) => ({
  resemblanceAccepted,
  tokenName: made.name,
  tokenSymbol: upperTicker(made.symbol, REQUEST_MAX.symbol),
  tokenAddress: made.address,
  contractAddress: made.address,
  network: requestNetworkOf(made.network),
  ...eachProjectText(() => null),
  description: data.description || null,
  descriptionFull: data.socialDescription || data.description || null,
  imageUrl,
  ...linksOf(data),
  progressPercentage: 0,
  isFeatured: false,
  orderIndex: DEFAULT_ORDER_INDEX,
});

const create: Record<Kind, (db: Db, media: ImageStore, by: Editor, source: Source) => Promise<string>> = {
  project: async (db, media, by, source) =>
    (
      await createProject(db, media, by, {
        ...sharedOf(source),
        status: 'approved',
        marketCap: '$0',
        holdersCount: null,
      })
    ).id,
  next: async (db, media, by, source) =>
    (
      await createNextProject(db, media, by, {
        ...sharedOf(source),
        status: 'published',
        isActive: true,
        launchDate: null,
        countdownEnd: null,
        price: 0,
        marketCap: 'TBD',
      })
    ).id,
  candidate: async (db, media, by, source) => {
    const { made, data, imageUrl, resemblanceAccepted } = source;
    const shared = sharedOf(source);
    const { id, version } = await createCandidate(db, media, by, {
      tokenName: shared.tokenName,
      tokenSymbol: shared.tokenSymbol,
      description: data.description ? [...data.description].slice(0, CANDIDATE_MAX.description).join('') : null,
      imageUrl,
      orderIndex: 0,
      resemblanceAccepted,
    });
    const fresh = await readCandidateForAdmin(db, id, by.now);
    await updateCandidate(db, media, by, {
      ...fieldsOf(fresh),
      id,
      version,
      descriptionFull: shared.descriptionFull,
      contractAddress: made.address,
      network: shared.network,
      ...linksOf(data),
      maxSupply: Number(made.supply),
      resemblanceAccepted,
    });
    return id;
  },
};

/** The fields that an update sends unchanged. */
function fieldsOf(candidate: Awaited<ReturnType<typeof readCandidateForAdmin>>) {
  const {
    createdAt,
    updatedAt,
    deletedAt,
    tokenSlug,
    totalVotes,
    votesToday,
    wonRound,
    resetId,
    resetAt,
    resetVotes,
    ...fields
  } = candidate;
  return fields;
}

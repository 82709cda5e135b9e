import { and, desc, eq, ne } from 'drizzle-orm';
import type { TokenReading } from '#contract/admin/token-creation.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { tokenCreations, tokenReadings } from '#server/db/tables/token-creations.ts';
import type { MediaService } from '#server/domains/media/media.port.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { contentHash, pinnedFile } from '#server/lib/pinned-files.ts';
import { publishChange } from '#server/live/publish.ts';
import { type Chain, ChainError, type Plan } from '#server/providers/chains/port.ts';
import { type CreationRow, findCreations } from './creations.service.ts';
import { readNextDue } from './readings.sql.ts';
import { hashOf, metadataBytes, orderOf } from './snapshot.policy.ts';

const SIGNER: Actor = { id: null, role: 'system', ipHash: null, requestId: null };
const r = tokenReadings;

/** Result of a reading. */
interface Found {
  outcome: 'same' | 'different' | 'unanswered';
  differences?: string[];
  supply?: string;
  block?: string;
  detail?: string;
}

/**
 * Stores a reading. A change of the differences is audited. Public pages are refreshed when the reading or the answered one before
 * it has differences.
 */
async function keep(db: Db, row: CreationRow, what: TokenReading['what'], found: Found, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const [before] = await tx
      .select({ differences: r.differences })
      .from(r)
      .where(and(eq(r.creationId, row.id), eq(r.what, what), ne(r.outcome, 'unanswered')))
      .orderBy(desc(r.readAt), desc(r.id))
      .limit(1);
    const differences = found.differences ?? [];
    await tx.insert(r).values({
      creationId: row.id,
      what,
      outcome: found.outcome,
      differences,
      supply: found.supply ?? null,
      block: found.block ?? null,
      detail: found.detail ?? null,
      readAt: now,
    });
    await publishChange(tx, 'tokenRequests');
    if (found.outcome === 'unanswered') return;
    // The pages show a difference only after two readings, so a repeated one refreshes them too.
    if (differences.length > 0 || (before?.differences.length ?? 0) > 0)
      for (const domain of ['projects', 'nextProjects', 'voting'] as const) await publishChange(tx, domain);
    if (String(before?.differences ?? []) === String(differences)) return;
    await audit(tx, SIGNER, {
      action: differences.length > 0 ? 'token.differs' : 'token.same_again',
      resourceType: 'token_request',
      resourceId: row.requestId,
      before: { differences: (before?.differences ?? []).join(', ') },
      after: { creationId: row.id, what, differences: differences.join(', ') },
    });
  });
}

async function nextDue(db: Reader, about: Parameters<typeof readNextDue>[1]): Promise<CreationRow | null> {
  const [due] = await readNextDue(db, about);
  return due ? ((await findCreations(db, eq(tokenCreations.id, due.id)))[0] ?? null) : null;
}

/**
 * Reads one token from its chain again, if one is due. A chain that does not respond counts as no difference.
 *
 * @param chainId the connected chain: tokens of another one (an abandoned test chain) are not read.
 * @returns true when one was due.
 */
export async function readTokenAgain(db: Db, chain: Chain, chainId: string, now: Date): Promise<boolean> {
  const row = await nextDue(db, { what: 'chain', network: chain.network, chain: chainId, now });
  if (!row) return false;
  await keep(db, row, 'chain', await compareOnChain(chain, row), now);
  return true;
}

async function compareOnChain(chain: Chain, row: CreationRow): Promise<Found> {
  if (!hashOf(row.snapshot).equals(row.snapshotHash))
    return { outcome: 'different', differences: ['record'], detail: 'The stored order is not the one of its hash' };
  try {
    const now = await chain.recheck(row.plan as unknown as Plan, orderOf(row.snapshot), row.facts?.block ?? null);
    return { outcome: 'same', ...now };
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    const detail = error.message;
    // Without a difference code, our own record was altered: the plan belongs to another order.
    if (error.problem === 'mismatch') return { outcome: 'different', differences: [error.differs ?? 'record'], detail };
    return { outcome: 'unanswered', detail };
  }
}

/** Readings per run of the job. */
const BATCH_SIZE = 50;

/**
 * Reads the pinned files of tokens again when they are due: metadata and image, compared with the hashes that the payer confirmed.
 *
 * @returns the number of tokens that were checked, and of those with a missing or damaged file.
 */
export async function checkTokenFiles(
  db: Db,
  media: Pick<MediaService, 'openPinned'>,
  now: Date,
): Promise<{ read: number; different: number }> {
  const done = { read: 0, different: 0 };
  for (; done.read < BATCH_SIZE; done.read++) {
    const row = await nextDue(db, { what: 'files', network: null, chain: null, now });
    if (!row) break;
    const found = await compareFiles(media, row);
    if (found.outcome === 'different') done.different++;
    await keep(db, row, 'files', found, now);
  }
  return done;
}

async function compareFiles(media: Pick<MediaService, 'openPinned'>, row: CreationRow): Promise<Found> {
  const { metadata: hash, picture } = row.snapshot;
  const differences: string[] = [];
  try {
    // Tokens of earlier versions have no hashes.
    if (hash && contentHash(metadataBytes(row.metadata)) !== hash) differences.push('record');
    if (hash && !(await media.openPinned(pinnedFile(hash, 'application/json')))) differences.push('metadata_file');
    if (picture && !(await media.openPinned(pinnedFile(picture, 'image/png')))) differences.push('picture_file');
  } catch (error) {
    return { outcome: 'unanswered', detail: error instanceof Error ? error.name : 'The storage does not answer' };
  }
  return differences.length > 0
    ? { outcome: 'different', differences, detail: 'Missing in the storage, or not the bytes of the name' }
    : { outcome: 'same' };
}

import type { Db, Tx } from '#server/db/client.ts';
import { isDatabaseAway, isOverLimit } from '#server/db/failures.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';
import { publishChange } from '#server/live/publish.ts';
import {
  lockChangedLaunches,
  lockNewWinners,
  lockProvenLaunches,
  markLaunch,
  markPromoted,
  markProof,
} from './launches.sql.ts';
import { notifyFollowers } from './notices.service.ts';
import { moveToSuccessor } from './saved.service.ts';

interface ServiceContext {
  db: Db;
  now: Date;
}

/** Projects per transaction. */
const BATCH_SIZE = 50;
/** Sorts before every project id. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
/** Consecutive failures of single projects after which a run stops, because the others would probably fail as well. */
const MAX_FAILED = 3;

/** Projects after an id whose followers are notified in one transaction. */
interface Batch {
  after: string;
  max: number;
  /** Set by the transaction. */
  ids: string[];
}

/**
 * Notifies the followers of public NEXT projects of changes since the last notification: a first, another or no launch time, the announced time or
 * the team's report of the launch, and then once a proof on a chain; and the followers of a candidate that it won its round and became a NEXT
 * project. Compares states instead of events, so it is independent of who changed the project, and idempotent.
 *
 * @returns the number of mails. @throws the failures, after all other projects.
 */
export async function notifyLaunches(service: ServiceContext): Promise<number> {
  const { db, now } = service;
  let mails = 0;
  const parts = [
    async () => {
      mails += await db.transaction((tx) => notifyWinners(tx, now));
    },
    async () => {
      mails += await inBatches(db, (tx, batch) => notifyChanged(tx, batch, now));
    },
    async () => {
      mails += await inBatches(db, (tx, batch) => notifyProven(tx, batch, now));
    },
  ];
  await runEachSettled(parts, (part) => part());
  return mails;
}

/**
 * Notifies in batches. When one fails, each of its projects gets its own transaction, so that one that fails or exceeds its time limit does
 * not block the others.
 */
async function inBatches(db: Db, notify: (tx: Tx, batch: Batch) => Promise<number>): Promise<number> {
  const failures: unknown[] = [];
  let mails = 0;
  let max = BATCH_SIZE;
  let inARow = 0;
  for (let after = BEFORE_ALL; ; ) {
    const batch: Batch = { after, max, ids: [] };
    try {
      mails += await db.transaction((tx) => notify(tx, batch));
      inARow = 0;
    } catch (error) {
      if (isDatabaseAway(error) && !isOverLimit(error)) throw error;
      if (max > 1) {
        max = 1;
        continue;
      }
      failures.push(error);
      inARow++;
    }
    const last = batch.ids.at(-1);
    if (last === undefined || batch.ids.length < max || inARow === MAX_FAILED) break;
    after = last;
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} projects could not be notified of`);
  return mails;
}

/**
 * Notifies of new winners; rounds close one at a time, so their number is small. The graduation moved the followers to the NEXT project, except
 * those who saved the candidate during it.
 */
async function notifyWinners(tx: Tx, now: Date): Promise<number> {
  let mails = 0;
  for (const { nextId, candidateId, name } of await lockNewWinners(tx, {})) {
    await markPromoted(tx, { id: nextId });
    await moveToSuccessor(tx, candidateId, nextId);
    const about = { name, news: 'promoted', path: `/token/${nextId}`, now } as const;
    mails += await notifyFollowers(tx, { kind: 'next', id: nextId }, about);
  }
  return mails;
}

const DATE_NEWS = { same: null, set: 'dateSet', moved: 'dateChanged', withdrawn: 'dateWithdrawn' } as const;

async function notifyChanged(tx: Tx, batch: Batch, now: Date): Promise<number> {
  const rows = await lockChangedLaunches(tx, { now, after: batch.after, max: batch.max });
  batch.ids = rows.map(({ id }) => id);
  let mails = 0;
  for (const { id, name, date, launched, hour, was, at } of rows) {
    await markLaunch(tx, { id, launched });
    const begun = hour ? ('launched' as const) : ('launchedByTeam' as const);
    const news = launched ? (was ? null : begun) : DATE_NEWS[date];
    if (news)
      mails += await notifyFollowers(tx, { kind: 'next', id }, { name, news, path: `/token/${id}`, of: at, now });
  }
  return mails;
}

/** Also publishes a live event for screens that show the launch, because its record was not edited. */
async function notifyProven(tx: Tx, batch: Batch, now: Date): Promise<number> {
  const rows = await lockProvenLaunches(tx, { after: batch.after, max: batch.max });
  batch.ids = rows.map(({ id }) => id);
  let mails = 0;
  for (const { id, name, proof } of rows) {
    await markProof(tx, { id, proof });
    const news = proof === 'chain' ? 'proven' : 'provenTest';
    mails += await notifyFollowers(tx, { kind: 'next', id }, { name, news, path: `/token/${id}`, now });
  }
  if (rows.length > 0) await publishChange(tx, 'nextProjects');
  return mails;
}

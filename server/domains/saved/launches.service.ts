import type { Db, Tx } from '#server/db/client.ts';
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

/**
 * Notifies the followers of public NEXT projects of changes since the last notification: a first, another or no launch time, the announced hour or
 * the team's report of the launch, and then once a proof on a chain; and those of a candidate that it won its round and became one.
 * Compares states instead of events, so it is independent of who changed the project, and idempotent.
 *
 * @returns the number of mails.
 */
export async function notifyLaunches(service: ServiceContext): Promise<number> {
  const { db, now } = service;
  let mails = 0;
  const parts = [
    async () => {
      mails += await db.transaction((tx) => notifyWinners(tx, now));
    },
    async () => {
      for (let projects = BATCH_SIZE; projects === BATCH_SIZE; ) {
        const done = await db.transaction((tx) => notifyChanged(tx, now));
        mails += done.mails;
        projects = done.projects;
      }
    },
    async () => {
      for (let projects = BATCH_SIZE; projects === BATCH_SIZE; ) {
        const done = await db.transaction((tx) => notifyProven(tx, now));
        mails += done.mails;
        projects = done.projects;
      }
    },
  ];
  await runEachSettled(parts, (part) => part());
  return mails;
}

/**
 * Notifies of new winners; rounds close one at a time, so their number is small. The graduation has carried over who follows, except
 * for those who saved the candidate while it was graduating.
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

async function notifyChanged(tx: Tx, now: Date): Promise<{ projects: number; mails: number }> {
  const rows = await lockChangedLaunches(tx, { now, max: BATCH_SIZE });
  let mails = 0;
  for (const { id, name, date, launched, hour, was, at } of rows) {
    await markLaunch(tx, { id, launched });
    const begun = hour ? ('launched' as const) : ('launchedByTeam' as const);
    const news = launched ? (was ? null : begun) : DATE_NEWS[date];
    if (news)
      mails += await notifyFollowers(tx, { kind: 'next', id }, { name, news, path: `/token/${id}`, of: at, now });
  }
  return { projects: rows.length, mails };
}

/** Also publishes a live event for screens that show the launch, because its record was not edited. */
async function notifyProven(tx: Tx, now: Date): Promise<{ projects: number; mails: number }> {
  const rows = await lockProvenLaunches(tx, { max: BATCH_SIZE });
  let mails = 0;
  for (const { id, name, proof } of rows) {
    await markProof(tx, { id, proof });
    const news = proof === 'chain' ? 'proven' : 'provenTest';
    mails += await notifyFollowers(tx, { kind: 'next', id }, { name, news, path: `/token/${id}`, now });
  }
  if (rows.length > 0) await publishChange(tx, 'nextProjects');
  return { projects: rows.length, mails };
}

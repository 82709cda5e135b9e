import { and, asc, desc, eq, isNotNull, isNull, lte, or } from 'drizzle-orm';
import { PROOF_CHECK_HOURS, PROOF_FAILURES_MAX, PROOF_REMINDER_DAYS, PROOF_RETRY_HOURS } from '#contract/limits.ts';
import type { Db, Tx } from '#server/db/client.ts';
import { ownershipProofs } from '#server/db/tables/ownership.ts';
import { notifyOfDecision } from '#server/domains/notifications/member-events.service.ts';
import { notifyFollowers } from '#server/domains/saved/notices.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import type { Actor } from '#server/lib/audit.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';
import { notFoundAsNull } from '#server/lib/errors/fail.ts';
import { readConcerned, readDueReminders } from './creators.sql.ts';
import type { ProofChecks } from './ownership.port.ts';
import { endProof, note, type Proof } from './ownership.service.ts';
import { isAbout, ownersOf, readClaimed, recordOf } from './records.service.ts';

interface Checking {
  db: Db;
  jobs: JobQueue;
  checks: ProofChecks;
  now: Date;
}

const SYSTEM: Actor = { id: null, role: 'system', ipHash: null, requestId: null };
const HOUR = 3_600_000;
/** Notifications of ended proofs, and reminders, per run; the next run continues. */
const BATCH_SIZE = 50;
/** Checked proofs per run, one after the other: each check may take seconds. */
const CONCURRENCY = 25;

/**
 * Processes due proofs: ends expired ones, checks the others again, and notifies followers and creators of those that ended for any
 * reason. Safe in several processes and after a crash: one transaction per proof, and one notification each.
 *
 * @returns the numbers of checked and ended proofs. @throws the failures, after all were processed.
 */
export async function checkProofs(checking: Checking): Promise<{ checked: number; ended: number; notified: number }> {
  const { db, jobs, now } = checking;
  const done = { checked: 0, ended: 0, notified: 0 };
  const parts = [
    // First, because the checks may wait for slow sites.
    async () => {
      const { state, notifiedAt, endedAt, id, provenAt } = ownershipProofs;
      const unnotified = await db
        .select({ id })
        .from(ownershipProofs)
        .where(and(eq(state, 'ended'), isNull(notifiedAt), isNotNull(provenAt)))
        .orderBy(asc(endedAt))
        .limit(BATCH_SIZE);
      await runEachSettled(unnotified, async (one) => {
        if (await db.transaction((tx) => notifyOfEnd(tx, jobs, one.id, now))) done.notified++;
      });
    },
    async () => {
      const due = await db
        .select()
        .from(ownershipProofs)
        .where(
          and(
            eq(ownershipProofs.state, 'valid'),
            or(lte(ownershipProofs.expiresAt, now), lte(ownershipProofs.nextCheckAt, now)),
          ),
        )
        .orderBy(asc(ownershipProofs.nextCheckAt))
        .limit(CONCURRENCY);
      await runEachSettled(due, async (proof) => {
        if (await checkAgain(checking, proof)) done.ended++;
        done.checked++;
      });
    },
  ];
  await runEachSettled([...parts, () => remind(checking)], (part) => part());
  return done;
}

/** Reminds creators of proofs that expire soon, once per expiry. */
async function remind({ db, jobs, now }: Checking): Promise<void> {
  const before = new Date(now.getTime() + PROOF_REMINDER_DAYS * 24 * HOUR);
  await runEachSettled(await readDueReminders(db, { before, max: BATCH_SIZE }), (due) =>
    db.transaction(async (tx) => {
      const [proof] = await tx.select().from(ownershipProofs).where(eq(ownershipProofs.id, due.proof));
      if (!proof) return;
      const record = recordOf(proof);
      const token = await readClaimed(tx, record).catch(notFoundAsNull);
      if (!token) return;
      await notifyOfDecision(tx, jobs, {
        userId: due.member,
        what: 'proof_ends',
        cause: due.cause,
        title: token.tokenName,
        path: `/creator/${record.kind}/${record.id}`,
        now,
      });
    }),
  );
}

/** @returns true when it ended. */
async function checkAgain({ db, checks, now }: Checking, seen: Proof): Promise<boolean> {
  const over = seen.expiresAt !== null && seen.expiresAt <= now;
  const finding = over ? 'held' : await findingOf(db, checks, seen);
  return db.transaction(async (tx) => {
    const [proof] = await tx
      .select()
      .from(ownershipProofs)
      .where(and(eq(ownershipProofs.id, seen.id), eq(ownershipProofs.state, 'valid')))
      .for('update');
    // Changed, given up, renewed, or checked by another process meanwhile.
    if (!proof || proof.nextCheckAt?.getTime() !== seen.nextCheckAt?.getTime()) return false;
    const by = { actor: SYSTEM, now };
    const unchecked = finding === 'unchecked';
    const failures = unchecked ? proof.failures : finding === 'failed' ? proof.failures + 1 : 0;
    if (over || (!unchecked && failures >= PROOF_FAILURES_MAX)) {
      const why = over ? 'expired' : 'lapsed';
      await note(tx, SYSTEM, 'proof.ended', await endProof(tx, proof, by, why), { why });
      return true;
    }
    const hours = finding === 'held' ? PROOF_CHECK_HOURS : PROOF_RETRY_HOURS;
    const nextCheckAt = new Date(now.getTime() + hours * HOUR);
    await tx
      .update(ownershipProofs)
      .set(unchecked ? { nextCheckAt } : { failures, checkedAt: now, nextCheckAt })
      .where(eq(ownershipProofs.id, proof.id));
    return false;
  });
}

/** Result of a check. 'unchecked': our own network failed, which is no failure of the proof. */
type Finding = 'held' | 'failed' | 'unchecked';

/** A wallet still has to be the recorded owner of the contract. */
async function findingOf(db: Db, checks: ProofChecks, proof: Proof): Promise<Finding> {
  if (proof.method !== 'wallet') {
    const missing = await checks.look(proof.method, proof.subject, proof.token);
    return missing === 'unchecked' ? missing : missing === null ? 'held' : 'failed';
  }
  const token = await readClaimed(db, recordOf(proof)).catch(notFoundAsNull);
  // A token in the trash shows no mark; its proofs remain until it is restored or deleted.
  if (token === null) return 'held';
  const owners = await ownersOf(db, token);
  return owners.some((owner) => owner.toLowerCase() === proof.subject.toLowerCase()) ? 'held' : 'failed';
}

/**
 * Notifies of an ended proof: followers when it was the last one, and the creators of its token. Of several proofs that end before
 * this runs only the last one notifies the followers, because the token lost one mark.
 *
 * @returns false when that was done before.
 */
async function notifyOfEnd(tx: Tx, jobs: JobQueue, id: string, now: Date): Promise<boolean> {
  const [proof] = await tx
    .update(ownershipProofs)
    .set({ notifiedAt: now })
    .where(and(eq(ownershipProofs.id, id), isNull(ownershipProofs.notifiedAt)))
    .returning();
  if (!proof) return false;
  const record = recordOf(proof);
  const token = await readClaimed(tx, record).catch(notFoundAsNull);
  if (!token) return true;
  const left = await tx.$count(ownershipProofs, and(isAbout(record), eq(ownershipProofs.state, 'valid')));
  const [last] = await tx
    .select({ id: ownershipProofs.id })
    .from(ownershipProofs)
    .where(and(isAbout(record), eq(ownershipProofs.state, 'ended'), isNotNull(ownershipProofs.provenAt)))
    .orderBy(desc(ownershipProofs.endedAt), desc(ownershipProofs.id))
    .limit(1);
  const { tokenName: name, slug } = token;
  if (left === 0 && last?.id === id)
    await notifyFollowers(tx, record, {
      name,
      news: 'unverified',
      path: `/token/${slug}`,
      of: proof.endedAt?.toISOString() ?? proof.id,
      now,
    });
  const concerned = proof.endReason === 'given_up' ? [] : await readConcerned(tx, { proof: id });
  for (const { id: userId } of concerned)
    await notifyOfDecision(tx, jobs, {
      userId,
      what: 'proof_ended',
      cause: `proof:${proof.id}`,
      title: name,
      path: `/creator/${record.kind}/${record.id}`,
      now,
    });
  // A proof that ended by a change of the token has no audit entry of its own yet; that of the change contains the actor.
  if (proof.endReason === 'changed') await note(tx, SYSTEM, 'proof.ended', proof, { why: 'changed' });
  return true;
}

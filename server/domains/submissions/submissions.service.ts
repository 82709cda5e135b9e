import { createHash } from 'node:crypto';
import { ORPCError } from '@orpc/server';
import { and, eq, gt, inArray, or, sql } from 'drizzle-orm';
import type { SubmissionInput } from '#contract/domains/submissions.ts';
import { eachLink } from '#contract/fields/links.ts';
import { hasEvmAddresses } from '#contract/fields/wallets.ts';
import type { Limit } from '#contract/limits.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { lockByName } from '#server/db/server.sql.ts';
import { settings } from '#server/db/tables/settings.ts';
import { projectSubmissions } from '#server/db/tables/submissions.ts';
import type { MediaOwner } from '#server/domains/media/media.port.ts';
import { markImageUsed, removeMedia } from '#server/domains/media/media.service.ts';
import { activeKeys } from '#server/domains/networks/networks.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { pageKey, pageKeyFits, privatePath } from '#server/lib/crypto/page-secrets.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { addressLimits, consumeRateLimits } from '#server/lib/rate-limits/rate-limit.ts';
import { newRecordNumber } from '#server/lib/text/record-number.ts';
import { publishChange } from '#server/live/publish.ts';
import { type MailLocale, queueMail } from '#server/mail/mail.ts';
import { type Comparable, findResemblances, resemblancesAsText } from '#server/records/resemblance.ts';
import { checkSubmission, isDecision } from './submission.policy.ts';

/** Key of `settings`: false disables public submissions. */
const PUBLIC_SUBMISSIONS = 'publicSubmissions';

/** True when submissions are enabled; the default. */
export async function submissionsOpen(db: Reader): Promise<boolean> {
  const [setting] = await db
    .select({ value: settings.value })
    .from(settings)
    .where(eq(settings.key, PUBLIC_SUBMISSIONS));
  return setting?.value !== false;
}

/** Enables or disables submissions. @returns true when that changed anything. */
export function setSubmissionsOpen(db: Db, actor: Actor, open: boolean, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    if ((await submissionsOpen(tx)) === open) return false;
    const values = { value: open, updatedAt: now, updatedBy: actor.id };
    await tx
      .insert(settings)
      .values({ key: PUBLIC_SUBMISSIONS, ...values })
      .onConflictDoUpdate({ target: settings.key, set: { ...values, version: sql`${settings.version} + 1` } });
    await publishChange(tx, 'settings');
    await audit(tx, actor, { action: open ? 'submissions.opened' : 'submissions.closed', resourceType: 'system' });
    return true;
  });
}

/** Owner of a form's images, by the key that the form generated; null for anything else. */
const claimOfForm = (key: string | null | undefined): Buffer | null =>
  key && /^[\w-]{43}$/.test(key) ? createHash('sha256').update(key).digest() : null;

/** Owner of a form's images while submissions are enabled; null for anything else. */
export async function openClaim(db: Reader, key: string | null): Promise<Buffer | null> {
  const claim = claimOfForm(key);
  return claim && (await submissionsOpen(db)) ? claim : null;
}

interface Applicant {
  userId: string | null;
  address: string;
  actor: Actor;
  now: Date;
}

interface Receipt {
  id: string;
  reference: string;
  key: string;
  createdAt: string;
}

/** The same error format as the contract's own checks, so that forms find the field. */
export const notValid = (fields: string[]) =>
  new ORPCError('BAD_REQUEST', {
    message: 'Input validation failed',
    data: { issues: fields.map((name) => ({ path: [name], message: 'Not valid' })) },
  });

/**
 * Creates a submission in the admins' queue, and mails the applicant the link to its private page. Idempotent for the same attempt,
 * also concurrently.
 *
 * @throws BAD_REQUEST with the fields, SUBMISSIONS_CLOSED, DUPLICATE, RATE_LIMITED past the limit of submissions from one IP
 *   address.
 * @throws RESEMBLES when it could be taken for a public token, and the applicant did not accept the resemblance.
 */
export async function createSubmission(
  db: Db,
  services: { secret: string; jobs: JobQueue },
  from: Applicant,
  input: SubmissionInput,
  form: { attempt?: string | undefined; claim?: string | undefined; locale: MailLocale; resemblanceAccepted?: boolean },
  limits: Record<'requests' | 'mails', Limit>,
): Promise<Receipt> {
  const { now } = from;
  const known = await byAttempt(db, services, form.attempt);
  if (known) return known;
  if (!(await submissionsOpen(db))) fail('SUBMISSIONS_CLOSED');
  const networks = await activeKeys(db);
  const { clean, invalid } = checkSubmission(input, networks);
  if (invalid.length > 0) throw notValid(invalid);
  await consumeRateLimits(db, addressLimits('submission', from.address, limits.requests), now);
  const found = await findResemblances(db, comparableOf(clean), { publicOnly: true });
  if (found.length > 0 && !form.resemblanceAccepted) fail('RESEMBLES', { found });
  return db.transaction(async (tx) => {
    // Serializes one applicant's submissions, so that both checks below see the result of the other one.
    await lockByName(tx, { names: [`submission ${clean.submitterEmail.toLowerCase()}`] });
    const twin = await byAttempt(tx, services, form.attempt);
    if (twin) return twin;
    if (await isWaiting(tx, clean)) fail('DUPLICATE', { fields: ['projectName'] });
    const owner: MediaOwner = { userId: from.userId ?? undefined, claim: claimOfForm(form.claim) ?? undefined };
    await markImageUsed(tx, clean.imageUrl, owner, now).catch((error: { code?: string }) => {
      throw error.code === 'NOT_FOUND' ? notValid(['imageUrl']) : error;
    });
    return insert(tx, services, from, clean, { ...form, resembled: resemblancesAsText(found) }, limits.mails);
  });
}

/** The token of a submission in comparable form. An external image is compared once it is our own copy. */
export function comparableOf(data: Record<string, unknown>): Comparable {
  const word = (name: string) => (typeof data[name] === 'string' ? data[name] : '');
  return {
    tokenName: word('projectName'),
    tokenSymbol: word('symbol'),
    contractAddress: word('address'),
    imageUrl: word('imageUrl'),
    ...eachLink(word),
  };
}

async function byAttempt(
  db: Reader,
  services: { secret: string },
  attempt: string | undefined,
): Promise<Receipt | null> {
  if (!attempt) return null;
  const { id, reference, createdAt } = projectSubmissions;
  const [row] = await db
    .select({ id, reference, createdAt })
    .from(projectSubmissions)
    .where(eq(projectSubmissions.attempt, attempt));
  if (!row) return null;
  return {
    id: row.id,
    reference: row.reference ?? '',
    key: pageKey(services.secret, 'submission', row.id),
    createdAt: row.createdAt.toISOString(),
  };
}

/** True when an undecided submission has the same applicant, and the same token or name. Other applicants may submit it as well. */
async function isWaiting(tx: Tx, { submitterEmail, network, address, projectName, symbol }: SubmissionInput) {
  const submittedText = (field: 'address' | 'network' | 'projectName' | 'symbol') =>
    sql`${projectSubmissions.projectData} ->> ${sql.raw(`'${field}'`)}`;
  const sameName = and(
    sql`lower(${submittedText('projectName')}) = lower(${projectName})`,
    sql`lower(${submittedText('symbol')}) = lower(${symbol})`,
  );
  const sameAddress = hasEvmAddresses(network)
    ? sql`lower(${submittedText('address')}) = lower(${address})`
    : eq(submittedText('address'), address);
  const sameToken = address === '' ? undefined : and(sameAddress, eq(submittedText('network'), network));
  const found = await tx
    .select({ id: projectSubmissions.id })
    .from(projectSubmissions)
    .where(
      and(
        eq(sql`lower(${projectSubmissions.submitterEmail})`, submitterEmail.toLowerCase()),
        inArray(projectSubmissions.status, ['new', 'reviewed']),
        or(sameToken, sameName),
      ),
    )
    .limit(1);
  return found.length > 0;
}

async function insert(
  tx: Tx,
  { secret, jobs }: { secret: string; jobs: JobQueue },
  { actor, now }: Applicant,
  { submitterName, submitterEmail, ...project }: SubmissionInput,
  { attempt, locale, resembled }: { attempt?: string | undefined; locale: MailLocale; resembled: string },
  mailLimit: Limit,
): Promise<Receipt> {
  const reference = newRecordNumber('PR');
  const [made] = await tx
    .insert(projectSubmissions)
    .values({ submitterName, submitterEmail, projectData: project, reference, attempt, locale, createdAt: now })
    .returning({ id: projectSubmissions.id });
  const id = made?.id ?? '';
  if (await mayMail(tx, submitterEmail, mailLimit, now))
    await queueMail(tx, jobs, {
      to: submitterEmail,
      locale,
      template: 'submissionReceived',
      data: { reference, path: privatePath(secret, 'submission', id, locale) },
    });
  await audit(tx, actor, {
    action: 'submission.created',
    resourceType: 'submission',
    resourceId: id,
    after: { reference, project: project.projectName, ...(resembled ? { resemblanceAccepted: resembled } : {}) },
  });
  return { id, reference, key: pageKey(secret, 'submission', id), createdAt: now.toISOString() };
}

/** Anyone can enter another person's mailbox: it gets a few mails a day, and the submission is stored all the same. */
async function mayMail(tx: Tx, mailbox: string, limit: Limit, now: Date): Promise<boolean> {
  const sent = await tx.$count(
    projectSubmissions,
    and(
      eq(sql`lower(${projectSubmissions.submitterEmail})`, mailbox.toLowerCase()),
      gt(projectSubmissions.createdAt, new Date(now.getTime() - 86_400_000)),
    ),
  );
  return sent <= limit.hits;
}

/** Deletes an unused image that its form uploaded. @throws NOT_FOUND */
export const removeFormImage = (
  tx: Tx,
  actor: Actor,
  { id, claim }: { id: string; claim: string },
  now: Date,
): Promise<boolean> => removeMedia(tx, actor, { claim: claimOfForm(claim) ?? undefined }, id, now);

/** Public state of a submission. @throws NOT_FOUND for an unknown id and a wrong key alike. */
export async function readSubmission(
  db: Reader,
  services: { secret: string; supportEmail: string | null },
  id: string,
  key: string,
) {
  if (!pageKeyFits(services.secret, 'submission', id, key)) fail('NOT_FOUND', { what: 'submission' });
  const { reference, status, projectData, createdAt, reviewedAt, answer } = projectSubmissions;
  const [found] = await db
    .select({ reference, status, projectData, createdAt, reviewedAt, answer })
    .from(projectSubmissions)
    .where(eq(projectSubmissions.id, id));
  const row = found ?? fail('NOT_FOUND', { what: 'submission' });
  const word = (value: unknown) => (typeof value === 'string' ? value : '');
  return {
    id,
    reference: row.reference ?? '',
    status: row.status,
    projectName: word(row.projectData?.['projectName']),
    symbol: word(row.projectData?.['symbol']),
    createdAt: row.createdAt.toISOString(),
    reviewedAt: row.reviewedAt?.toISOString() ?? null,
    answer: isDecision(row.status) ? row.answer : null,
    supportEmail: services.supportEmail,
  };
}

import { and, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import { newNextProject } from '#contract/admin/next-projects.ts';
import { newProject } from '#contract/admin/projects.ts';
import type { BulkOutcome } from '#contract/admin/shared/bulk.ts';
import type { AdminSubmission, AdminSubmissionRow } from '#contract/admin/submissions.ts';
import { eachLink } from '#contract/fields/links.ts';
import { marketNetwork } from '#contract/fields/schemas.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { asText } from '#server/db/expressions.ts';
import { users } from '#server/db/tables/accounts.ts';
import { nextProjects } from '#server/db/tables/next-projects.ts';
import { projects } from '#server/db/tables/projects.ts';
import { projectSubmissions } from '#server/db/tables/submissions.ts';
import { createNextProject } from '#server/domains/next-projects/manage.service.ts';
import { notifyOfSubmission } from '#server/domains/notifications/member-events.service.ts';
import { createProject } from '#server/domains/projects/manage.service.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import { audit } from '#server/lib/audit.ts';
import { privatePath } from '#server/lib/crypto/page-secrets.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { queueMail } from '#server/mail/mail.ts';
import { forEachSeen } from '#server/records/bulk.ts';
import { lastChange } from '#server/records/last-change.ts';
import { type ListQuery, listRecords, matchesTerms } from '#server/records/lists.ts';
import { accountOfMailbox } from '#server/records/mailbox-account.ts';
import type { ImageStore } from '#server/records/record-images.ts';
import type { Editor } from '#server/records/records.ts';
import { findResemblances, type ResemblanceAccepted } from '#server/records/resemblance.ts';
import { isDecision } from './submission.policy.ts';
import { comparableOf, notValid } from './submissions.service.ts';

type Status = AdminSubmissionRow['status'];

const submittedText = (field: 'projectName' | 'symbol') =>
  sql`coalesce(s.project_data ->> ${sql.raw(`'${field}'`)}, '')`.mapWith(asText);

/** Submissions, for the back office. */
export async function listSubmissions(
  db: Reader,
  input: ListQuery & { status?: Status | undefined },
): Promise<{ rows: AdminSubmissionRow[]; total: number }> {
  const parts = {
    from: sql`from project_submissions s`,
    where: [input.status && sql`s.status = ${input.status}`],
    sorts: {
      createdAt: sql`s.created_at`,
      submitterName: sql`lower(s.submitter_name)`,
      status: sql`s.status`,
      reviewedAt: sql`s.reviewed_at`,
    },
    notNull: ['createdAt', 'status'],
    tieBreaker: sql`s.id`,
    id: sql`s.id`,
    title: submittedText('projectName'),
    searchTerms: matchesTerms(sql`project_submissions s`, sql`s.id`, sql`s.search`, input.q),
  };
  const s = alias(projectSubmissions, 's');
  const { rows, total } = await listRecords(db, input, parts, ({ where, orderBy }) =>
    db
      .select({
        id: s.id,
        version: s.version,
        reference: s.reference,
        submitterName: s.submitterName,
        submitterEmail: s.submitterEmail,
        memberId: accountOfMailbox(s.submitterEmail),
        projectName: submittedText('projectName'),
        symbol: submittedText('symbol'),
        status: s.status,
        reviewedAt: s.reviewedAt,
        createdAt: s.createdAt,
      })
      .from(s)
      .where(where)
      .orderBy(orderBy),
  );
  return {
    rows: rows.map((row) => ({
      ...row,
      reviewedAt: row.reviewedAt?.toISOString() ?? null,
      createdAt: row.createdAt.toISOString(),
    })),
    total,
  };
}

/** One submission with all of its data. @throws NOT_FOUND */
export async function readSubmissionForAdmin(db: Reader, id: string): Promise<AdminSubmission> {
  const [row] = await db.select().from(projectSubmissions).where(eq(projectSubmissions.id, id));
  return presentSubmission(db, row ?? fail('NOT_FOUND', { what: 'submission' }));
}

interface Services {
  secret: string;
  jobs: JobQueue;
}
interface Verdict {
  status: Status;
  adminNotes: string;
  answer?: string | undefined;
}
type Row = typeof projectSubmissions.$inferSelect;

/**
 * Sets the status of a submission: any status at any time (A-SUB-19), with notes for the team and a text for the applicant. Stores
 * the time of the review, whatever the status is (AMB-194). The applicant gets a mail when an approval or rejection, or its text,
 * is new.
 *
 * @throws NOT_FOUND. @throws VERSION_CONFLICT when it was changed since it was read.
 */
export function reviewSubmission(
  db: Db,
  services: Services,
  by: Editor,
  { id, version, ...verdict }: Verdict & { id: string; version: number },
): Promise<AdminSubmission> {
  return db.transaction(async (tx) => {
    const old = await lockSubmission(tx, { id, version });
    return presentSubmission(tx, await answer(tx, services, by, old, verdict, {}));
  });
}

/**
 * Sets the status of several submissions, one transaction each: the team's notes and the text for the applicant are not changed.
 * One that already has the status is skipped, without a second mail.
 */
export const reviewSubmissions = (
  db: Db,
  services: Services,
  by: Editor,
  records: readonly { id: string; version: number; status: Status }[],
): Promise<{ results: BulkOutcome[] }> => {
  const wanted = new Map(records.map((one) => [one.id, one]));
  return forEachSeen(records, ({ id, version }) =>
    db.transaction(async (tx) => {
      const old = await lockSubmission(tx, { id, version });
      const status = wanted.get(id)?.status ?? old.status;
      if (status === old.status) return old;
      return answer(tx, services, by, old, { status, adminNotes: old.adminNotes ?? '' }, {});
    }),
  );
};

/**
 * Approves a submission and creates a project from it, with status pending, so that it is reviewed before its publication: one
 * transaction, so that both happen or none, and at most one project per submission.
 *
 * @returns `withImage` false when the submission's external image could not be fetched; the project then has none.
 * @throws NOT_FOUND, VERSION_CONFLICT. @throws ALREADY_DONE when it has a project. @throws DUPLICATE when a project outside of the
 *   trash has its address. @throws RESEMBLES when it could be taken for another token and the resemblance was not accepted.
 * @throws BAD_REQUEST with the fields that the submission lacks.
 */
export async function publishSubmission(
  db: Db,
  services: Services & { media: ImageStore },
  by: Editor,
  { id, version, as, adminNotes, answer: text, resemblanceAccepted }: Omit<Verdict, 'status'> & PublishInput,
): Promise<AdminSubmission & { withImage: boolean }> {
  const [seen] = await db.select().from(projectSubmissions).where(eq(projectSubmissions.id, id));
  if (!seen) return fail('NOT_FOUND', { what: 'submission' });
  const fields = projectFields(seen.projectData ?? {});
  const also = async (tx: Tx, { id: made }: { id: string }) => {
    const old = await lockSubmission(tx, { id, version });
    if (old.projectId || old.nextProjectId) fail('ALREADY_DONE');
    const verdict = { status: 'approved' as const, adminNotes, answer: text };
    await answer(tx, services, by, old, verdict, as === 'project' ? { projectId: made } : { nextProjectId: made });
  };
  const make = (imageUrl: string | null) =>
    as === 'project'
      ? createProject(
          db,
          services.media,
          by,
          { ...read(newProject, { ...fields, imageUrl }), resemblanceAccepted },
          also,
        )
      : createNextProject(
          db,
          services.media,
          by,
          { ...read(newNextProject, { ...fields, imageUrl, status: 'pending' }), resemblanceAccepted },
          also,
        );
  let withImage = true;
  try {
    await make(fields.imageUrl);
  } catch (error) {
    // Thrown before anything is written.
    if ((error as { code?: string }).code !== 'IMAGE_NOT_FETCHED') throw error;
    withImage = false;
    await make(null);
  }
  return { ...(await readSubmissionForAdmin(db, id)), withImage };
}

interface PublishInput extends ResemblanceAccepted {
  id: string;
  version: number;
  as: 'project' | 'next_project';
}

/** The project data of a submission, under the field names of the back office's forms. */
function projectFields(data: Record<string, unknown>) {
  const word = (name: string) => (typeof data[name] === 'string' ? data[name] : '');
  return {
    tokenName: word('projectName'),
    tokenSymbol: word('symbol'),
    // Submissions may name any network that is offered; projects have those with market data.
    network: marketNetwork.safeParse(word('network')).data ?? null,
    tokenAddress: word('address'),
    description: word('description') || null,
    imageUrl: word('imageUrl') || null,
    ...eachLink((link) => word(link) || null),
  };
}

/** Validates by the same rules as the forms. */
function read<Schema extends z.ZodType>(schema: Schema, fields: z.input<Schema>): z.output<Schema> {
  const { success, data, error } = schema.safeParse(fields);
  if (success) return data;
  throw notValid(error.issues.map(({ path }) => String(path[0])));
}

async function lockSubmission(tx: Tx, { id, version }: { id: string; version: number }): Promise<Row> {
  const [row] = await tx.select().from(projectSubmissions).where(eq(projectSubmissions.id, id)).for('no key update');
  if (!row) return fail('NOT_FOUND', { what: 'submission' });
  if (row.version !== version) await refuse(tx, row);
  return row;
}

async function answer(
  tx: Tx,
  { secret, jobs }: Services,
  by: Editor,
  old: Row,
  verdict: Verdict,
  made: { projectId?: string; nextProjectId?: string },
): Promise<Row> {
  const { status } = verdict;
  const adminNotes = cleanText(verdict.adminNotes, 'text') || null;
  const given = verdict.answer === undefined ? old.answer : cleanText(verdict.answer, 'text') || null;
  // The text of one decision is not reused for another.
  const newAnswer = isDecision(old.status) && status !== old.status && given === old.answer ? null : given;
  const [row] = await tx
    .update(projectSubmissions)
    .set({ status, adminNotes, answer: newAnswer, ...made, reviewedAt: by.now, version: old.version + 1 })
    .where(eq(projectSubmissions.id, old.id))
    .returning();
  const news = status !== old.status || (newAnswer !== null && newAnswer !== old.answer);
  if (isDecision(status) && news && old.submitterEmail)
    await queueMail(tx, jobs, {
      to: old.submitterEmail,
      locale: old.locale,
      template: 'submissionDecided',
      data: {
        reference: old.reference ?? '',
        path: privatePath(secret, 'submission', old.id, old.locale),
        status,
        answer: newAnswer ?? '',
      },
    });
  if (isDecision(status) && news) await notifyOfSubmission(tx, old, status, by.now);
  await audit(tx, by.actor, {
    action: made.projectId || made.nextProjectId ? 'submission.published' : 'submission.reviewed',
    resourceType: 'submission',
    resourceId: old.id,
    before: { status: old.status, adminNotes: old.adminNotes, answer: old.answer, reviewedAt: old.reviewedAt },
    after: { status, adminNotes, answer: newAnswer, reviewedAt: by.now, ...made },
  });
  return row ?? fail('NOT_FOUND', { what: 'submission' });
}

async function refuse(tx: Tx, row: Row): Promise<never> {
  return fail('VERSION_CONFLICT', {
    version: row.version,
    current: { status: row.status, adminNotes: row.adminNotes ?? '', answer: row.answer ?? '' },
    ...(await lastChange(tx, 'submission', row.id)),
    deleted: false,
  });
}

/** The project that was created from a submission, also in the trash. */
async function madeOf(db: Reader, { projectId, nextProjectId }: Row): Promise<AdminSubmission['made']> {
  const table = projectId ? projects : nextProjects;
  const id = projectId ?? nextProjectId;
  if (!id) return null;
  const [made] = await db.select({ name: table.tokenName }).from(table).where(eq(table.id, id));
  return made ? { as: projectId ? 'project' : 'next_project', id, name: made.name } : null;
}

async function presentSubmission(db: Reader, row: Row): Promise<AdminSubmission> {
  const data = row.projectData as { projectName?: unknown; symbol?: unknown } | null;
  const word = (value: unknown) => (typeof value === 'string' ? value : '');
  const made = await madeOf(db, row);
  const [sender] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, (row.submitterEmail ?? '').toLowerCase()), users.emailVerified));
  const compared = row.projectData ? comparableOf(row.projectData) : null;
  return {
    id: row.id,
    reference: row.reference,
    submitterName: row.submitterName,
    submitterEmail: row.submitterEmail,
    memberId: sender?.id ?? null,
    projectName: word(data?.projectName),
    symbol: word(data?.symbol),
    status: row.status,
    reviewedAt: row.reviewedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    version: row.version,
    adminNotes: row.adminNotes ?? '',
    answer: row.answer ?? '',
    made,
    resembles: compared
      ? await findResemblances(db, compared, {
          ...(made ? { of: { kind: made.as, id: made.id } } : {}),
          publicOnly: false,
        })
      : [],
    projectData: row.projectData,
  };
}

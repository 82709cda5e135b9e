import { eq, type SQL, sql } from 'drizzle-orm';
import type { AdminSubmission, AdminSubmissionRow } from '#contract/admin/submissions.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { projectSubmissions } from '#server/db/tables/submissions.ts';
import { holdsFolded, iso, isoOrNull, readPage } from '#server/domains/admin/lists.service.ts';
import type { Editor } from '#server/domains/admin/records.service.ts';
import { audit } from '#server/lib/audit.ts';
import { cleanText } from '#server/lib/clean-text.ts';
import { fail } from '#server/lib/fail.ts';

type Status = AdminSubmissionRow['status'];

const LIST: SQL =
  sql.raw(`s.id, s.reference, s.submitter_name as "submitterName", s.submitter_email as "submitterEmail",
  coalesce(s.project_data ->> 'projectName', '') as "projectName", coalesce(s.project_data ->> 'symbol', '') as symbol,
  s.status, s.reviewed_at as "reviewedAt", s.created_at as "createdAt"`);

/** Requests for publication, for the back office. */
export async function listSubmissions(
  db: Reader,
  input: { q: string; page: number; size: number; sort: string; status?: Status | undefined },
): Promise<{ rows: AdminSubmissionRow[]; total: number }> {
  const { rows, total } = await readPage<AdminSubmissionRow>(db, input, {
    columns: LIST,
    from: sql`from project_submissions s`,
    where: [input.status && sql`s.status = ${input.status}`, holdsFolded(sql`s.search`, input.q)],
    sorts: {
      createdAt: sql`s.created_at`,
      submitterName: sql`lower(s.submitter_name)`,
      status: sql`s.status`,
      reviewedAt: sql`s.reviewed_at`,
    },
    filled: ['createdAt', 'status'],
    tie: sql`s.id`,
    id: sql`s.id`,
  });
  return {
    rows: rows.map((row) => ({ ...row, reviewedAt: isoOrNull(row.reviewedAt), createdAt: iso(row.createdAt) })),
    total,
  };
}

/** One of them with everything that was sent. @throws NOT_FOUND */
export async function readSubmissionForAdmin(db: Reader, id: string): Promise<AdminSubmission> {
  const [row] = await db.select().from(projectSubmissions).where(eq(projectSubmissions.id, id));
  return presentSubmission(row ?? fail('NOT_FOUND', { what: 'submission' }));
}

/**
 * Answers a request: any status at any time (A-SUB-19), with notes for the team. Stamps the moment of the review, whatever
 * the answer is (AMB-194).
 *
 * @throws NOT_FOUND. @throws VERSION_CONFLICT when a colleague answered since it was read.
 */
export function reviewSubmission(
  db: Db,
  by: Editor,
  { id, version, status, adminNotes }: { id: string; version: number; status: Status; adminNotes: string },
): Promise<AdminSubmission> {
  return db.transaction(async (tx) => {
    const [old] = await tx.select().from(projectSubmissions).where(eq(projectSubmissions.id, id)).for('no key update');
    if (!old) return fail('NOT_FOUND', { what: 'submission' });
    if (old.version !== version) await refuse(tx, old);
    const notes = cleanText(adminNotes, 'text') || null;
    const [row] = await tx
      .update(projectSubmissions)
      .set({ status, adminNotes: notes, reviewedAt: by.now, version: version + 1 })
      .where(eq(projectSubmissions.id, id))
      .returning();
    await audit(tx, by.actor, {
      action: 'submission.reviewed',
      resourceType: 'submission',
      resourceId: id,
      before: { status: old.status, adminNotes: old.adminNotes, reviewedAt: old.reviewedAt },
      after: { status, adminNotes: notes, reviewedAt: by.now },
    });
    return presentSubmission(row ?? fail('NOT_FOUND', { what: 'submission' }));
  });
}

async function refuse(tx: Tx, row: typeof projectSubmissions.$inferSelect): Promise<never> {
  const { rows } = await tx.execute<{ by: string | null; at: string }>(sql`
    select coalesce(f.username, u.email) as by, e.at from audit_events e
    left join users u on u.id = e.actor_id left join forum_users f on f.new_auth_user_id = u.id
    where e.resource_type = 'submission' and e.resource_id = ${row.id} order by e.id desc limit 1`);
  return fail('VERSION_CONFLICT', {
    version: row.version,
    current: { status: row.status, adminNotes: row.adminNotes ?? '' },
    by: rows[0]?.by ?? null,
    at: rows[0] ? iso(rows[0].at) : null,
    deleted: false,
  });
}

function presentSubmission(row: typeof projectSubmissions.$inferSelect): AdminSubmission {
  const data = row.projectData as { projectName?: unknown; symbol?: unknown } | null;
  const word = (value: unknown) => (typeof value === 'string' ? value : '');
  return {
    id: row.id,
    reference: row.reference,
    submitterName: row.submitterName,
    submitterEmail: row.submitterEmail,
    projectName: word(data?.projectName),
    symbol: word(data?.symbol),
    status: row.status,
    reviewedAt: isoOrNull(row.reviewedAt),
    createdAt: iso(row.createdAt),
    version: row.version,
    adminNotes: row.adminNotes ?? '',
    projectData: row.projectData,
  };
}

import { ORPCError } from '@orpc/server';
import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import { LIMITS } from '#contract/limits.ts';
import type { submissionInput, submissionStatus } from '#contract/submissions.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { httpLink } from '#server/domains/token-requests/drafts.service.ts';
import { newReference, pageKey, pageKeyFits } from '#server/domains/token-requests/keys.service.ts';
import { type Actor, audit } from '#server/lib/audit.ts';
import { cleanText } from '#server/lib/clean-text.ts';
import { fail } from '#server/lib/fail.ts';
import { takeLimits } from '#server/lib/rate-limit.ts';

type Input = z.infer<typeof submissionInput>;

/** Key of `settings`: false turns public submissions off. */
export const PUBLIC_SUBMISSIONS = 'publicSubmissions';

/** Whether people may ask for a publication; open unless an operator said otherwise. */
export async function submissionsOpen(db: Reader): Promise<boolean> {
  const { rows } = await db.execute<{ value: unknown }>(
    sql`select value from settings where key = ${PUBLIC_SUBMISSIONS}`,
  );
  return rows[0]?.value !== false;
}

const LINKS = ['websiteUrl', 'telegramUrl', 'twitterUrl', 'discordUrl', 'imageUrl'] as const;

/** @throws BAD_REQUEST when nothing to read is left of what is required. */
function clean({ submitterName, submitterEmail, ...project }: Input) {
  const fields = Object.fromEntries(
    Object.entries(project).map(([key, value]) => {
      const text = cleanText(value, key === 'description' ? 'text' : 'line');
      return [key, (LINKS as readonly string[]).includes(key) ? httpLink(text) : text];
    }),
  );
  const name = cleanText(submitterName, 'line');
  const readable = [name, fields['projectName'], fields['symbol'], fields['description']];
  if (readable.some((text) => !text || !/[\p{L}\p{N}\p{P}\p{S}]/u.test(text)))
    throw new ORPCError('BAD_REQUEST', { message: 'No readable text' });
  return { name, email: cleanText(submitterEmail, 'line'), fields };
}

/**
 * Puts a request for publication into the admins' queue.
 *
 * @throws SUBMISSIONS_CLOSED, RATE_LIMITED past 5 an hour from one address, BAD_REQUEST
 */
export async function createSubmission(
  db: Db,
  house: { secret: string },
  from: { addressKey: string; actor: Actor; now: Date },
  input: Input,
): Promise<{ id: string; reference: string; key: string; createdAt: string }> {
  const { now } = from;
  if (!(await submissionsOpen(db))) fail('SUBMISSIONS_CLOSED');
  const { name, email, fields } = clean(input);
  await takeLimits(db, [{ key: `submission:${from.addressKey}`, limit: LIMITS.submissionAddressHour }], now);
  return db.transaction(async (tx) => {
    const reference = newReference('PR');
    const { rows } = await tx.execute<{ id: string }>(sql`
      insert into project_submissions (submitter_name, submitter_email, project_data, reference, created_at)
      values (${name}, ${email}, ${JSON.stringify(fields)}::jsonb, ${reference}, ${now.toISOString()}) returning id`);
    const id = rows[0]?.id ?? '';
    await audit(tx, from.actor, {
      action: 'submission.created',
      resourceType: 'submission',
      resourceId: id,
      after: { reference, project: fields['projectName'] },
    });
    return { id, reference, key: pageKey(house.secret, 'submission', id), createdAt: now.toISOString() };
  });
}

interface Row extends Record<string, unknown> {
  reference: string | null;
  status: z.infer<typeof submissionStatus>;
  project_data: { projectName?: string; symbol?: string } | null;
  created_at: Date;
  reviewed_at: Date | null;
}

/** Where a request for publication stands. @throws NOT_FOUND for a wrong id and a wrong key alike. */
export async function readSubmission(db: Reader, house: { secret: string }, id: string, key: string) {
  if (!pageKeyFits(house.secret, 'submission', id, key)) fail('NOT_FOUND', { what: 'submission' });
  const { rows } = await db.execute<Row>(
    sql`select reference, status, project_data, created_at, reviewed_at from project_submissions where id = ${id}`,
  );
  const row = rows[0] ?? fail('NOT_FOUND', { what: 'submission' });
  return {
    id,
    reference: row.reference ?? '',
    status: row.status,
    projectName: row.project_data?.projectName ?? '',
    symbol: row.project_data?.symbol ?? '',
    createdAt: new Date(row.created_at).toISOString(),
    reviewedAt: row.reviewed_at && new Date(row.reviewed_at).toISOString(),
  };
}

import { randomBytes } from 'node:crypto';
import { eq, like, or } from 'drizzle-orm';
import { type PgColumn, unionAll } from 'drizzle-orm/pg-core';
import type { Reader } from '#server/db/client.ts';
import { projects } from '#server/db/tables/projects.ts';
import { votingCandidates } from '#server/db/tables/voting.ts';

/** Characters of a slug before its serial number. */
const MAX_STEM = 60;

/** Basic Latin letters and digits; everything else becomes a single dash. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_STEM)
    .replace(/-+$/, '');

/**
 * A slug that no project and no candidate has, including those in the trash (AMB-80): from the token's name, else from its symbol. Concurrent
 * calls may get the same; then the unique key of the table refuses the second one, which retries.
 *
 * @param attempts from the third one on the serial number is random, because concurrent callers would count to the same number.
 */
export async function freeTokenSlug(
  db: Reader,
  token: { tokenName: string; tokenSymbol: string },
  attempts = 1,
): Promise<string> {
  const stem = plain(token.tokenName) || plain(token.tokenSymbol) || 'token';
  if (attempts > 2) return `${stem}-${randomBytes(4).toString('hex')}`;
  const named = (slug: PgColumn) => or(eq(slug, stem), like(slug, `${stem}-%`));
  const rows = await unionAll(
    db.select({ slug: projects.tokenSlug }).from(projects).where(named(projects.tokenSlug)),
    db.select({ slug: votingCandidates.tokenSlug }).from(votingCandidates).where(named(votingCandidates.tokenSlug)),
  );
  const taken = new Set(rows.map(({ slug }) => slug));
  for (let serial = 1; ; serial++) {
    const slug = serial === 1 ? stem : `${stem}-${serial}`;
    if (!taken.has(slug)) return slug;
  }
}

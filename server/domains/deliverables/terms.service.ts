import { desc, eq, sql } from 'drizzle-orm';
import type { AdminDeliverableTerms } from '#contract/admin/deliverables.ts';
import type { TermsForm } from '#contract/admin/forms/deliverables.ts';
import {
  DELIVERABLE_ITEMS,
  DELIVERABLES,
  type DeliverableItem,
  type DeliverableTerms,
  itemsOfPlan,
} from '#contract/domains/deliverables.ts';
import type { Plan } from '#contract/domains/payments.ts';
import { PLANS } from '#contract/limits.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { asText, orNull } from '#server/db/expressions.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { deliverableTerms } from '#server/db/tables/deliverables.ts';
import { audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import type { Editor } from '#server/records/records.ts';
import { builtInTerms } from './default-terms.ts';

export type TermsNow = DeliverableTerms & { version: number };
type Row = typeof deliverableTerms.$inferSelect;

const termsFrom = (row: Row): TermsNow => ({
  item: row.item as DeliverableItem,
  kind: DELIVERABLES[row.item as DeliverableItem].kind,
  version: row.version,
  dueFrom: row.dueFrom,
  dueDays: row.dueDays,
  ifNot: { es: row.ifNotEs, en: row.ifNotEn },
  offered: row.offered,
});

/** The current terms of every item. */
export async function readTerms(db: Reader): Promise<Map<DeliverableItem, TermsNow>> {
  const rows = await db
    .selectDistinctOn([deliverableTerms.item])
    .from(deliverableTerms)
    .orderBy(deliverableTerms.item, desc(deliverableTerms.version));
  const written = new Map(rows.filter(({ item }) => item in DELIVERABLES).map((row) => [row.item, termsFrom(row)]));
  return new Map(DELIVERABLE_ITEMS.map((item) => [item, written.get(item) ?? builtInTerms(item)]));
}

/** The terms of an item of a plan; every item of a plan has terms. */
export const termsOfItem = (terms: Map<DeliverableItem, TermsNow>, item: DeliverableItem): TermsNow =>
  terms.get(item) ?? builtInTerms(item);

/** The current terms of the plans, and which of them are on sale. */
export async function readPlanTerms(db: Reader) {
  const terms = await readTerms(db);
  return {
    items: [...terms.values()].map(({ version: _, ...one }) => one),
    plans: (Object.keys(PLANS) as Plan[]).map((plan) => {
      const missing = missingItems(terms, plan);
      return { plan, onSale: missing.length === 0, missing };
    }),
  };
}

const missingItems = (terms: Map<DeliverableItem, TermsNow>, plan: Plan): DeliverableItem[] =>
  itemsOfPlan(plan).flatMap(({ item }) => (termsOfItem(terms, item).offered ? [] : [item]));

/** @throws PLAN_OFF_SALE when an item of the plan can't be delivered now. */
export async function refuseOffSale(tx: Tx, plan: Plan): Promise<void> {
  const items = missingItems(await readTerms(tx), plan);
  if (items.length > 0) fail('PLAN_OFF_SALE', { plan, items });
}

const savedBy = sql`coalesce(${forumUsers.username}, ${users.email})`.mapWith(orNull(asText));

const withWriter = (db: Reader) =>
  db
    .select({ row: deliverableTerms, savedBy })
    .from(deliverableTerms)
    .leftJoin(users, eq(users.id, deliverableTerms.createdBy))
    .leftJoin(forumUsers, eq(forumUsers.newAuthUserId, users.id));

const present = (
  { ifNot, ...terms }: TermsNow,
  saved: { at: Date; by: string | null } | null,
): AdminDeliverableTerms => ({
  ...terms,
  ifNotEs: ifNot.es,
  ifNotEn: ifNot.en,
  savedAt: saved?.at.toISOString() ?? null,
  savedBy: saved?.by ?? null,
});

/** The terms of every item with their last editor, in the order of the contract. */
export async function listTerms(db: Reader): Promise<AdminDeliverableTerms[]> {
  const rows = await withWriter(db).orderBy(deliverableTerms.item, desc(deliverableTerms.version));
  return DELIVERABLE_ITEMS.map((item) => {
    const newest = rows.find(({ row }) => row.item === item);
    return newest
      ? present(termsFrom(newest.row), { at: newest.row.createdAt, by: newest.savedBy })
      : present(builtInTerms(item), null);
  });
}

/** All versions of the terms of an item, newest first; the built-in ones come last. */
export async function termsHistory(db: Reader, item: DeliverableItem): Promise<AdminDeliverableTerms[]> {
  const rows = await withWriter(db).where(eq(deliverableTerms.item, item)).orderBy(desc(deliverableTerms.version));
  return [
    ...rows.map(({ row, savedBy: by }) => present(termsFrom(row), { at: row.createdAt, by })),
    present(builtInTerms(item), null),
  ];
}

/**
 * Saves new terms of an item; orders that were paid before retain theirs. Saving equal terms changes nothing.
 *
 * @param seen the version that the editor started from; 0 for the built-in terms.
 * @throws VERSION_CONFLICT
 */
export async function saveTerms(
  db: Db,
  by: Editor,
  seen: { item: DeliverableItem; version: number },
  form: TermsForm,
): Promise<AdminDeliverableTerms> {
  const values = { ...form, ifNotEs: cleanText(form.ifNotEs, 'text'), ifNotEn: cleanText(form.ifNotEn, 'text') };
  return db.transaction(async (tx) => {
    const [before] = await termsHistory(tx, seen.item);
    if (!before || before.version !== seen.version) return conflict(tx, seen.item);
    const old = fieldsOf(before);
    if (JSON.stringify(old) === JSON.stringify(fieldsOf(values))) return before;
    const [row] = await tx
      .insert(deliverableTerms)
      .values({ item: seen.item, version: seen.version + 1, ...values, createdAt: by.now, createdBy: by.actor.id })
      // This version was stored concurrently.
      .onConflictDoNothing()
      .returning();
    if (!row) return conflict(tx, seen.item);
    await publishChange(tx, 'deliverables');
    await audit(tx, by.actor, {
      action: 'deliverable_terms.updated',
      resourceType: 'deliverable_terms',
      resourceId: seen.item,
      before: { version: before.version, ...old },
      after: { version: row.version, ...fieldsOf(values) },
    });
    const [saved] = await termsHistory(tx, seen.item);
    return saved ?? fail('NOT_FOUND', { what: 'deliverable_terms' });
  });
}

const fieldsOf = ({ dueFrom, dueDays, ifNotEs, ifNotEn, offered }: TermsForm): TermsForm => ({
  dueFrom,
  dueDays,
  ifNotEs,
  ifNotEn,
  offered,
});

/** @throws VERSION_CONFLICT with the current terms, and their editor. */
async function conflict(tx: Tx, item: DeliverableItem): Promise<never> {
  const [current] = await termsHistory(tx, item);
  return fail('VERSION_CONFLICT', {
    version: current?.version ?? 0,
    current: current ? { ...fieldsOf(current) } : {},
    by: current?.savedBy ?? null,
    at: current?.savedAt ?? null,
    deleted: false,
  });
}

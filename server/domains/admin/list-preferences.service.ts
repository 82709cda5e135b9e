import { and, eq } from 'drizzle-orm';
import type { StoredList } from '#contract/admin/list-preferences.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { adminLists } from '#server/db/tables/records.ts';

const NOTHING: StoredList = { hidden: [], views: [] };

/** A member's stored settings of a list; the defaults when there are none. */
export async function readList(db: Reader, userId: string, list: string): Promise<StoredList> {
  const [row] = await db
    .select({ hidden: adminLists.hidden, views: adminLists.views })
    .from(adminLists)
    .where(and(eq(adminLists.userId, userId), eq(adminLists.list, list)));
  return row ?? NOTHING;
}

/** Stores the settings of a list; of two tabs the later one wins. Of views with the same name the last is stored. */
export async function saveList(
  db: Db,
  userId: string,
  now: Date,
  { list, hidden, views }: StoredList & { list: string },
): Promise<StoredList> {
  const named = new Map(views.map(({ name, query }) => [cleanText(name, 'line'), query]));
  named.delete('');
  const values = {
    hidden: [...new Set(hidden)],
    views: [...named].map(([name, query]) => ({ name, query })),
    updatedAt: now,
  };
  await db.transaction((tx) =>
    tx
      .insert(adminLists)
      .values({ userId, list, ...values })
      .onConflictDoUpdate({ target: [adminLists.userId, adminLists.list], set: values }),
  );
  return { hidden: values.hidden, views: values.views };
}

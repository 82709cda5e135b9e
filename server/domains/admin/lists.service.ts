import { and, eq } from 'drizzle-orm';
import type { StoredList } from '#contract/admin/lists.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { adminLists } from '#server/db/tables/records.ts';
import { cleanText } from '#server/lib/text/clean-text.ts';

const NOTHING: StoredList = { hidden: [], views: [] };

/** How somebody keeps a list; as it is made, while they chose nothing. */
export async function readList(db: Reader, userId: string, list: string): Promise<StoredList> {
  const [row] = await db
    .select({ hidden: adminLists.hidden, views: adminLists.views })
    .from(adminLists)
    .where(and(eq(adminLists.userId, userId), eq(adminLists.list, list)));
  return row ?? NOTHING;
}

/** Keeps it; of two tabs the later one counts. Of views of one name the last stays. */
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

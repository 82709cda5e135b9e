import type { Db } from '#server/db/client.ts';
import { auditEvents } from '#server/db/tables/audit.ts';
import { seedForum } from './forum.ts';
import { seedMarket } from './market.ts';
import { MEMBER_NAMES, seedMembers } from './members.ts';
import { seedNews } from './news.ts';
import { seedNext } from './next.ts';
import { seedShowcase } from './showcase.ts';
import { seedVoting } from './voting.ts';

/**
 * Fills a freshly migrated database with demo content, in one transaction. The content is invented and always the same; only the
 * dates depend on `now`. Call it on an empty database only: on any other it fails and changes nothing.
 */
export async function seedDemo(db: Db, now: Date): Promise<void> {
  await db.transaction(
    async (tx) => {
      await seedMembers(tx, now);
      await seedShowcase(tx, now);
      await seedVoting(tx, now);
      await seedNext(tx, now);
      await seedMarket(tx, now);
      await seedNews(tx, now);
      await seedForum(tx, now);
      await tx.insert(auditEvents).values({
        action: 'demo.seeded',
        resourceType: 'system',
        actorRole: 'system',
        after: { members: MEMBER_NAMES.length },
      });
      // An empty database has no concurrent users, and a first start may be slow.
    },
    { work: 'migration' },
  );
}

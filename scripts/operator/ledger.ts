import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { proveLedger } from '#server/db/installation.ts';
import { ledgerLog } from '#server/db/tables/ledger.ts';
import { continues, ownCheckpoint, seenInFile } from '#server/domains/ledger/continuity.service.ts';
import { LEDGER_SEEN } from '#server/domains/ledger/open.ts';
import { audit } from '#server/lib/audit.ts';
import { StartError } from '#server/lib/errors/start-error.ts';
import { OPERATOR, withDatabase } from './database.ts';

/**
 * Says which checkpoint of the ledger was the last that was published, in an installation that does not know it: after a
 * restore into a new place. The site signs from then on what continues it.
 *
 * @param word a file with that checkpoint (of the former storage, `<site>/ledger/checkpoint` as somebody kept it, or of the
 *   witness), or `--nothing-newer`: the database has the last one itself.
 * @returns false when the database does not continue it: nothing may be signed then.
 * @throws StartError for what is no checkpoint of this ledger.
 */
export async function acceptLedger(word: string): Promise<boolean> {
  return withDatabase(async ({ env, db, pool }) => {
    const [log] = await db.select().from(ledgerLog);
    if (!log) throw new StartError('This database has no ledger yet: there is nothing to accept.');
    const text = word === '--nothing-newer' ? log.checkpoint : await readFile(word, 'utf8').catch(() => null);
    const known = await ownCheckpoint(text, log);
    if (!text || !known)
      throw new StartError(
        word === '--nothing-newer'
          ? 'This database has published no ledger yet: there is nothing to accept.'
          : `${word} is not a checkpoint signed with the key of ${log.origin}.`,
      );
    if (!(await continues(db, log, known))) {
      console.error(
        `The database has ${log.size} leaves and does not continue this checkpoint of ${known.size}: nothing may be signed under ${log.origin} any more.`,
      );
      return false;
    }
    await seenInFile(path.join(env.DATA_DIR, LEDGER_SEEN)).write(text);
    await proveLedger(pool);
    const at = { resourceId: String(known.size) };
    await db.transaction((tx) => audit(tx, OPERATOR, { action: 'ledger.continued', resourceType: 'system', ...at }));
    console.log(
      `The ledger continues after ${known.size} leaves; a verifier that stored a later checkpoint will report a fork.`,
    );
    return true;
  });
}

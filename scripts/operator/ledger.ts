import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { proveLedger } from '#server/db/installation.ts';
import { ledgerLog } from '#server/db/tables/ledger.ts';
import {
  comparePast,
  continues,
  ownCheckpoint,
  seenInFile,
  storedCheckpoint,
} from '#server/domains/ledger/continuity.service.ts';
import { LEDGER_SEEN } from '#server/domains/ledger/open.ts';
import { audit } from '#server/lib/audit.ts';
import { StartError } from '#server/lib/errors/start-error.ts';
import { openStorage } from '#server/providers/storage/open.ts';
import { StorageError } from '#server/providers/storage/port.ts';
import { OPERATOR, statementsOf, withDatabase } from './database.ts';

/**
 * Says which checkpoint of the ledger was the last that was published, in an installation that does not know it: after a
 * restore into a new place. The site signs from then on what continues it.
 *
 * @param word a file with that checkpoint (of the former storage, `<site>/ledger/checkpoint` as somebody kept it, or of the
 *   witness), or `--nothing-newer`: the database has the last one itself.
 * @returns false when the database does not continue it, or one in `DATA_DIR` or the storage: nothing may be signed then.
 * @throws StartError for what is no checkpoint of this ledger, and when the storage does not respond.
 */
export async function acceptLedger(word: string): Promise<boolean> {
  return withDatabase(async ({ env, db }) => {
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
    const seen = seenInFile(path.join(env.DATA_DIR, LEDGER_SEEN));
    const stored = await storedCheckpoint(await openStorage(env)).catch((cause: unknown) => {
      if (!(cause instanceof StorageError)) throw cause;
      throw new StartError(`The storage with the ledger's checkpoint was not read: ${cause.message}`, { cause });
    });
    // They may be the last records of what was published: a statement to the contrary must not replace them.
    if ((await comparePast(db, log, [await seen.read(), stored])) === 'rolled-back') {
      console.error(
        `DATA_DIR/${LEDGER_SEEN} or the storage has a checkpoint that the database does not continue: nothing may be signed under ${log.origin} any more.`,
      );
      return false;
    }
    await seen.write(text);
    const at = { resourceId: String(known.size) };
    await db.transaction(async (tx) => {
      await proveLedger(statementsOf(tx));
      await audit(tx, OPERATOR, { action: 'ledger.continued', resourceType: 'system', ...at });
    });
    console.log(
      `The ledger continues after ${known.size} leaves; a verifier that stored a later checkpoint will report a fork.`,
    );
    return true;
  });
}

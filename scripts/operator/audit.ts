import path from 'node:path';
import type pg from 'pg';
import type { Db } from '#server/db/client.ts';
import { ledgerLog } from '#server/db/tables/ledger.ts';
import { readAnchors } from '#server/domains/ledger/audit-anchors.service.ts';
import { comparePast, seenInFile, storedCheckpoint } from '#server/domains/ledger/continuity.service.ts';
import { LEDGER_SEEN } from '#server/domains/ledger/open.ts';
import type { Env } from '#server/env.ts';
import { StartError } from '#server/lib/errors/start-error.ts';
import { openStorage } from '#server/providers/storage/open.ts';
import { withDatabase } from './database.ts';
import { readAuditEnd, readBroken, readContradictions } from './installation.sql.ts';

/** Every offset from UTC that a time zone can have, as PostgreSQL writes it; the small ones first. */
const OFFSETS = Array.from({ length: (12 + 14) * 4 + 1 }, (_, at) => at * 15 - 12 * 60)
  .sort((a, b) => Math.abs(a) - Math.abs(b))
  .map((minutes) => {
    const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
    return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
  });

/** The first entry that is not as it was written, or does not follow the one before it. */
export async function firstBroken(client: pg.ClientBase): Promise<{ id: string; linked: boolean } | undefined> {
  const [first] = await readBroken(client, { offsets: OFFSETS });
  return first;
}

/** The first entry that a file notes and that is not there, or not as it was; null when all are. */
async function firstContradicted(client: pg.ClientBase, file: string): Promise<number | null> {
  const { anchors, torn } = await readAnchors(file).catch((error: Error) => {
    throw new StartError(`AUDIT_ANCHOR_FILE can't be read: ${error.message}.`);
  });
  for (const line of torn)
    console.log(`Line ${line} of ${file} is incomplete, as a crash while it was written leaves it: it notes no entry.`);
  for (const { entry, hash } of anchors) {
    const { rows } = await client.query(`select 1 from audit_events where id = $1 and hash = decode($2, 'hex')`, [
      entry,
      hash,
    ]);
    if (rows.length === 0) return entry;
  }
  return null;
}

/** Whether the ledger in the database continues what was published: its leaves note the audit log. */
async function continuesPublished(db: Db, env: Env): Promise<boolean> {
  const [log] = await db.select().from(ledgerLog);
  if (!log) return true;
  const storage = await openStorage(env);
  try {
    const seen = await seenInFile(path.join(env.DATA_DIR, LEDGER_SEEN)).read();
    return (await comparePast(db, log, [seen, await storedCheckpoint(storage)])) !== 'rolled-back';
  } finally {
    storage.close();
  }
}

/**
 * Says whether the audit log is as it was written; names the first entry that is not. Beside its own chain it is compared with
 * what left the database: the ledger's leaves and published checkpoint, and the notes in AUDIT_ANCHOR_FILE.
 *
 * @param noted `id:hash` of an entry, from the server's log or an earlier run: without it the check cannot detect that the end
 * was cut off, or everything written again.
 * @throws StartError when it is not of that form.
 */
export async function verifyAudit(noted?: string): Promise<boolean> {
  const anchor = noted === undefined ? null : /^(\d{1,18}):([0-9a-f]{64})$/.exec(noted);
  if (noted !== undefined && !anchor) throw new StartError(`${noted} is not the id:hash of an entry.`);
  return withDatabase(async ({ pool, db, env }) => {
    const client = await pool.connect();
    try {
      const [total] = await readAuditEnd(client, {});
      const first = await firstBroken(client);
      if (first) {
        console.error(
          `The audit log was changed: entry ${first.id} ${first.linked ? 'does not match its hash' : 'does not follow the entry before it'}.`,
        );
        return false;
      }
      if (anchor) {
        const { rows } = await client.query(
          `select 1 from audit_events where id = $1 and hash = decode($2, 'hex')`,
          anchor.slice(1, 3),
        );
        if (rows.length === 0) {
          console.error(`The audit log was changed: entry ${anchor[1]} is missing, or its hash is not the given one.`);
          return false;
        }
      }
      const [contradiction] = await readContradictions(client, {});
      if (contradiction) {
        console.error(
          `The audit log was changed: leaf ${contradiction.leaf} of the ledger names entry ${contradiction.entry}, which is missing or was changed.`,
        );
        return false;
      }
      const lost = env.AUDIT_ANCHOR_FILE ? await firstContradicted(client, env.AUDIT_ANCHOR_FILE) : null;
      if (lost !== null) {
        console.error(
          `The audit log was changed, or restored from before it: entry ${lost} is missing, or its hash is not the one in ${env.AUDIT_ANCHOR_FILE}.`,
        );
        return false;
      }
      if (!(await continuesPublished(db, env))) {
        console.error(
          'The ledger of votes, which contains hashes of the audit log, does not continue its published checkpoint.',
        );
        return false;
      }
      console.log(`The audit log is intact: ${total?.n} entries, the newest is ${total?.newest ?? 'none'}.`);
      if (total?.hash) console.log(`To be stored elsewhere: ${total.newest}:${total.hash}`);
      return true;
    } finally {
      client.release();
    }
  });
}

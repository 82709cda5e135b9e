import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase, QueryConfig } from 'pg';
import { type Statement, statementsOf } from './statements.ts';

/** Attempts of one statement that did not get its lock within the lock timeout, and the delay between two. */
const MAX_ATTEMPTS = 30;
const DELAY_MS = 1_000;
/** Temporary errors: lock timeout, deadlock. */
const PASSING = ['55P03', '40P01'];

/** True when the head declares that it runs statement by statement, each in its own transaction, during writes. */
export const isOnline = (sql: string): boolean => /^-- Mode: online\b/m.test(sql);

const CONCURRENT_INDEX = /^create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?"?(\w+)"?/i;
/** These statements wait for others without blocking any: no lock timeout. */
const WAITS_ALONE = /\bindex\s+concurrently\b/i;

/**
 * Retries what failed because of a lock.
 *
 * @throws the last error after 30 attempts, and every other error immediately.
 */
export async function retryWhileLocked<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !PASSING.includes((error as { code?: string }).code ?? '')) throw error;
      await sleep(DELAY_MS);
    }
  }
}

/**
 * Runs a migration that may not hold a lock for long: each statement commits separately, so that none waits for the end of another
 * one. After an interruption it runs again from the beginning at the next start, so every statement has to be repeatable. Comments
 * before a statement control it:
 * - `-- If: <condition>`: only where this SQL condition is true.
 * - `-- Batch`: repeated until it changes no row; it limits its rows itself.
 *
 * @param timeoutMs timeout of one statement, in milliseconds.
 */
export async function runOnline(client: ClientBase, sql: string, timeoutMs: number): Promise<void> {
  for (const statement of statementsOf(sql)) {
    const condition = noteOf(statement, 'If:');
    if (condition !== undefined) {
      const { rowCount } = await client.query(`select 1 where (${condition})`);
      if (!rowCount) continue;
    }
    await dropInvalid(client, statement.text);
    const batch = noteOf(statement, 'Batch') !== undefined;
    while ((await run(client, statement.text, timeoutMs)) > 0 && batch);
  }
}

/** The rest of a comment that starts with a keyword; undefined without one. */
const noteOf = ({ notes }: Statement, word: string): string | undefined =>
  notes
    .find((note) => note.startsWith(word))
    ?.slice(word.length)
    .trim();

async function run(client: ClientBase, text: string, timeoutMs: number): Promise<number> {
  const statement: QueryConfig & { query_timeout: number } = { text, query_timeout: timeoutMs };
  if (!WAITS_ALONE.test(text)) return retryWhileLocked(async () => (await client.query(statement)).rowCount ?? 0);
  await client.query('set lock_timeout = 0');
  try {
    await retryWhileLocked(async () => {
      await dropInvalid(client, text);
      await client.query(statement);
    });
  } finally {
    await client.query("set lock_timeout = '2s'");
  }
  return 0;
}

/** An interrupted index creation leaves an invalid index, whose name is taken. */
async function dropInvalid(client: ClientBase, text: string): Promise<void> {
  const name = CONCURRENT_INDEX.exec(text)?.[1];
  if (!name) return;
  const { rows } = await client.query('select 1 from pg_index where indexrelid = to_regclass($1) and not indisvalid', [
    name,
  ]);
  if (rows.length > 0) await client.query(`drop index concurrently if exists "${name}"`);
}

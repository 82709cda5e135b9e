/**
 * A process of writers for figure n: each makes one small change after the other, through the product's own transactions.
 * Prints 'ready', begins at a line on standard input, and prints the number of committed changes. Settings are in BENCH_WRITER.
 */
import { once } from 'node:events';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { openDb, openPool } from '#server/db/client.ts';
import { audit } from '#server/lib/audit.ts';

/** Plain values, because it crosses a process border. */
export interface WriterSettings {
  config: pg.ClientConfig;
  audited: boolean;
  /** Concurrent changes. */
  writers: number;
  seconds: number;
}

const settings = JSON.parse(process.env['BENCH_WRITER'] ?? '{}') as WriterSettings;
const pool = openPool({ ...settings.config, max: settings.writers });
const db = openDb(pool);
const ACTOR = { id: null, role: 'system', ipHash: null, requestId: null } as const;

async function change(): Promise<void> {
  await db.transaction(async (tx) => {
    const { rows } = await tx.execute(sql`insert into bench_changes (words) values ('Some words') returning id`);
    if (settings.audited)
      await audit(tx, ACTOR, {
        action: 'list.exported',
        resourceType: 'list',
        resourceId: String(rows[0]?.['id']),
        after: { reason: 'Some words' },
      });
  });
}

// Each connection is opened before the time begins.
await Promise.all(Array.from({ length: settings.writers }, change));
console.log('ready');
await once(process.stdin, 'data');
const end = performance.now() + settings.seconds * 1_000;
let committed = 0;
await Promise.all(
  Array.from({ length: settings.writers }, async () => {
    while (performance.now() < end) {
      await change();
      committed++;
    }
  }),
);
console.log(committed);
await pool.end();
process.stdin.destroy();

/**
 * The writer of the ledger as a process of its own, to be killed: `node tests/support/ledger/ledger-process.ts` with its settings in
 * LEDGER_PROCESS. Writes repeatedly; reports on standard output when it begins.
 */
import path from 'node:path';
import type pg from 'pg';
import { pino } from 'pino';
import { openDb, openPool } from '#server/db/client.ts';
import { seenInFile } from '#server/domains/ledger/continuity.service.ts';
import { createLedgerService } from '#server/domains/ledger/ledger.service.ts';
import { localStorage } from '#server/providers/storage/local.ts';

/** What the process needs to know; plain values, because it crosses a process border. */
export interface LedgerProcess {
  config: pg.ClientConfig;
  folder: string;
}

const { config, folder } = JSON.parse(process.env['LEDGER_PROCESS'] ?? '{}') as LedgerProcess;
const ledger = createLedgerService({
  db: openDb(openPool({ ...config, max: 3 })),
  config,
  storage: localStorage(path.join(folder, 'storage')),
  seed: new Uint8Array(32).fill(9),
  publicUrl: 'http://florka.test',
  witness: null,
  seen: seenInFile(path.join(folder, 'ledger-seen')),
  now: () => new Date(),
  log: pino({ level: 'silent' }),
});
console.log('writing');
for (;;) await ledger.run();

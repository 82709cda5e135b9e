// The writer of the ledger is killed at any point: between statements, between files, or by SIGKILL at a random moment.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { openDb } from '#server/db/client.ts';
import { localStorage } from '#server/providers/storage/local.ts';
import type { Storage } from '#server/providers/storage/port.ts';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { crashingPool } from '#tests/support/database/crashing-pool.ts';
import type { LedgerProcess } from '#tests/support/ledger/ledger-process.ts';
import { randomOf } from '#tests/support/ledger/test-ledger.ts';
import { bundlePath, decodeBundle, tilesOf } from '#verify/layout.ts';
import { type Memory, verifyLedger } from '#verify/log.ts';
import { nodeSha256, openSource } from '#verify/sources.ts';
import { seenInFile } from './continuity.service.ts';
import { createLedgerService } from './ledger.service.ts';

const KILLS = 12;

const app = await startTestApp();
const folder = mkdtempSync(path.join(os.tmpdir(), 'florka-crash-'));
const files = path.join(folder, 'storage/files/ledger');
const random = randomOf(14);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const candidates = [await app.candidate(), await app.candidate()];
const people = await app.members(400);
let cast = 0;
async function vote(count: number) {
  for (let n = 0; n < count; n++, cast++) {
    const person = people[Math.floor(cast / candidates.length)];
    const candidate = candidates[cast % candidates.length];
    if (!person || !candidate) throw new Error('too few members');
    await app.as(person).voting.cast({ candidateId: candidate.id });
  }
}

interface Place {
  db?: ReturnType<typeof openDb>;
  storage?: Storage;
  step?: () => Promise<void>;
}
/** A writer that just started. */
function open({ db = app.services.db, storage = localStorage(path.join(folder, 'storage')), step }: Place = {}) {
  const file = seenInFile(path.join(folder, 'ledger-seen'));
  return createLedgerService({
    db,
    config: app.config,
    storage,
    seed: new Uint8Array(32).fill(9),
    publicUrl: 'http://florka.test',
    witness: null,
    seen: {
      read: file.read,
      async write(text) {
        await step?.();
        await file.write(text);
        await step?.();
      },
    },
    now: () => new Date(),
    log: pino({ level: 'silent' }),
  });
}

let memory: Memory | null = null;
/** Every vote is there once, files and database agree, and earlier checkpoints are prefixes. */
async function isWhole() {
  for (let more = true; more; ) {
    const run = await open().run();
    // The lock of the killed writer may persist for a moment.
    if (run === null) await pause(20);
    else expect(run.halted).toBeNull();
    more = run?.more ?? true;
  }
  const report = await verifyLedger({ source: openSource(files), hash: nodeSha256, memory });
  expect(report.problems).toEqual([]);
  memory = report.memory;
  expect(report.votes).toEqual({ counted: cast, under_review: 0, void: 0, withdrawn: 0 });
  expect(await app.sql('select 1 from vote_changes')).toEqual([]);
  const rows = await app.sql<{ entry: string }>('select entry from ledger_leaves order by seq');
  const written = [...tilesOf(0, report.size)].flatMap(
    ({ index, width }) => decodeBundle(readFileSync(path.join(files, bundlePath(index, width)))) ?? [],
  );
  expect(written.map((entry) => Buffer.from(entry).toString())).toEqual(rows.map((row) => row.entry));
  const [log] = await app.sql<{ same: boolean; checkpoint: string }>(
    'select size = published_size as same, checkpoint from ledger_log',
  );
  expect(log).toEqual({ same: true, checkpoint: readFileSync(path.join(files, 'checkpoint'), 'utf8') });
  expect(readFileSync(path.join(folder, 'ledger-seen'), 'utf8')).toBe(log?.checkpoint);
  return report;
}

/** A writer that stops at its `at`th step, before or after its effect, and does nothing from then on. */
function crashing(at: number, when: 'before' | 'after') {
  const { pool, step } = crashingPool(app.config, at, when);
  const disk = localStorage(path.join(folder, 'storage'));
  const storage: Storage = {
    ...disk,
    async write(file, bytes, type) {
      await step();
      await disk.write(file, bytes, type);
      await step();
    },
  };
  const run = async (): Promise<'crashed' | 'done'> => {
    try {
      await open({ db: openDb(pool), storage, step }).run();
      return 'done';
    } catch {
      return 'crashed';
    } finally {
      await pool.end().catch(() => {});
    }
  };
  return { run };
}

describe('the writer of the ledger', () => {
  it.each(['before', 'after'] as const)(
    'leaves a whole ledger after a crash at any step, %s its effect',
    async (when) => {
      let places = 0;
      for (let at = 0; ; at++) {
        await vote(1);
        const end = await crashing(at, when).run();
        await isWhole();
        if (end === 'done') break;
        places++;
      }
      // Statements of the run and of its transactions, and files, each before and after.
      expect(places).toBeGreaterThan(20);
    },
    600_000,
  );

  it(`leaves a whole ledger after SIGKILL at a random moment, ${KILLS} times`, async () => {
    const settings: LedgerProcess = { config: app.config, folder };
    let working = 0;
    // Until it was killed as often as intended, and at least once during its work: a busy machine needs longer.
    for (let n = 0; n < KILLS || (working === 0 && n < 5 * KILLS); n++) {
      const child = spawn(process.execPath, ['tests/support/ledger/ledger-process.ts'], {
        env: { ...process.env, LEDGER_PROCESS: JSON.stringify(settings) },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const gone = once(child, 'exit');
      await once(child.stdout, 'data');
      const { size } = await open().state();
      const voting = vote(6);
      await pause(random() * 250 * (1 + n / 4));
      child.kill('SIGKILL');
      expect((await gone)[1]).toBe('SIGKILL');
      await voting;
      if ((await open().state()).size > size) working++;
      await isWhole();
    }
    expect(working).toBeGreaterThan(0);
  }, 600_000);
});

import type pg from 'pg';
import type { Logger } from 'pino';
import { RECEIPTS_SHOWN } from '#contract/limits.ts';
import { withAdvisoryLock } from '#server/db/advisory-lock.ts';
import type { Db } from '#server/db/client.ts';
import { generalReason } from '#server/domains/voting/own-votes.service.ts';
import { createLoadThrottle, type LoadThrottle } from '#server/lib/concurrency/load-throttle.ts';
import { StartError } from '#server/lib/errors/start-error.ts';
import type { Storage } from '#server/providers/storage/port.ts';
import { appendBatch, BATCH, type LogRow, readLog, SMALL_BATCH } from './append.service.ts';
import { appendNewestAnchor } from './audit-anchors.service.ts';
import { comparePast, type SeenCheckpoint, storedCheckpoint, witnessedCheckpoint } from './continuity.service.ts';
import { openFile } from './files.service.ts';
import { openSigningKey } from './key.ts';
import type { LedgerRun, LedgerService } from './ledger.port.ts';
import { readDue, readVoteSigned, readVotesOf } from './ledger.sql.ts';
import { publish, repairFiles } from './publish.service.ts';
import { readState, receiptOf } from './state.service.ts';
import { COSIGNATURE_REFRESH_MS, requestCosignature, type Witness } from './witness-client.ts';

/** After a failure, the batch size is divided by this, down to the minimum. */
const LESS = 5;
const MIN_BATCH = 100;
/** Batches between two checkpoints: the remaining changes wait for the next run. */
const MAX_BATCHES = 20;
/** Share of the time while many members vote: for their own changes, and for votes from before the ledger, which are not urgent. */
const SHARE = { changes: 0.3, older: 0.1 };
/** The same failure is logged once per interval. Milliseconds. */
const LOG_INTERVAL_MS = 10 * 60_000;

interface Parts {
  db: Db;
  /** Connection for the lock. */
  config: pg.ClientConfig;
  storage: Storage;
  /** 32 bytes: the Ed25519 key of the log. */
  seed: Uint8Array;
  publicUrl: string;
  witness: Witness | null;
  /** The reason when this installation is paused, or was restored without a record of the published checkpoints. */
  mayNotSign?: (() => Promise<'paused' | 'unknown-past' | null>) | undefined;
  /** Where this installation records its signed checkpoints; null: in the storage only. */
  seen: SeenCheckpoint | null;
  /** File to which the audit log is anchored every hour. */
  anchorFile?: string | null;
  now: () => Date;
  /** Throttles the ledger in favour of voting; omitted for no throttling. */
  throttle?: LoadThrottle | undefined;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

export function createLedgerService(parts: Parts): LedgerService {
  const { db, storage, witness, seen, throttle = createLoadThrottle() } = parts;
  const key = openSigningKey(parts.seed);
  const origin = `${parts.publicUrl.replace(/^https?:\/\//, '').replace(/\/$/, '')}/ledger`;
  const cosign = witness ? cosignerOf(parts, witness) : null;
  const readPast = witness ? pastReaderOf(parts, witness) : async () => null;
  let repaired = false;
  /** Reduced after a failure: a machine that is too slow for a batch would exceed the transaction timeout every time. */
  let largest = BATCH;
  /** The reason why the last run of this process signed nothing. */
  let halted: LedgerRun['halted'] = null;
  const complain = complainer(parts.log);

  /**
   * Compares the database with the recorded checkpoints before appending and before each signature, because it may be restored to
   * an older state at any time.
   */
  async function compare(log: LogRow): Promise<LedgerRun['halted']> {
    const refused = await parts.mayNotSign?.();
    if (refused) return refused;
    if (!Buffer.from(key.publicKey).equals(log.publicKey)) return 'other-key';
    const notes = [(await seen?.read()) ?? null, await storedCheckpoint(storage), await readPast(log)];
    return comparePast(db, log, notes);
  }

  async function work(): Promise<LedgerRun> {
    let log = await readLog(db, origin, key);
    const halt = () => {
      if (halted !== 'paused') complain(`the ledger is not signed: ${halted}`, { size: log.size });
      return { appended: 0, size: log.size, more: false, halted };
    };
    halted = await compare(log);
    if (halted) return halt();
    if (!repaired) {
      const count = await repairFiles(db, storage, log);
      if (count > 0)
        parts.log.warn({ repaired: count }, 'files of the ledger were missing in the storage and were written again');
      repaired = true;
    }
    let appended = 0;
    let more = true;
    for (let batches = 0; more && batches < MAX_BATCHES; batches++) {
      const began = performance.now();
      const size = Math.min(largest, throttle.underLoad ? SMALL_BATCH : BATCH);
      const batch = await appendBatch(db, { origin: log.origin, key, batch: size }).catch((error: unknown) => {
        largest = Math.max(MIN_BATCH, Math.floor(size / LESS));
        throw error;
      });
      largest = Math.min(BATCH, largest * 2);
      appended += batch.appended;
      more = batch.more;
      await throttle.yieldToTraffic(performance.now() - began, batch.older ? SHARE.older : SHARE.changes);
    }
    log = await readLog(db, origin, key);
    if (log.checkpoint === null || log.publishedSize < log.size) {
      halted = await compare(log);
      if (halted) return halt();
      await publish({ db, storage, key, seen }, log);
    }
    await cosign?.();
    return { appended, size: log.size, more, halted: null };
  }

  return {
    async run() {
      try {
        return await withAdvisoryLock(parts.config, 'ledger', work, 0);
      } catch (error) {
        // Another process holds the lock.
        if (error instanceof StartError && error.message.includes('database lock "ledger" for')) return null;
        throw error;
      }
    },
    writeAuditAnchor: async () => (parts.anchorFile ? appendNewestAnchor(db, parts.anchorFile, parts.now()) : false),
    open: (path) => openFile(parts, path),
    state: () => readState({ ...parts, halted: halted === 'paused' ? null : halted }),
    async votesOf(userId, olderThan = null) {
      const { day = null, id = null } = olderThan ?? {};
      const rows = await readVotesOf(db, { userId, day, id, max: RECEIPTS_SHOWN });
      return rows.map((row) => ({ ...row, reason: row.state === 'counted' ? null : generalReason(row.reason) }));
    },
    isSigned: async (voteId) => (await readVoteSigned(db, { voteId }))[0]?.signed ?? false,
    receiptOf: (userId, voteId) => receiptOf(db, userId, voteId),
  };
}

/** Logs a repeated failure once per interval. */
function complainer(log: Parts['log']): (text: string, about: object) => void {
  const loggedAt = new Map<string, number>();
  return (text, about) => {
    if (performance.now() - (loggedAt.get(text) ?? Number.NEGATIVE_INFINITY) < LOG_INTERVAL_MS) return;
    loggedAt.set(text, performance.now());
    log.error(about, text);
  };
}

/** Requests the witness's last checkpoint once a minute; while it does not respond, the previous response is used. */
function pastReaderOf({ log: logger, now }: Parts, witness: Witness): (log: LogRow) => Promise<string | null> {
  let note: string | null = null;
  let requestedAt = Number.NEGATIVE_INFINITY;
  let silent = false;
  return async (log) => {
    if (now().getTime() - requestedAt < COSIGNATURE_REFRESH_MS) return note;
    requestedAt = now().getTime();
    try {
      note = await witnessedCheckpoint(witness, log.origin);
      silent = false;
    } catch (error) {
      if (!silent)
        logger.warn({ err: error, witness: witness.key.name }, 'the witness of the ledger did not say what it saw');
      silent = true;
    }
    return note;
  };
}

function cosignerOf({ db, log, now }: Parts, witness: Witness): () => Promise<void> {
  let failing = false;
  return async () => {
    const before = new Date(now().getTime() - COSIGNATURE_REFRESH_MS);
    const [state] = await readDue(db, { witness: witness.key.name, before });
    if (!state?.due) return;
    try {
      await requestCosignature(db, witness, state);
      failing = false;
    } catch (error) {
      if (!failing) log.warn({ err: error, witness: witness.key.name }, 'the witness of the ledger did not sign');
      failing = true;
    }
  };
}

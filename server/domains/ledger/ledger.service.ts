import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { LedgerState, MyVotes } from '#contract/ledger.ts';
import { RECEIPTS_SHOWN } from '#contract/limits.ts';
import { withAdvisoryLock } from '#server/db/advisory-lock.ts';
import type { Db } from '#server/db/client.ts';
import { createPace, type Pace } from '#server/lib/pace.ts';
import { StartError } from '#server/lib/start-error.ts';
import type { Storage } from '#server/providers/storage/port.ts';
import { toBase64 } from '#verify/bytes.ts';
import { parsePath } from '#verify/layout.ts';
import { formatKey, parseCheckpoint, parseNote } from '#verify/note.ts';
import { formatReceipt } from '#verify/receipt.ts';
import { nodeSha256 } from '#verify/sources.ts';
import { inclusionProof } from '#verify/tree.ts';
import { appendBatch, BATCH, type LogRow, readLog, SMALL_BATCH } from './append.service.ts';
import { noteNewestEntry } from './audit-anchors.service.ts';
import { openSigningKey, verifierKeyOf } from './key.ts';
import type { LedgerFile, LedgerRun, LedgerService } from './ledger.port.ts';
import { continuesStored, makePart, publish, readStored, repairFiles } from './publish.service.ts';
import { hashesIn } from './tree-store.ts';
import { askWitness, RESIGN_AFTER, type Witness } from './witness-client.ts';

const BYTES = 'application/octet-stream';
const TEXT = 'text/plain; charset=utf-8';
/** A witness that signed within this time is there. Milliseconds. */
const RECENT = 10 * 60_000;
/** Batches between two checkpoints: what waits behind them stays for the next run. */
const MAX_BATCHES = 20;
/**
 * While many members vote: the share of the time for their own changes, and for votes from before the ledger, which nobody
 * waits for.
 */
const SHARE = { changes: 0.3, older: 0.1 };
/** Results whose addresses the page lists. */
const RESULTS_SHOWN = 30;
/** The same failure is logged once in this time. Milliseconds. */
const QUIET = 10 * 60_000;

interface Parts {
  db: Db;
  /** For the lock. */
  config: pg.ClientConfig;
  storage: Storage;
  /** 32 bytes: the Ed25519 key of the log. */
  seed: Uint8Array;
  publicUrl: string;
  witness: Witness | null;
  /** Whether this installation is paused, or never said that it continues what was published. */
  mayNotSign: () => Promise<'paused' | 'unproven' | null>;
  /** Where the audit log is noted every hour. */
  anchorFile?: string | null;
  now: () => Date;
  /** Makes room for members who vote; left out, nobody has to wait for. */
  pace?: Pace | undefined;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

export function createLedgerService(parts: Parts): LedgerService {
  const { db, storage, witness, pace = createPace() } = parts;
  const key = openSigningKey(parts.seed);
  const origin = `${parts.publicUrl.replace(/^https?:\/\//, '').replace(/\/$/, '')}/ledger`;
  const ask = witness ? witnessAsker(parts, witness) : null;
  let checked = false;
  const complained = new Map<string, number>();
  const complain = (text: string, about: object = {}) => {
    if (performance.now() - (complained.get(text) ?? Number.NEGATIVE_INFINITY) < QUIET) return;
    complained.set(text, performance.now());
    parts.log.error(about, text);
  };

  async function haltedBy(log: LogRow): Promise<LedgerRun['halted']> {
    const refused = await parts.mayNotSign();
    if (refused) return refused;
    if (!Buffer.from(key.publicKey).equals(log.public_key)) return 'other-key';
    // Each time: a database may be set back under a process that runs, by a server that takes over and lags behind.
    if (!(await continuesStored(db, storage, log))) return 'rolled-back';
    if (checked) return null;
    const repaired = await repairFiles(db, storage, log);
    if (repaired > 0)
      parts.log.warn({ repaired }, 'files of the ledger were missing in the storage and were written again');
    checked = true;
    return null;
  }

  async function work(): Promise<LedgerRun> {
    let log = await readLog(db, origin, key);
    const halted = await haltedBy(log);
    if (halted === 'paused') return { appended: 0, size: log.size, more: false, halted };
    if (halted) {
      complain(`the ledger is not signed: ${halted}`, { size: log.size });
      return { appended: 0, size: log.size, more: false, halted };
    }
    let appended = 0;
    let more = true;
    for (let batches = 0; more && batches < MAX_BATCHES; batches++) {
      const began = performance.now();
      const batch = await appendBatch(db, { origin: log.origin, key, batch: pace.rushed ? SMALL_BATCH : BATCH });
      appended += batch.appended;
      more = batch.more;
      await pace.rest(performance.now() - began, batch.older ? SHARE.older : SHARE.changes);
    }
    log = await readLog(db, origin, key);
    if (log.checkpoint === null || log.published_size < log.size) await publish(db, storage, log, key);
    await ask?.();
    return { appended, size: log.size, more, halted: null };
  }

  return {
    async run() {
      try {
        return await withAdvisoryLock(parts.config, 'ledger', work, 0);
      } catch (error) {
        // Somebody else is at it.
        if (error instanceof StartError && error.message.includes('database lock "ledger" for')) return null;
        throw error;
      }
    },
    noteAudit: async () => (parts.anchorFile ? noteNewestEntry(db, parts.anchorFile, parts.now()) : false),
    open: (path) => openFile(parts, path),
    state: () => readState(parts),
    votesOf: (userId) => votesOf(db, userId),
    receiptOf: (userId, voteId) => receiptOf(db, userId, voteId),
  };
}

function witnessAsker({ db, log, now }: Parts, witness: Witness): () => Promise<void> {
  let failing = false;
  return async () => {
    const { rows } = await db.execute<{ size: string; checkpoint: string; due: boolean }>(sql`
      select l.published_size as size, l.checkpoint,
        c.witness is null or c.size <> l.published_size or c.signed_at < ${new Date(now().getTime() - RESIGN_AFTER).toISOString()} as due
      from ledger_log l left join ledger_cosignatures c on c.witness = ${witness.key.name} where l.checkpoint is not null`);
    const state = rows[0];
    if (!state?.due) return;
    try {
      await askWitness(db, witness, { size: Number(state.size), checkpoint: state.checkpoint });
      failing = false;
    } catch (error) {
      if (!failing) log.warn({ err: error, witness: witness.key.name }, 'the witness of the ledger did not sign');
      failing = true;
    }
  };
}

/** The checkpoint with what witnesses said of this very tree. */
async function signedCheckpoint(db: Db): Promise<{ size: number; checkpoint: string } | null> {
  const { rows } = await db.execute<{ size: string; checkpoint: string | null; lines: string[] | null }>(sql`
    select published_size as size, checkpoint,
      (select array_agg(line order by witness) from ledger_cosignatures c where c.size = l.published_size) as lines
    from ledger_log l`);
  const row = rows[0];
  if (!row?.checkpoint) return null;
  return { size: Number(row.size), checkpoint: row.checkpoint + (row.lines ?? []).map((line) => `${line}\n`).join('') };
}

async function openFile({ db, storage }: Parts, path: string): Promise<LedgerFile | null> {
  if (path === 'checkpoint') {
    const signed = await signedCheckpoint(db);
    return signed && { bytes: Buffer.from(signed.checkpoint), type: TEXT, immutable: false };
  }
  if (path === 'key') {
    const { rows } = await db.execute<{ origin: string; public_key: Buffer }>(
      sql`select origin, public_key from ledger_log`,
    );
    const row = rows[0];
    return row
      ? {
          bytes: Buffer.from(`${formatKey(verifierKeyOf(row.origin, row.public_key))}\n`),
          type: TEXT,
          immutable: false,
        }
      : null;
  }
  if (/^results\/(round\/[1-9]\d{0,8}|day\/\d{4}-\d\d-\d\d)$/.test(path)) {
    const { rows } = await db.execute<{ statement: string }>(sql`
      select statement from ledger_results, ledger_log where of = ${path.slice('results/'.length)} and seq < published_size`);
    return rows[0] ? { bytes: Buffer.from(rows[0].statement), type: TEXT, immutable: true } : null;
  }
  const part = parsePath(path);
  if (!part) return null;
  const { rows } = await db.execute<{ size: string }>(sql`select published_size as size from ledger_log`);
  const level = part.level === 'entries' ? 0 : part.level;
  const end = (part.index * 256 + part.width) * 256 ** level;
  if (!rows[0] || end > Number(rows[0].size)) return null;
  // The database has it all: a storage that lost a file, or never had this part of one, is no reason to have none.
  const bytes = (await readStored(storage, path)) ?? (await makePart(db, part));
  return { bytes, type: BYTES, immutable: true };
}

async function readState({ db, witness, now }: Parts): Promise<LedgerState> {
  const { rows } = await db.execute<{
    origin: string;
    public_key: Buffer;
    published_at: string | null;
    waiting: number;
    results: string[] | null;
  }>(sql`
    select origin, public_key, published_at,
      (select count(*)::int from (select 1 from vote_changes limit 1000) w) + (size - published_size)::int as waiting,
      (select array_agg(of) from (select of from ledger_results where seq < published_size order by seq desc limit ${RESULTS_SHOWN}) r) as results
    from ledger_log`);
  const signed = await signedCheckpoint(db);
  const note = signed && parseNote(signed.checkpoint);
  const point = note && parseCheckpoint(note.text);
  const row = rows[0];
  const { rows: said } = witness
    ? await db.execute<{ size: string; signed_at: string }>(
        sql`select size, signed_at from ledger_cosignatures where witness = ${witness.key.name}`,
      )
    : { rows: [] };
  const last = said[0];
  return {
    key: row ? formatKey(verifierKeyOf(row.origin, row.public_key)) : null,
    checkpoint: signed?.checkpoint ?? null,
    size: point?.size ?? 0,
    root: point ? toBase64(point.root) : '',
    publishedAt: row?.published_at ? new Date(row.published_at).toISOString() : null,
    waiting: row?.waiting ?? 0,
    witness: witness && {
      name: witness.key.name,
      key: formatKey(witness.key),
      signedAt: last ? new Date(last.signed_at).toISOString() : null,
      size: last ? Number(last.size) : null,
      recent: last !== undefined && now().getTime() - new Date(last.signed_at).getTime() < RECENT,
    },
    results: row?.results ?? [],
  };
}

async function votesOf(db: Db, userId: string): Promise<MyVotes> {
  const { rows } = await db.execute<{
    id: string;
    candidate_id: string;
    token_name: string;
    token_symbol: string;
    token_slug: string;
    day: string;
    state: MyVotes[number]['state'];
    leaf: string | null;
    signed: boolean;
  }>(sql`
    select v.id, v.candidate_id, c.token_name, c.token_symbol, c.token_slug, v.voted_on::text as day, v.state, l.seq as leaf,
      coalesce(l.seq < (select published_size from ledger_log), false) as signed
    from (select * from votes where user_id = ${userId} order by id desc limit ${RECEIPTS_SHOWN}) v
    join voting_candidates c on c.id = v.candidate_id
    left join lateral (select seq from ledger_leaves where vote_id = v.id order by seq desc limit 1) l on true
    order by v.id desc`);
  return rows.map((row) => ({
    id: Number(row.id),
    candidateId: row.candidate_id,
    tokenName: row.token_name,
    tokenSymbol: row.token_symbol,
    tokenSlug: row.token_slug,
    day: row.day,
    state: row.state,
    leaf: row.leaf === null ? null : Number(row.leaf),
    signed: row.signed,
  }));
}

async function receiptOf(db: Db, userId: string, voteId: number): Promise<string | null> {
  const { rows } = await db.execute<{ seq: string; entry: string }>(sql`
    select l.seq, l.entry from votes v join ledger_leaves l on l.vote_id = v.id
    where v.id = ${voteId} and v.user_id = ${userId} order by l.seq desc limit 1`);
  const signed = await signedCheckpoint(db);
  const [leaf] = rows;
  const index = Number(leaf?.seq);
  if (!leaf || !signed || index >= signed.size) return null;
  const proof = await inclusionProof(nodeSha256, hashesIn(db), index, signed.size);
  return formatReceipt({ entry: leaf.entry, index, proof, checkpoint: signed.checkpoint });
}

// Reads a whole ledger and verifies everything that is verifiable from outside.
import { equal, fromBase64, fromText, toBase64, toHex, toText } from './bytes.ts';
import { parseEntry, type ResultEntry } from './entries.ts';
import { bundlePath, decodeBundle, decodeTile, tilePath, tilesOf } from './layout.ts';
import {
  type Checkpoint,
  formatKey,
  type Note,
  parseCheckpoint,
  parseKey,
  parseNote,
  type VerifierKey,
  type VerifyEd25519,
  verifyNote,
  webVerify,
} from './note.ts';
import { isIncluded, parseReceipt, type Receipt } from './receipt.ts';
import { compareResult, parseResult } from './result.ts';
import { type Sha256, sha256 } from './sha256.ts';
import { type Row, Tally } from './tally.ts';
import { GrowingTree, leafHash, TILE_WIDTH } from './tree.ts';

/** Reads a file of a ledger by its path below the prefix; null if it does not exist. */
export type Source = (path: string) => Promise<Uint8Array | null>;

/** State that a verifier stores between runs. It must not be supplied by the operator of the ledger. */
export interface Memory {
  /** Verifier key of the log from the first run. */
  key: string;
  /**
   * Every checkpoint that the log signed for leaves with its root, continuing those before it: size, root in Base64, and the
   * signed note, which proves it to others. Memories of earlier versions have no notes.
   */
  seen: { size: number; root: string; note?: string | undefined }[];
}

export interface Problem {
  code:
    | 'checkpoint'
    | 'signature'
    | 'key'
    | 'cosignature'
    | 'shrunk'
    | 'inconsistent'
    | 'missing'
    | 'tile'
    | 'root'
    | 'entry'
    | 'vote'
    | 'result'
    | 'receipt';
  /** Description in English. */
  detail: string;
}

/** A candidate that has counted votes of a round, of which `votes` says how many, and is not in its result. */
export interface Absent {
  candidate: string;
  votes: number;
}

export interface Report {
  problems: Problem[];
  origin: string;
  size: number;
  /** Base64. */
  root: string;
  key: string;
  votes: { counted: number; under_review: number; void: number; withdrawn: number };
  /** The recount of each UTC day, and whether a statement for it exists. */
  days: { day: string; rows: Row[]; stated: boolean }[];
  /** Rows of the signed statements, with exact times, where those agree with the leaves; otherwise of the recount. */
  rounds: { round: number; rows: Row[]; absent: Absent[] }[];
  /** Rounds with votes and without a statement: those not over yet, and those whose result is not in the ledger. */
  unstatedRounds: number[];
  /** Number of earlier checkpoints that this one is consistent with. */
  consistentWith: number;
  /** Known witnesses that signed this checkpoint; `time` in seconds since 1970. */
  witnesses: { name: string; time: number }[];
  receipts: { entry: string; index: number; state: string | null }[];
  /** Average over the whole run. */
  leavesPerSecond: number;
  memory: Memory;
}

export interface Options {
  source: Source;
  /** Verifier key of the log from a trusted source. By default the stored one, or the one that the ledger publishes. */
  key?: string | undefined;
  /** Verifier keys of witnesses whose signatures are verified. */
  witnesses?: readonly string[];
  /** True if each of them must have signed this checkpoint; otherwise a missing signature is only not listed. */
  witnessesRequired?: boolean;
  memory?: Memory | null;
  /** Contents of receipts. */
  receipts?: readonly string[];
  hash?: Sha256;
  verify?: VerifyEd25519;
  onProgress?: (done: number, size: number) => void;
}

/** Number of bundles that are read ahead. */
const READ_AHEAD = 8;
/** Maximum number of reported problems per kind while the leaves are replayed. */
const MAX_PROBLEMS_OF_A_KIND = 20;

/** State of one run. */
interface Run extends Required<Pick<Options, 'source' | 'hash' | 'verify'>> {
  problems: Problem[];
  note: Note;
  checkpoint: Checkpoint;
  key: VerifierKey;
}

/** Verifies a ledger. Never throws because of its content, only errors of the source. */
export async function verifyLedger(options: Options): Promise<Report> {
  const started = performance.now();
  const problems: Problem[] = [];
  const report = emptyReport(options.memory ?? null, problems);
  const { source, hash = sha256, verify = webVerify } = options;
  const checkpointFile = textOf((await source('checkpoint')) ?? new Uint8Array());
  const note = parseNote(checkpointFile);
  const checkpoint = note && parseCheckpoint(note.text);
  const key = await findKey(options, problems);
  if (!note || !checkpoint) problems.push({ code: 'checkpoint', detail: 'there is no checkpoint, or it is damaged' });
  if (!note || !checkpoint || !key) return report;
  const run: Run = { source, hash, verify, problems, note, checkpoint, key };
  Object.assign(report, { origin: checkpoint.origin, size: checkpoint.size, root: toBase64(checkpoint.root) });
  report.key = formatKey(key);
  const signedByLog = await checkSignatures(run, options, report);

  const receipts = await readReceipts(run, options.receipts ?? []);
  const seen = (options.memory?.seen ?? []).flatMap(({ size, root }) => {
    const bytes = fromBase64(root);
    return bytes ? [{ size, root: bytes }] : [];
  });
  for (const { size } of seen)
    if (size > checkpoint.size)
      problems.push({ code: 'shrunk', detail: `the ledger had ${size} leaves before, and has ${checkpoint.size} now` });
  // The log signed the larger tree: without this, the leaf of the receipt would not be looked for at all.
  for (const { index, checkpoint: signed } of receipts)
    if (signed.size > checkpoint.size)
      problems.push({
        code: 'shrunk',
        detail: `the ledger had ${signed.size} leaves in the receipt of leaf ${index}, and has ${checkpoint.size} now`,
      });
  const watched = new Map<number, Uint8Array[]>();
  for (const { size, root } of [...seen, ...receipts.map((one) => one.checkpoint)])
    watched.set(size, [...(watched.get(size) ?? []), root]);

  const { tally, results, continued, whole } = await replay(run, watched, options.onProgress);
  report.consistentWith = seen.filter(({ root }) => continued.has(root)).length;
  await checkResults(run, results, tally, report);
  report.votes = tally.states;
  report.receipts = receipts.map(({ entry, index }) => {
    const vote = parseEntry(entry);
    return { entry, index, state: vote?.kind === 'vote' ? tally.stateOf(vote) : null };
  });
  report.leavesPerSecond = Math.round(checkpoint.size / Math.max(1e-3, (performance.now() - started) / 1_000));
  // Whatever else is wrong: otherwise one lasting defect would end the comparison with later checkpoints. After a fork
  // those seen before stay.
  if (signedByLog && whole && report.consistentWith === seen.length) {
    const newest = { size: checkpoint.size, root: report.root, note: checkpointFile };
    const others = report.memory.seen.filter(({ size, root }) => size !== newest.size || root !== newest.root);
    report.memory = { key: report.key, seen: [...others, newest] };
  }
  return report;
}

const emptyReport = (memory: Memory | null, problems: Problem[]): Report => ({
  problems,
  origin: '',
  size: 0,
  root: '',
  key: memory?.key ?? '',
  votes: { counted: 0, under_review: 0, void: 0, withdrawn: 0 },
  days: [],
  rounds: [],
  unstatedRounds: [],
  consistentWith: 0,
  witnesses: [],
  receipts: [],
  leavesPerSecond: 0,
  memory: memory ?? { key: '', seen: [] },
});

function textOf(bytes: Uint8Array): string {
  try {
    return toText(bytes);
  } catch {
    return '';
  }
}

async function findKey({ key, memory, source }: Options, problems: Problem[]): Promise<VerifierKey | null> {
  const named = await source('key');
  // The file must contain exactly the key and a line break.
  const text = named ? textOf(named) : '';
  const own = text.endsWith('\n') ? text.slice(0, -1) : text;
  const wanted = key ?? (memory?.key || own);
  if (named && wanted && text !== `${wanted}\n`)
    problems.push({ code: 'key', detail: `the ledger names the key ${JSON.stringify(own)} and not ${wanted}` });
  const parsed = parseKey(wanted);
  if (parsed?.type !== 1) problems.push({ code: 'key', detail: 'there is no key that could be checked with' });
  return parsed?.type === 1 ? parsed : null;
}

/** @returns whether the log itself signed the checkpoint. */
async function checkSignatures(
  run: Run,
  { witnesses = [], witnessesRequired: required = false }: Options,
  report: Report,
): Promise<boolean> {
  const { problems, note, checkpoint, key, verify } = run;
  if (checkpoint.origin !== key.name)
    problems.push({
      code: 'checkpoint',
      detail: `it is the checkpoint of ${checkpoint.origin} and not of ${key.name}`,
    });
  const verdict = await verifyNote(note, key, verify);
  if (!verdict.valid)
    problems.push({ code: 'signature', detail: `the signature of the checkpoint is ${verdict.reason}` });
  for (const text of witnesses) {
    const witness = parseKey(text);
    const found = witness?.type === 4 ? await verifyNote(note, witness, verify) : null;
    if (!witness || !found) problems.push({ code: 'cosignature', detail: `${text} is no key of a witness` });
    else if (found.valid) report.witnesses.push({ name: witness.name, time: found.time ?? 0 });
    else if (found.reason === 'wrong')
      problems.push({ code: 'cosignature', detail: `the signature of ${witness.name} is wrong` });
    else if (required) problems.push({ code: 'cosignature', detail: `${witness.name} did not sign this checkpoint` });
  }
  return verdict.valid && checkpoint.origin === key.name;
}

/** Receipts that are well-formed, signed, and included in the tree of their own checkpoint; others are reported. */
async function readReceipts({ problems, key, verify, hash }: Run, texts: readonly string[]): Promise<Receipt[]> {
  const good: Receipt[] = [];
  for (const text of texts) {
    const receipt = parseReceipt(text);
    if (!receipt) problems.push({ code: 'receipt', detail: 'this is no receipt' });
    else if (receipt.checkpoint.origin !== key.name || !(await verifyNote(receipt.note, key, verify)).valid)
      problems.push({ code: 'receipt', detail: `the log did not sign the receipt of leaf ${receipt.index}` });
    else if (!isIncluded(hash, receipt))
      problems.push({ code: 'receipt', detail: `leaf ${receipt.index} is not in the tree of its receipt` });
    else good.push(receipt);
  }
  return good;
}

interface Stated {
  entry: ResultEntry;
  root: Uint8Array;
  differences: (rows: readonly Row[]) => string[];
  rows: Row[];
  absent: Absent[];
}

/** For a promise that is awaited later: after the first failure the others are not awaited, and their rejection must not end the process. */
function awaitedLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/**
 * Replays all leaves in order: hashes, tiles, sequence numbers, votes, and the results at each statement.
 *
 * @param watched roots to compare with, by size. @returns `continued` contains those that the tree had; `whole` is true when the
 * leaves have the root of the checkpoint.
 */
async function replay(run: Run, watched: Map<number, Uint8Array[]>, onProgress: Options['onProgress']) {
  const { source, hash, problems, checkpoint } = run;
  const { size } = checkpoint;
  const tally = new Tally();
  const results: Stated[] = [];
  const pending: Promise<void>[] = [];
  const note = (code: Problem['code'], detail: string) => {
    if (problems.filter((one) => one.code === code).length < MAX_PROBLEMS_OF_A_KIND) problems.push({ code, detail });
  };
  const compareTile = async (level: number, index: number, hashes: readonly Uint8Array[]) => {
    const path = tilePath(level, index, hashes.length);
    const bytes =
      (await source(path)) ?? (hashes.length < TILE_WIDTH ? await source(tilePath(level, index, TILE_WIDTH)) : null);
    const stored = bytes && decodeTile(bytes);
    // Either exactly the hashes of the tree at that place, or a full tile.
    if (!stored || (stored.length !== hashes.length && stored.length !== TILE_WIDTH))
      return note('missing', `${path} is missing or damaged`);
    if (hashes.some((one, i) => !stored[i] || !equal(one, stored[i])))
      note('tile', `${path} has other hashes than its leaves`);
  };
  const tree = new GrowingTree(
    hash,
    (level, index, hashes) => void pending.push(awaitedLater(compareTile(level, index, [...hashes]))),
  );
  const continued = new Set<Uint8Array>();
  const compareRoot = () => {
    for (const root of watched.get(tree.size) ?? [])
      if (equal(root, tree.root())) continued.add(root);
      else note('inconsistent', `the ledger was rewritten below leaf ${tree.size}`);
  };
  compareRoot();
  const ahead = tilesOf(0, size);
  const bundleReads = new Map<number, Promise<Uint8Array | null>>();
  const readBundle = async (index: number, width: number) =>
    (await source(bundlePath(index, width))) ?? (width < TILE_WIDTH ? source(bundlePath(index, TILE_WIDTH)) : null);
  for (const { index, width } of tilesOf(0, size)) {
    while (bundleReads.size < READ_AHEAD) {
      const next = ahead.next();
      if (next.done) break;
      bundleReads.set(next.value.index, awaitedLater(readBundle(next.value.index, next.value.width)));
    }
    const bytes = await bundleReads.get(index);
    bundleReads.delete(index);
    const entries = bytes ? decodeBundle(bytes) : null;
    if (!entries || entries.length < width || (entries.length > width && entries.length !== TILE_WIDTH)) {
      note('missing', `${bundlePath(index, width)} is missing or damaged`);
      break;
    }
    for (const bytes of entries.slice(0, width)) {
      const seq = tree.size;
      const entry = parseEntry(textOf(bytes));
      if (!entry) note('entry', `leaf ${seq} is no entry of a ledger`);
      else if (entry.seq !== seq) note('entry', `leaf ${seq} says that it is number ${entry.seq}`);
      else {
        const wrong = tally.add(entry);
        if (wrong) note('vote', `leaf ${seq}: ${wrong}`);
        if (entry.kind === 'result') results.push(stateHere(entry, tree.root(), tally));
      }
      tree.append(leafHash(hash, bytes));
      if (watched.has(tree.size)) compareRoot();
    }
    while (pending.length > READ_AHEAD) await pending.shift();
    onProgress?.(tree.size, size);
  }
  await Promise.all(pending);
  for (const [level, row] of tree.frontier.entries())
    if (row.length > 0) await compareTile(level, Math.floor(tree.size / TILE_WIDTH ** (level + 1)), row);
  const whole = tree.size === size && equal(tree.root(), checkpoint.root);
  if (tree.size === size && !whole)
    problems.push({ code: 'root', detail: 'the leaves do not have the root of the checkpoint' });
  return { tally, results, continued, whole };
}

function stateHere(entry: ResultEntry, root: Uint8Array, tally: Tally): Stated {
  const day = entry.of.startsWith('day/') ? entry.of.slice('day/'.length) : null;
  const rows = day === null ? tally.standings() : tally.day(day);
  const absent = day === null ? tally.absentFrom(rows, Number(entry.of.slice('round/'.length))) : [];
  return { entry, root, rows, absent, differences: (claimed) => compareResult(claimed, rows, tally) };
}

async function checkResults(run: Run, results: readonly Stated[], tally: Tally, report: Report): Promise<void> {
  const { source, problems, key, verify, hash } = run;
  const stated = new Set<string>();
  /** Rows of statements that agree with the leaves: they contain the times that decide ties within a minute. */
  const exact = new Map<string, Row[]>();
  for (const { entry, root, rows, absent, differences } of results) {
    const before = problems.length;
    const addProblem = (detail: string) => problems.push({ code: 'result', detail: `${entry.of}: ${detail}` });
    if (stated.has(entry.of)) addProblem('was stated twice');
    stated.add(entry.of);
    const round = entry.of.startsWith('round/')
      ? { round: Number(entry.of.slice('round/'.length)), rows, absent }
      : null;
    if (round) report.rounds.push(round);
    const bytes = await source(`results/${entry.of}`);
    const note = bytes && parseNote(textOf(bytes));
    const result = note && parseResult(note.text);
    if (!note || !result) {
      addProblem('the statement is missing or damaged');
      continue;
    }
    if (!(await verifyNote(note, key, verify)).valid) addProblem('the log did not sign the statement');
    if (toHex(hash(fromText(note.text))) !== entry.sha256) addProblem('the statement is not the one in the ledger');
    if (result.of !== entry.of || result.origin !== key.name)
      addProblem(`the statement is about ${result.origin} ${result.of}`);
    if (result.size !== entry.seq || !equal(result.root, root)) addProblem('the statement is about other leaves');
    for (const difference of differences(result.rows)) addProblem(difference);
    if (problems.length > before) continue;
    exact.set(entry.of, result.rows);
    if (round) round.rows = result.rows;
  }
  report.days = tally.days.map((day) => {
    const rows = tally.day(day);
    const claimed = exact.get(`day/${day}`);
    const agrees = claimed !== undefined && compareResult(claimed, rows, tally).length === 0;
    return { day, rows: agrees ? claimed : rows, stated: stated.has(`day/${day}`) };
  });
  report.unstatedRounds = tally.rounds.filter((round) => round > 0 && !stated.has(`round/${round}`));
}

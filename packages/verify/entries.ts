// The leaves of the ledger: one line of ASCII each, in a canonical form (docs/ledger.md).

export const VOTE_STATES = ['counted', 'under_review', 'void', 'withdrawn'] as const;
export type VoteState = (typeof VOTE_STATES)[number];

/** A vote changed to this state. */
export interface VoteEntry {
  kind: 'vote';
  seq: number;
  /** Round in which it was cast; 0 for votes from before the ledger. */
  round: number;
  candidate: string;
  /** UTC day for which it counts, YYYY-MM-DD. */
  day: string;
  /** 32 hexadecimal digits that identify the voter within one round. */
  voter: string;
  state: VoteState;
  /** The minute of the vote, YYYY-MM-DDTHH:MMZ. */
  cast: string;
}

/** A candidate entered or left the ranking. */
export interface CandidateEntry {
  kind: 'candidate';
  seq: number;
  candidate: string;
  /**
   * Time at which it was added to the site, ISO 8601 with microseconds; breaks ties between candidates, the older one
   * first.
   */
  added: string;
  state: 'listed' | 'unlisted';
}

/** The signed result of a day or round over all leaves before this one. */
export interface ResultEntry {
  kind: 'result';
  seq: number;
  /** `round/<number>` or `day/<YYYY-MM-DD>`. */
  of: string;
  /** SHA-256 of the statement's text, hexadecimal. */
  sha256: string;
}

/** The newest entry of the audit log at that time. */
export interface AuditEntry {
  kind: 'audit';
  seq: number;
  entry: number;
  /** Its hash, hexadecimal. */
  hash: string;
}

export type Entry = VoteEntry | CandidateEntry | ResultEntry | AuditEntry;

const NUMBER = '(0|[1-9]\\d{0,14})';
const UUID = '([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})';
const DAY = '(\\d{4}-\\d\\d-\\d\\d)';
const HASH = '([0-9a-f]{64})';
const VOTE = new RegExp(
  `^florka-vote/1 seq=${NUMBER} round=${NUMBER} candidate=${UUID} day=${DAY} voter=([0-9a-f]{32}) state=(${VOTE_STATES.join('|')}) cast=(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\dZ)$`,
);
const CANDIDATE = new RegExp(
  `^florka-candidate/1 seq=${NUMBER} candidate=${UUID} added=(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z) state=(listed|unlisted)$`,
);
const RESULT = new RegExp(
  `^florka-result/1 seq=${NUMBER} of=(round/[1-9]\\d{0,8}|day/\\d{4}-\\d\\d-\\d\\d) sha256=${HASH}$`,
);
const AUDIT = new RegExp(`^florka-audit/1 seq=${NUMBER} entry=${NUMBER} hash=${HASH}$`);

/** The canonical text of a leaf, which is what the tree hashes; the inverse of `parseEntry`. Values are not validated. */
export function formatEntry(entry: Entry): string {
  switch (entry.kind) {
    case 'vote':
      return `florka-vote/1 seq=${entry.seq} round=${entry.round} candidate=${entry.candidate} day=${entry.day} voter=${entry.voter} state=${entry.state} cast=${entry.cast}`;
    case 'candidate':
      return `florka-candidate/1 seq=${entry.seq} candidate=${entry.candidate} added=${entry.added} state=${entry.state}`;
    case 'result':
      return `florka-result/1 seq=${entry.seq} of=${entry.of} sha256=${entry.sha256}`;
    case 'audit':
      return `florka-audit/1 seq=${entry.seq} entry=${entry.entry} hash=${entry.hash}`;
  }
}

/** @returns null for a text that is not the canonical form of a leaf. */
export function parseEntry(text: string): Entry | null {
  const vote = VOTE.exec(text);
  if (vote) {
    const [, seq, round, candidate = '', day = '', voter = '', state, cast = ''] = vote;
    return {
      kind: 'vote',
      seq: Number(seq),
      round: Number(round),
      candidate,
      day,
      voter,
      state: state as VoteState,
      cast,
    };
  }
  const candidate = CANDIDATE.exec(text);
  if (candidate) {
    const [, seq, id = '', added = '', state] = candidate;
    return { kind: 'candidate', seq: Number(seq), candidate: id, added, state: state as CandidateEntry['state'] };
  }
  const result = RESULT.exec(text);
  if (result) return { kind: 'result', seq: Number(result[1]), of: result[2] ?? '', sha256: result[3] ?? '' };
  const audit = AUDIT.exec(text);
  if (audit) return { kind: 'audit', seq: Number(audit[1]), entry: Number(audit[2]), hash: audit[3] ?? '' };
  return null;
}

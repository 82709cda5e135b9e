import type { LedgerState, MyVotes } from '#contract/domains/ledger.ts';

/** A file of the public ledger in the form for HTTP responses. */
export interface LedgerFile {
  bytes: Uint8Array;
  type: string;
  /** Cache lifetime; a year for a file that never changes. */
  seconds: number;
}

/** Result of one run. */
export interface LedgerRun {
  appended: number;
  /** Leaves in the tree. */
  size: number;
  /** True when more changes are waiting than one run appends. */
  more: boolean;
  /** The reason why nothing is appended or signed, for the operator; null during normal operation. */
  halted: LedgerState['halted'] | 'paused';
}

/** The public ledger of votes; see docs/ledger.md. */
export interface LedgerService {
  /**
   * Appends changes since the last run, writes the files, signs, and requests the witness's cosignature. One process at a time:
   * returns null while another one runs it.
   */
  run(): Promise<LedgerRun | null>;
  /** Appends the newest entry of the audit log to the configured file. @returns true when a line was added. */
  writeAuditAnchor(): Promise<boolean>;
  /** A file below /ledger/; null when it does not exist. @throws StorageError */
  open(path: string): Promise<LedgerFile | null>;
  /** Data of the ledger page. */
  state(): Promise<LedgerState>;
  /** A member's newest votes, or those older than the given one, each with its index in the ledger. */
  votesOf(userId: string, olderThan?: { day: string; id: number } | null): Promise<MyVotes>;
  /** True when the newest leaf of a vote is in a signed checkpoint. */
  isSigned(voteId: number): Promise<boolean>;
  /** The receipt of a member's own vote; null when it is not in a signed checkpoint yet, or belongs to another member. */
  receiptOf(userId: string, voteId: number): Promise<string | null>;
}

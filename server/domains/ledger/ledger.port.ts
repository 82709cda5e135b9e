import type { LedgerState, MyVotes } from '#contract/domains/ledger.ts';

/** A file of the public ledger as it is served. */
export interface LedgerFile {
  bytes: Uint8Array;
  type: string;
  /** For how long it may be kept; a year: it never changes again. */
  seconds: number;
}

/** What one run did. */
export interface LedgerRun {
  appended: number;
  /** Leaves in the tree. */
  size: number;
  /** More waits than one run enters. */
  more: boolean;
  /** Why nothing is entered or signed, for the operator; null when all is well. */
  halted: LedgerState['halted'] | 'paused';
}

/** The public ledger of votes; see docs/ledger.md. */
export interface LedgerService {
  /**
   * Enters what changed since the last run, writes the files, signs, asks the witness. One process at a time: another one
   * that is at it already makes this return null.
   */
  run(): Promise<LedgerRun | null>;
  /** Notes the newest entry of the audit log in the file that is set up for it. @returns whether a line was added. */
  noteAudit(): Promise<boolean>;
  /** A file below /ledger/; null where there is none. @throws StorageError */
  open(path: string): Promise<LedgerFile | null>;
  /** What the page shows. */
  state(): Promise<LedgerState>;
  /** The newest votes of a member, each with its place in the ledger. */
  votesOf(userId: string): Promise<MyVotes>;
  /** The receipt of a member's own vote; null when it is not in a signed checkpoint yet, or not theirs. */
  receiptOf(userId: string, voteId: number): Promise<string | null>;
}

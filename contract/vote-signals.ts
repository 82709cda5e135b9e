/** Signals that put a vote under review, each a function of server/domains/vote-review; docs/vote-review.md describes them. */
export const VOTE_SIGNALS = [
  'network_burst',
  'network_capacity',
  'lockstep',
  'fresh_accounts',
  'dormant_accounts',
  'disposable_mail',
  'shared_mailbox',
  'impossible_pace',
  'regular_pace',
] as const;
export type VoteSignal = (typeof VOTE_SIGNALS)[number];

/** What put the votes of a cluster under review: a signal, or staff. */
export const HOLD_KINDS = [...VOTE_SIGNALS, 'by_hand'] as const;
export type HoldKind = (typeof HOLD_KINDS)[number];

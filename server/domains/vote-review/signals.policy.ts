import { dormantAccounts, freshAccounts } from './account-signals.policy.ts';
import { lockstep } from './lockstep.policy.ts';
import { disposableMail, sharedDomain, sharedMailbox } from './mailbox-signals.policy.ts';
import { networkBurst, networkCapacity, networkDrip } from './network-signals.policy.ts';
import { impossiblePace, regularPace, votesAtSignUp } from './pace-signals.policy.ts';
import { type ChangedGroups, type Finding, type ReviewWindow, votesSince } from './review-window.ts';
import { REVIEW } from './thresholds.ts';

/**
 * Runs every signal over the groups with new votes, one step at a time, so that a server can do other work in between. If several
 * signals find a vote, the first in this order holds it. Network and mailbox signals come first, because the timing of the
 * remaining votes is then more significant.
 */
export function* findSuspects(window: ReviewWindow, touched: ChangedGroups): Generator<Finding[]> {
  for (const found of bySource(window, touched)) {
    for (const { votes } of found) window.markExplained(votes);
    if (found.length > 0) yield found;
  }
  for (const votes of touched.members.values()) {
    const found = impossiblePace(votes);
    if (found.length > 0) yield found;
  }
  for (const [key, votes] of touched.networks) {
    const found = networkCapacity(key, votes);
    if (found.length > 0) yield found;
  }
  for (const votes of touched.candidates.values()) {
    // Votes older than the newest windows were evaluated when they were new.
    const recent = votesSince(votes, touched.since - REVIEW.recent);
    yield lockstep(votes);
    yield freshAccounts(votesSince(votes, touched.since - REVIEW.fresh.longWindow), window);
    yield dormantAccounts(votes, window);
    yield regularPace(recent, window);
    yield votesAtSignUp(recent);
  }
}

/** Findings of the network and mailbox signals. */
function* bySource(window: ReviewWindow, touched: ChangedGroups): Generator<Finding[]> {
  for (const votes of touched.members.values()) yield disposableMail(votes);
  for (const votes of touched.mailboxes.values()) yield sharedMailbox(votes);
  for (const votes of touched.candidates.values())
    yield networkBurst(votesSince(votes, touched.since - REVIEW.burst.window), window);
  for (const [key, votes] of touched.networks) yield networkDrip(key, votes, window, touched.since);
  for (const votes of touched.domains.values()) yield sharedDomain(votes, window);
}

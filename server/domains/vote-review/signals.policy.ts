import { dormantAccounts, freshAccounts } from './account-signals.policy.ts';
import { lockstep } from './lockstep.policy.ts';
import { disposableMail, sharedDomain, sharedMailbox } from './mailbox-signals.policy.ts';
import { networkBurst, networkCapacity, networkDrip } from './network-signals.policy.ts';
import { impossiblePace, regularPace, votesAtSignUp } from './pace-signals.policy.ts';
import { type Finding, type ReviewWindow, type Touched, votesSince } from './review-window.policy.ts';
import { REVIEW } from './thresholds.ts';

/**
 * Every signal over what new votes touched, one piece at a time: whoever runs it in a server lets other work in between.
 * A vote may be found by several signals; the first in this order holds it. What networks and mailboxes have in common comes first: of
 * what is left the times say more.
 */
export function* findSuspects(window: ReviewWindow, touched: Touched): Generator<Finding[]> {
  for (const found of bySource(window, touched)) {
    for (const { votes } of found) window.explain(votes);
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
    // What is older than the newest windows was looked at when it was new.
    const recent = votesSince(votes, touched.since - REVIEW.recent);
    yield lockstep(votes);
    yield freshAccounts(votesSince(votes, touched.since - REVIEW.fresh.longWindow), window);
    yield dormantAccounts(votes, window);
    yield regularPace(recent, window);
    yield votesAtSignUp(recent);
  }
}

/** What the signals about networks and mailboxes find. */
function* bySource(window: ReviewWindow, touched: Touched): Generator<Finding[]> {
  for (const votes of touched.members.values()) yield disposableMail(votes);
  for (const votes of touched.mailboxes.values()) yield sharedMailbox(votes);
  for (const votes of touched.candidates.values())
    yield networkBurst(votesSince(votes, touched.since - REVIEW.burst.window), window);
  for (const [key, votes] of touched.networks) yield networkDrip(key, votes, window, touched.since);
  for (const votes of touched.domains.values()) yield sharedDomain(votes, window);
}

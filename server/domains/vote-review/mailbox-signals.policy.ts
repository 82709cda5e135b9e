import type { Finding, ReviewVote } from './review-window.policy.ts';
import { REVIEW } from './thresholds.ts';

/**
 * `disposable_mail`: the account's mailbox is at a service for mail that is thrown away. Found by itself, without company.
 *
 * @param votes of one member.
 */
export function disposableMail(votes: readonly ReviewVote[]): Finding[] {
  const [first] = votes;
  if (!first?.member.disposable) return [];
  return [
    {
      signal: 'disposable_mail',
      key: first.member.mailDomain,
      candidateId: null,
      votes,
      facts: { domain: first.member.mailDomain },
    },
  ];
}

/**
 * `shared_mailbox`: several accounts of one mailbox, told apart by plus-addresses or dots, vote for one candidate. One
 * person may have a second account; the third is held with the others.
 *
 * @param votes of one normalized mailbox.
 */
export function sharedMailbox(votes: readonly ReviewVote[]): Finding[] {
  return [...Map.groupBy(votes, ({ candidateId }) => candidateId)].flatMap(([candidateId, list]): Finding[] => {
    const members = new Set(list.map(({ member }) => member.id)).size;
    if (members < REVIEW.mailbox.members) return [];
    const [{ member } = { member: { mailbox: '' } }] = list;
    return [
      {
        signal: 'shared_mailbox',
        key: `${candidateId}:${member.mailbox}`,
        candidateId,
        votes: list,
        facts: { members },
      },
    ];
  });
}

import { ownerDomain } from '#server/lib/text/mailbox.ts';
import type { Choices, Finding, ReviewVote } from './review-window.ts';
import { isFresh, isThin } from './thin-accounts.policy.ts';
import { REVIEW } from './thresholds.ts';

/**
 * `disposable_mail`: the account's mailbox is at a disposable mail service. Needs no second account.
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
 * `shared_mailbox`: several accounts of one mailbox, with plus-addresses or dots, vote for one candidate. One person may have a
 * second account; from three accounts on, all are held.
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

/** Public mail services. A common domain of these is no evidence of a common owner, and the members of a small site may all use one. */
const PUBLIC_MAIL_DOMAINS = new Set(
  `gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com icloud.com me.com mac.com aol.com
  proton.me protonmail.com pm.me gmx.de gmx.net gmx.com web.de t-online.de freenet.de mail.com zoho.com fastmail.com tutanota.com
  tuta.com hey.com yandex.ru yandex.com ya.ru mail.ru bk.ru list.ru inbox.ru rambler.ru qq.com 163.com 126.com sina.com naver.com
  daum.net hanmail.net orange.fr wanadoo.fr free.fr laposte.net sfr.fr libero.it virgilio.it tiscali.it seznam.cz wp.pl o2.pl
  onet.pl interia.pl uol.com.br bol.com.br terra.com.br rediffmail.com comcast.net verizon.net att.net bigpond.com telefonica.net
  movistar.es duck.com simplelogin.com`.split(/\s+/),
);
const isPublicMailService = (domain: string) =>
  PUBLIC_MAIL_DOMAINS.has(domain) || /^(yahoo|hotmail|outlook|live)\.[a-z]{2,3}(\.[a-z]{2})?$/.test(domain);

/**
 * `shared_mailbox` of a domain: its owner can receive mail for every name in it; fresh accounts of the domain vote for one
 * candidate only, and nearly nobody else of the domain votes. A company, a school or a club has older accounts, and votes for
 * several candidates.
 *
 * @param votes of one domain and its subdomains for any candidate, in order of time.
 */
export function sharedDomain(votes: readonly ReviewVote[], choices: Choices): Finding[] {
  const { members, share } = REVIEW.domain;
  const domain = ownerDomain(votes[0]?.member.mailDomain ?? '');
  if (votes.length < members || isPublicMailService(domain)) return [];
  const all = new Set(votes.map(({ member }) => member.id)).size;
  if (all < members) return [];
  return [...Map.groupBy(votes, ({ candidateId }) => candidateId)].flatMap(([candidateId, list]): Finding[] => {
    const some = new Set(
      list
        .filter((vote) => choices.isFirst(vote) && isFresh(vote) && isThin(vote, choices))
        .map(({ member }) => member.id),
    );
    if (some.size < members || some.size < share * all) return [];
    return [
      {
        signal: 'shared_mailbox',
        key: `${candidateId}:@${domain}`,
        candidateId,
        votes: list.filter(({ member }) => some.has(member.id)),
        facts: { members: some.size, domain },
      },
    ];
  });
}

import { amountInCoin } from '#app/lib/format/coins.ts';
import type { Locale } from '#app/lib/format/format.ts';
import type { TextOf } from '#app/lib/i18n/i18n.tsx';
import { adminInboxTexts } from '#app/lib/messages/admin/inbox.ts';
import { adminMoneyTexts } from '#app/lib/messages/admin/money.ts';
import { adminCreationTexts } from '#app/lib/messages/admin/token-creation/creation-part.ts';
import { adminTokenTexts } from '#app/lib/messages/admin/token-creation.ts';
import { adminVoteReviewTexts } from '#app/lib/messages/admin/vote-review.ts';
import { coinsTexts } from '#app/lib/messages/coins.ts';
import { plansTexts } from '#app/lib/messages/plans.ts';
import { removalTexts } from '#app/lib/messages/removals.ts';
import type { InboxItem, InboxSource } from '#contract/admin/inbox.ts';
import { differenceAmount } from '../settlement/difference-amount.ts';

/** The catalogues that items need. */
export const ITEM_TEXTS = [
  adminInboxTexts,
  adminMoneyTexts,
  adminTokenTexts,
  adminCreationTexts,
  adminVoteReviewTexts,
  plansTexts,
  coinsTexts,
  removalTexts,
] as const;
type ItemText = TextOf<(typeof ITEM_TEXTS)[number]>;

/** The server's error code of an expired mail. */
export const MAIL_EXPIRED = 'mail_expired';

/** In the details of a difference: no coin, or no amount on this side. */
const NOTHING = '-';

/** The server's code of a reported text that its author has deleted meanwhile. */
export const AUTHOR_DELETED = 'author_deleted';

/** The server's code of reports of a text of the reader, which a colleague answers. */
export const OWN_TEXT = 'own_text';

interface ItemTexts {
  text: ItemText;
  locale: Locale;
  networkName: (key: string) => string;
}

/** Message for a code; an unknown code is shown as it is. */
const textFor = (texts: Readonly<Record<string, string>>, code: string): string =>
  Object.hasOwn(texts, code) ? (texts[code] as string) : code;

/** Title of an item. */
export function titleOf(
  { source, title }: Pick<InboxItem, 'source' | 'title'>,
  { inbox, tokenAdmin, voteReview }: ItemText,
): string {
  if (source === 'chain') return textFor(tokenAdmin.create.networks, title);
  if (source === 'job') return textFor(inbox.jobs, title);
  // A cluster that is not limited to one candidate has no title of its own, also while its votes are for one.
  if (source === 'vote_cluster' && !title) return voteReview.anyCandidate;
  return title || inbox.untitled;
}

/** Labels for the codes in an item's details, by source; the other sources have text of users. */
const DETAILS: Partial<Record<InboxSource, (details: string[], texts: ItemTexts) => string[]>> = {
  // A reason is more specific than the state of the same name.
  payment: ([state = '', ...reasons], { text: { tokenAdmin } }) => [
    ...(reasons.includes(state) ? [] : [textFor(tokenAdmin.detail.state, state)]),
    ...reasons.map((reason) => textFor(tokenAdmin.detail.attention, reason)),
  ],
  unplaced: ([amount = '', currency], { text: { coins }, locale }) => [
    amountInCoin(amount, currency ?? null, locale, coins.on),
  ],
  request: ([plan = '', ...others], { networkName, text: { inbox, plans } }) => [
    textFor(plans.name, plan.toLowerCase()),
    ...others.map((one) => (Object.hasOwn(inbox.payer, one) ? textFor(inbox.payer, one) : networkName(one))),
  ],
  deliverable: ([item = '', plan = ''], { text: { plans } }) => [textFor(plans.item, item), textFor(plans.name, plan)],
  refund: ([state = '', ...details], { text: { inbox } }) =>
    Object.hasOwn(inbox.refundStates, state) ? [textFor(inbox.refundStates, state), ...details] : details,
  settlement: ([kind = '', asset = NOTHING, ...sides], { text: { settlement, coins }, locale }) => [
    textFor(settlement.kinds, kind),
    ...(['ours', 'theirs'] as const).map((name, i) => {
      const amount = sides[i] ?? NOTHING;
      const coin = asset === NOTHING ? null : asset;
      return amount === NOTHING ? '' : `${settlement[name]}: ${differenceAmount(amount, coin, locale, coins.on)}`;
    }),
  ],
  chain: (details, { text: { tokenAdmin } }) => details.map((why) => textFor(tokenAdmin.create.chainWhy, why)),
  job: (details, { text: { inbox } }) => details.map((one) => (one === MAIL_EXPIRED ? inbox.mailExpired : one)),
  creation: ([, network = '', problem = ''], { text: { tokenAdmin } }) => [
    textFor(tokenAdmin.create.networks, network),
    textFor(tokenAdmin.create.problems, problem),
  ],
  reading: ([network = '', ...codes], { text: { tokenAdmin, creation } }) => [
    textFor(tokenAdmin.create.networks, network),
    ...codes.map((code) => textFor(creation.readings.codes, code)),
  ],
  source: ([network = '', state = ''], { text: { tokenAdmin, creation } }) => [
    textFor(tokenAdmin.create.networks, network),
    textFor(creation.source.states, state),
  ],
  vote_cluster: ([signal = '', votes = '', members = ''], { text: { inbox, voteReview } }) => [
    textFor(voteReview.signals, signal),
    inbox.clusterText(votes, members),
  ],
  appeal: ([kind = 'post', rule = ''], { text: { inbox, removals } }) => [
    textFor(inbox.kinds, kind),
    textFor(removals.rules, rule),
  ],
  review: ([kind = 'post', why = ''], { text: { inbox } }) => [
    textFor(inbox.kinds, kind),
    textFor(inbox.reviewWhy, why),
  ],
  report: ([kind = 'post', count = '1', ...reasons], { text: { inbox } }) => [
    textFor(inbox.kinds, kind),
    inbox.reportText(count),
    // That it is an own text is shown beside the actions (Item.tsx).
    ...reasons
      .filter((one) => one !== OWN_TEXT)
      .map((one) => (one === AUTHOR_DELETED ? inbox.authorDeleted : textFor(inbox.reasons, one))),
  ],
};

/** The details of an item as one line of text. */
export const detailsOf = ({ source, details }: Pick<InboxItem, 'source' | 'details'>, texts: ItemTexts): string =>
  (DETAILS[source]?.(details, texts) ?? details).filter(Boolean).join(' · ');

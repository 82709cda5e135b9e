import type { Plan } from '#contract/domains/payments.ts';
import type { MailTemplate as MailTemplateName } from '#contract/mail-templates.ts';
import { STANDARD_NAME, withSiteName } from '#contract/site.ts';
import { coinFrom } from '#contract/text/coins.ts';
import { type AccountMails, accountDrafts } from './account-drafts.ts';
import { escapeHtml, mailPage } from './mail-page.ts';
import { type RemovalMails, removalDrafts } from './removal-drafts.ts';
import { markedAsAgain } from './sent-again.ts';
import { type StaffMailData, staffDrafts } from './staff-drafts.ts';
import type { NotificationLine, SavedTokenNews } from './texts/notifications.ts';
import type { ProposalMail } from './texts/tokens.ts';
import { type MailTexts, mailTexts } from './texts.ts';

/** Data of each kind of mail; links are paths on the site, made absolute when the mail is rendered. */
export interface MailData extends AccountMails, RemovalMails, StaffMailData {
  test: Record<string, never>;
  verifyEmail: EndingLink;
  changeEmail: EndingLink;
  emailChanged: { to: string };
  resetPassword: EndingLink;
  accountCreated: EndingLink;
  passwordChanged: Record<string, never>;
  signInCode: { code: string; until: string };
  staffEmailAsked: EndingLink & { to: string };
  staffAct: { action: StaffAction; actor: string; target: string };
  savedToken: { name: string; news: SavedTokenNews; path: string; unsubscribePath: string };
  notification: NotificationLine & { unsubscribePath: string };
  /** Notifications of one day; `more` is the number of lines that are not listed. */
  notificationDigest: { lines: NotificationLine[]; more: number; path: string; unsubscribePath: string };
  orderOpened: OrderMail;
  /** `orderId`: '' before there is a payment. */
  orderLink: { orderId: string; path: string; simulation: boolean };
  orderPaid: OrderMail & Partial<Amounts>;
  orderShort: OrderMail & Partial<Amounts> & Pick<Amounts, 'missingUsd'>;
  /** `replaced`: the money arrived for a payment that the payer had replaced by another one. */
  orderReview: OrderMail & Amounts & { plan: Plan; replaced: boolean };
  tokenCreated: {
    orderId: string;
    name: string;
    symbol: string;
    owner: string;
    address: string;
    explorerUrl: string | null;
    path: string;
    simulation: boolean;
  };
  tokenProposal: ProposalMail;
  /** `note`: message from staff; `address`: of a token delivered manually. */
  requestClosed: {
    orderId: string;
    as: 'delivered' | 'cancelled';
    note: string;
    address: string | null;
    path: string;
    simulation: boolean;
  };
  /** Items of one order that were delivered, are late, were interrupted or withdrawn; `note`: message from staff. */
  deliverables: {
    news: 'done' | 'late' | 'interrupted' | 'withdrawn';
    orderId: string;
    items: { item: string; dueAt: string | null; evidence: string | null; ifNot: string }[];
    note: string;
    /** Number of the accompanying refund. */
    refund: string | null;
    path: string;
    simulation: boolean;
  };
  /** `code` and `minutes` belong to the confirmation of the refund address. */
  refund: {
    news: 'opened' | 'confirm' | 'sent' | 'withdrawn' | 'returned';
    number: string;
    orderId: string;
    /** With the provider's coin code: '0.01 USDTTRC20'. */
    amount: string;
    /** The rest after the provider returned a part; `ready`: its address is confirmed. Absent in mails of earlier versions. */
    rest?: { number: string; amount: string; ready: boolean } | null;
    reason: string;
    address: string | null;
    transaction: string | null;
    code: string;
    minutes: number;
    path: string;
    simulation: boolean;
  };
  submissionReceived: { reference: string; path: string };
  /** `answer`: message from staff; empty for none. */
  submissionDecided: { reference: string; path: string; status: 'approved' | 'rejected'; answer: string };
}
/** What a staff member did to the account of another one. */
export type StaffAction =
  | 'updated'
  | 'confirmed'
  | 'banned'
  | 'unbanned'
  | 'sessions'
  | 'password'
  | 'removed'
  | 'role';
/** A link with an expiry (ISO 8601); the mail is not sent after it. */
interface EndingLink {
  path: string;
  until: string;
}
/** A paid request; contains only its number, so that a mistyped address reveals nothing else. */
interface OrderMail {
  orderId: string;
  priceUsd: number;
  path: string;
  simulation: boolean;
}
/** Amounts received and missing, in US dollars. Mails queued by earlier versions may lack some. */
interface Amounts {
  receivedUsd: number;
  missingUsd: number;
}
/** Templates have to be in the contract's list, which has their names for the back office. */
export type MailTemplate = MailTemplateName & keyof MailData;

export interface MailContent {
  subject: string;
  text: string;
  html: string;
  unsubscribeUrl?: string;
}

interface Draft {
  subject: string;
  body: string;
  /** Displayed large, to be typed elsewhere. */
  code?: string;
  /** Text written by a person, with its line breaks, below a heading. */
  quote?: { label: string; text: string };
  /** Further lines, each a paragraph. */
  lines?: string[];
  link?: { path: string; label: string };
  /** True for mails that are only sent at the request of the recipient. */
  ignorable?: boolean;
  unsubscribePath?: string;
  /** What the unsubscribe link ends; by default mails about one token. */
  unsubscribeLabel?: string;
}

const drafts: { [T in MailTemplate]: (data: MailData[T], words: MailTexts) => Draft } = {
  test: (_, words) => words.test,
  verifyEmail: ({ path }, { verifyEmail }) => ({
    ...verifyEmail,
    link: { path, label: verifyEmail.button },
    ignorable: true,
  }),
  changeEmail: ({ path }, { changeEmail }) => ({
    ...changeEmail,
    link: { path, label: changeEmail.button },
    ignorable: true,
  }),
  emailChanged: ({ to }, { emailChanged }) => ({ subject: emailChanged.subject, body: emailChanged.body(to) }),
  resetPassword: ({ path }, { resetPassword }) => ({
    ...resetPassword,
    link: { path, label: resetPassword.button },
    ignorable: true,
  }),
  accountCreated: ({ path }, { accountCreated }) => ({
    ...accountCreated,
    link: { path, label: accountCreated.button },
    ignorable: true,
  }),
  passwordChanged: (_, words) => words.passwordChanged,
  signInCode: ({ code }, { signInCode }) => ({
    subject: signInCode.subject(code),
    body: signInCode.body(code),
    code,
    ignorable: true,
  }),
  staffEmailAsked: ({ path, to }, { staffEmailAsked }) => ({
    subject: staffEmailAsked.subject,
    body: staffEmailAsked.body(to),
    link: { path, label: staffEmailAsked.button },
  }),
  staffAct: ({ action, actor, target }, { staffAct }) => ({
    subject: staffAct.subject(target),
    body: staffAct.body(actor, staffAct.actions[action], target),
  }),
  ...staffDrafts,
  ...accountDrafts,
  ...removalDrafts,
  savedToken: ({ name, news, path, unsubscribePath }, { savedToken }) => ({
    subject: savedToken.subject(name),
    body: savedToken[news](name),
    link: { path, label: savedToken.button },
    unsubscribePath,
  }),
  notification: ({ unsubscribePath, ...line }, { notification }) => ({
    subject: notification.say(line),
    body: notification.say(line),
    link: { path: line.path, label: notification.button },
    unsubscribePath,
    unsubscribeLabel: notification.stopKind,
  }),
  notificationDigest: ({ lines, more, path, unsubscribePath }, { notification }) => ({
    subject: notification.digest(lines.length + more),
    body: notification.digestBody,
    lines: [...lines.map(notification.say), ...(more > 0 ? [notification.more(more)] : [])],
    link: { path, label: notification.all },
    unsubscribePath,
    unsubscribeLabel: notification.stopAll,
  }),
  orderOpened: (about, words) =>
    orderDraft(about, words, words.orderOpened.body(about.orderId, usd(about.priceUsd, words)), 'orderOpened'),
  orderPaid: (about, words) => {
    const { orderId, priceUsd, missingUsd = 0 } = about;
    const { receivedUsd = priceUsd - missingUsd } = about;
    const body =
      missingUsd > 0
        ? words.orderPaid.accepted(orderId, usd(priceUsd, words), usd(receivedUsd, words), usd(missingUsd, words))
        : words.orderPaid.body(orderId, usd(priceUsd, words));
    return orderDraft(about, words, body, 'orderPaid');
  },
  orderShort: (about, words) => {
    const { orderId, priceUsd, missingUsd, receivedUsd = priceUsd - missingUsd } = about;
    const body = words.orderShort.body(orderId, usd(priceUsd, words), usd(receivedUsd, words), usd(missingUsd, words));
    return orderDraft(about, words, body, 'orderShort');
  },
  orderReview: (about, words) => {
    const { orderId, priceUsd, receivedUsd, plan, replaced } = about;
    const texts = words.orderReview;
    const amount = receivedUsd > 0 ? usd(receivedUsd, words) : null;
    const body = replaced
      ? texts.replaced(orderId, amount, texts.plan[plan], usd(priceUsd, words))
      : texts.odd(orderId, amount);
    return orderDraft(about, words, `${body} ${replaced ? texts.nextReplaced : texts.nextOdd}`, 'orderReview');
  },
  tokenCreated: (
    { orderId, name, symbol, owner, address, explorerUrl, path, simulation },
    { tokenCreated, order },
  ) => ({
    subject: `${simulation ? `[${order.simulation}] ` : ''}${tokenCreated.subject(`${name} (${symbol})`)}`,
    body: tokenCreated.body(`${name} (${symbol})`, orderId),
    lines: [
      ...(owner ? [tokenCreated.owner(owner)] : []),
      tokenCreated.address(address),
      ...(explorerUrl ? [tokenCreated.explorer(explorerUrl)] : []),
      ...(simulation ? [tokenCreated.test] : []),
    ],
    link: { path, label: order.button },
  }),
  tokenProposal: (
    { orderId, name, symbol, owner, network, path, simulation, changed, reminder },
    { tokenProposal, order },
  ) => ({
    subject: `${simulation ? `[${order.simulation}] ` : ''}${reminder ? tokenProposal.reminder : ''}${tokenProposal.subject[changed === false ? 'same' : 'changed'](orderId)}`,
    body: tokenProposal.body[changed === false ? 'same' : 'changed'](orderId),
    lines: [
      tokenProposal.token(`${name} (${symbol})`),
      tokenProposal.network(network),
      tokenProposal.owner(owner),
      tokenProposal.unless[changed === false ? 'same' : 'changed'],
    ],
    link: { path, label: order.button },
  }),
  orderLink: ({ orderId, path, simulation }, { orderLink, order }) => ({
    subject: `${simulation ? `[${order.simulation}] ` : ''}${orderLink.subject(orderId)}`,
    body: orderLink.body,
    link: { path, label: order.button },
  }),
  requestClosed: ({ orderId, as, note, address, path, simulation }, { requestClosed, order, tokenCreated }) => ({
    subject: `${simulation ? `[${order.simulation}] ` : ''}${requestClosed.subject[as](orderId)}`,
    body: requestClosed[as](orderId),
    lines: address ? [tokenCreated.address(address)] : [],
    quote: { label: requestClosed.note, text: note },
    link: { path, label: order.button },
  }),
  deliverables: ({ news, orderId, items, note, refund, path, simulation }, { deliverables: texts, order }) => {
    const named = items.map((one) => ({ ...one, name: texts.item[one.item] ?? one.item }));
    return {
      subject: `${simulation ? `[${order.simulation}] ` : ''}${texts.subject[news](orderId)}`,
      body: texts[news](orderId),
      lines: [
        ...named.flatMap(({ name, dueAt, evidence, ifNot }) =>
          news === 'done'
            ? [name, ...(evidence ? [texts.evidence(evidence)] : [])]
            : news === 'late'
              ? [dueAt ? texts.due(name, texts.day(dueAt)) : name, ifNot]
              : news === 'interrupted'
                ? [name, ...(evidence ? [texts.ran(evidence)] : []), ifNot]
                : [name],
        ),
        ...(news === 'withdrawn' ? [refund ? texts.withRefund(refund) : texts.withoutRefund] : []),
      ],
      ...(note ? { quote: { label: texts.note, text: note } } : {}),
      link: { path, label: order.button },
    };
  },
  refund: (about, words) => {
    const { refund: texts, order } = words;
    const { news, number, orderId, reason, address, transaction, code, minutes, path, simulation } = about;
    const amount = inCoin(about.amount, words);
    return {
      subject: `${simulation ? `[${order.simulation}] ` : ''}${texts.subject[news](number)}`,
      body: news === 'confirm' ? texts.confirm(amount, orderId, code, minutes) : texts[news](amount, orderId),
      ...(news === 'confirm' ? { code } : {}),
      lines: [
        ...(address && (news === 'confirm' || news === 'sent') ? [texts.address(address)] : []),
        ...(news === 'sent' ? [transaction ? texts.transaction(transaction) : texts.byProvider] : []),
        ...(news === 'confirm' ? [texts.notYou] : []),
        ...(about.rest
          ? [texts.rest[about.rest.ready ? 'ready' : 'address'](inCoin(about.rest.amount, words), about.rest.number)]
          : []),
      ],
      ...(news === 'opened' || news === 'withdrawn' ? { quote: { label: texts.note, text: reason } } : {}),
      link: { path, label: order.button },
    };
  },
  submissionReceived: ({ reference, path }, { submissionReceived }) => ({
    subject: submissionReceived.subject(reference),
    body: submissionReceived.body(reference),
    link: { path, label: submissionReceived.button },
    ignorable: true,
  }),
  submissionDecided: ({ reference, path, status, answer }, { submissionDecided, submissionReceived }) => ({
    subject: submissionDecided.subject[status](reference),
    body: submissionDecided[status](reference),
    ...(answer ? { quote: { label: submissionDecided.answer, text: answer } } : {}),
    link: { path, label: submissionReceived.button },
  }),
};

/** Formats a provider's amount '0.01 USDTTRC20' as '0,01 USDT en la red Tron'; returns any other text unchanged. */
function inCoin(amount: string, words: MailTexts): string {
  const [figure = '', code = '', ...rest] = amount.split(' ');
  if (!code || rest.length > 0 || !/^\d+(\.\d+)?$/.test(figure)) return amount;
  const { symbol, network } = coinFrom(code);
  return `${words.amount(figure)} ${network ? words.coinOn(symbol, network) : symbol}`;
}

/** Formats US dollars with the unit: '1.500,00 USD'. */
const usd = (amount: number, words: MailTexts): string => `${words.usd(amount)} USD`;

const orderDraft = (
  { orderId, path, simulation }: OrderMail,
  words: MailTexts,
  body: string,
  kind: 'orderOpened' | 'orderPaid' | 'orderShort' | 'orderReview',
): Draft => ({
  subject: `${simulation ? `[${words.order.simulation}] ` : ''}${words[kind].subject(orderId)}`,
  body: simulation ? `${body} ${words.order.simulationNote}` : body,
  link: { path, label: words.order.button },
});

/** Renders a mail as text and as HTML. @param publicUrl origin of the site, without a trailing slash. */
export function renderMail<T extends MailTemplate>(
  template: T,
  data: MailData[T],
  locale: 'es' | 'en',
  publicUrl: string,
  siteName: string = STANDARD_NAME,
): MailContent {
  const texts = withSiteName(mailTexts[locale], siteName);
  const draft = markedAsAgain(drafts[template](data, texts), data, locale);
  const link = draft.link && { url: publicUrl + draft.link.path, label: draft.link.label };
  const unsubscribeUrl = draft.unsubscribePath && publicUrl + draft.unsubscribePath;
  const stopLabel = draft.unsubscribeLabel ?? texts.savedToken.unsubscribe;
  const text = [
    texts.greeting,
    draft.body,
    ...(draft.lines ?? []),
    draft.quote && `${draft.quote.label}\n${draft.quote.text}`,
    link?.url,
    draft.ignorable ? texts.ignore : undefined,
    unsubscribeUrl ? `${stopLabel} ${unsubscribeUrl}` : undefined,
    texts.goodbye,
  ]
    .filter(Boolean)
    .join('\n\n');
  return {
    // Subjects can contain names of users: line breaks are removed.
    subject: draft.subject.replace(/\s+/g, ' ').trim(),
    text: `${text}\n`,
    html: mailPage({ locale, siteName }, draft.subject, draft.body, [
      `<p>${escapeHtml(texts.greeting)}</p><p>${escapeHtml(draft.body)}</p>`,
      draft.code
        ? `<p class="code" style="margin:20px 0;padding:16px;border:1px dashed #c9a45c;border-radius:10px;background:#fff0cf;color:#1b1a24;font:700 30px/1.2 'JetBrains Mono',Menlo,Consolas,monospace;letter-spacing:.18em;text-align:center">${escapeHtml(draft.code)}</p>`
        : '',
      ...(draft.lines ?? []).map((line) => `<p style="word-break:break-word">${escapeHtml(line)}</p>`),
      draft.quote
        ? `<p style="margin-bottom:4px;font-weight:600">${escapeHtml(draft.quote.label)}</p><p style="margin-top:0;padding-left:12px;border-left:3px solid #ffb627;white-space:pre-line">${escapeHtml(draft.quote.text)}</p>`
        : '',
      link
        ? `<p><a class="btn" href="${escapeHtml(link.url)}" style="display:inline-block;margin:8px 0;padding:13px 22px;border-radius:10px;background:#ffb627;color:#1d1503;font-weight:700;text-decoration:none">${escapeHtml(link.label)}</a></p><p class="small" style="font-size:13px;color:#4d4a59">${escapeHtml(texts.orPaste)}<br><a href="${escapeHtml(link.url)}" style="color:#4d4a59;word-break:break-all">${escapeHtml(link.url)}</a></p>`
        : '',
      draft.ignorable ? `<p class="small" style="font-size:13px;color:#4d4a59">${escapeHtml(texts.ignore)}</p>` : '',
      unsubscribeUrl
        ? `<p class="small" style="font-size:13px;color:#4d4a59">${escapeHtml(stopLabel)} <a href="${escapeHtml(unsubscribeUrl)}" style="color:#4d4a59">${escapeHtml(unsubscribeUrl)}</a></p>`
        : '',
      `<p>${escapeHtml(texts.goodbye)}</p>`,
    ]),
    ...(unsubscribeUrl ? { unsubscribeUrl } : {}),
  };
}

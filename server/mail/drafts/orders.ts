// Mails to payers about their order.
import type { Plan } from '#contract/domains/payments.ts';
import type { MailTexts } from '../texts.ts';
import { type Draft, type MailSite, markedSubject } from './draft.ts';

export interface OrderMails {
  orderOpened: OrderMail;
  /** `orderId`: '' before there is a payment. */
  orderLink: { orderId: string; path: string; simulation: boolean };
  orderPaid: OrderMail & Partial<Amounts>;
  orderShort: OrderMail & Partial<Amounts> & Pick<Amounts, 'missingUsd'>;
  /** `replaced`: the money arrived for a payment that the payer had replaced by another one. */
  orderReview: OrderMail & Amounts & { plan: Plan; replaced: boolean };
  /** The provider returned money on its own initiative, and no refund was open for it; `all`: nothing of the payment remains. */
  orderReturned: OrderMail & { all: boolean };
  /** `note`: message from staff; `address`: of a token delivered manually. */
  requestClosed: {
    orderId: string;
    as: 'delivered' | 'cancelled';
    note: string;
    address: string | null;
    path: string;
    simulation: boolean;
  };
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

export const orderDrafts: {
  [T in keyof OrderMails]: (data: OrderMails[T], texts: MailTexts, site: MailSite) => Draft;
} = {
  orderOpened: (about, catalogue) =>
    orderDraft(
      about,
      catalogue,
      catalogue.orderOpened.body(about.orderId, usd(about.priceUsd, catalogue)),
      'orderOpened',
    ),
  orderPaid: (about, catalogue) => {
    const { orderId, priceUsd, missingUsd = 0 } = about;
    const { receivedUsd = priceUsd - missingUsd } = about;
    const body =
      missingUsd > 0
        ? catalogue.orderPaid.accepted(
            orderId,
            usd(priceUsd, catalogue),
            usd(receivedUsd, catalogue),
            usd(missingUsd, catalogue),
          )
        : receivedUsd > priceUsd
          ? catalogue.orderPaid.over(orderId, usd(priceUsd, catalogue), usd(receivedUsd, catalogue))
          : catalogue.orderPaid.body(orderId, usd(priceUsd, catalogue));
    return orderDraft(about, catalogue, body, 'orderPaid');
  },
  orderShort: (about, catalogue) => {
    const { orderId, priceUsd, missingUsd, receivedUsd = priceUsd - missingUsd } = about;
    const body = catalogue.orderShort.body(
      orderId,
      usd(priceUsd, catalogue),
      usd(receivedUsd, catalogue),
      usd(missingUsd, catalogue),
    );
    return orderDraft(about, catalogue, body, 'orderShort');
  },
  orderReview: (about, catalogue) => {
    const { orderId, priceUsd, receivedUsd, plan, replaced } = about;
    const texts = catalogue.orderReview;
    const amount = receivedUsd > 0 ? usd(receivedUsd, catalogue) : null;
    const body = replaced
      ? texts.replaced(orderId, amount, texts.plan[plan], usd(priceUsd, catalogue))
      : texts.odd(orderId, amount);
    return orderDraft(about, catalogue, `${body} ${replaced ? texts.nextReplaced : texts.nextOdd}`, 'orderReview');
  },
  orderReturned: (about, catalogue, { supportEmail }) => {
    const { orderId, all } = about;
    const body = `${catalogue.orderReturned.body(orderId, all)} ${catalogue.order.notArrived(orderId, supportEmail)}`;
    return orderDraft(about, catalogue, body, 'orderReturned');
  },
  orderLink: ({ orderId, path, simulation }, { orderLink, order }) => ({
    subject: markedSubject(orderLink.subject(orderId), simulation, order),
    body: orderLink.body,
    link: { path, label: order.button },
  }),
  requestClosed: ({ orderId, as, note, address, path, simulation }, { requestClosed, order, tokenCreated }) => ({
    subject: markedSubject(requestClosed.subject[as](orderId), simulation, order),
    body: requestClosed[as](orderId),
    lines: address ? [tokenCreated.address(address)] : [],
    quote: { label: requestClosed.note, text: note },
    link: { path, label: order.button },
  }),
};

/** Formats US dollars with the unit: '1.500,00 USD'. */
const usd = (amount: number, catalogue: MailTexts): string => `${catalogue.usd(amount)} USD`;

const orderDraft = (
  { orderId, path, simulation }: OrderMail,
  catalogue: MailTexts,
  body: string,
  kind: 'orderOpened' | 'orderPaid' | 'orderShort' | 'orderReview' | 'orderReturned',
): Draft => ({
  subject: markedSubject(catalogue[kind].subject(orderId), simulation, catalogue.order),
  body: simulation ? `${body} ${catalogue.order.simulationNote}` : body,
  link: { path, label: catalogue.order.button },
});

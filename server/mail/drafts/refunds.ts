// Mails to payers about refunds.
import { coinFrom } from '#contract/text/coins.ts';
import type { MailTexts } from '../texts.ts';
import { type Draft, type MailSite, markedSubject } from './draft.ts';

export interface RefundMails {
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
    /** End of the code; absent in other mails, and in those of earlier versions. */
    until?: string;
    path: string;
    simulation: boolean;
  };
}

export const refundDrafts: {
  [T in keyof RefundMails]: (data: RefundMails[T], texts: MailTexts, site: MailSite) => Draft;
} = {
  refund: (about, catalogue, { supportEmail }) => {
    const { refund: texts, order } = catalogue;
    const { news, number, orderId, reason, address, transaction, code, minutes, path, simulation } = about;
    const amount = inCoin(about.amount, catalogue);
    return {
      subject: markedSubject(texts.subject[news](number), simulation, order),
      body: news === 'confirm' ? texts.confirm(amount, orderId, code, minutes) : texts[news](amount, orderId),
      ...(news === 'confirm' ? { code } : {}),
      lines: [
        ...(address && (news === 'confirm' || news === 'sent') ? [texts.address(address)] : []),
        ...(news === 'sent' ? [transaction ? texts.transaction(transaction) : texts.byProvider] : []),
        ...(news === 'confirm' ? [texts.notYou(supportEmail)] : []),
        ...(news === 'returned' ? [order.notArrived(orderId, supportEmail)] : []),
        ...(about.rest
          ? [
              texts.rest[about.rest.ready ? 'ready' : 'address'](
                inCoin(about.rest.amount, catalogue),
                about.rest.number,
              ),
            ]
          : []),
      ],
      ...(news === 'opened' || news === 'withdrawn' ? { quote: { label: texts.note, text: reason } } : {}),
      link: { path, label: order.button },
    };
  },
};

/** Formats a provider's amount '0.01 USDTTRC20' as '0,01 USDT en la red Tron'; returns any other text unchanged. */
function inCoin(amount: string, catalogue: MailTexts): string {
  const [figure = '', code = '', ...rest] = amount.split(' ');
  if (!code || rest.length > 0 || !/^\d+(\.\d+)?$/.test(figure)) return amount;
  const { symbol, network } = coinFrom(code);
  return `${catalogue.amount(figure)} ${network ? catalogue.coinOn(symbol, network) : symbol}`;
}

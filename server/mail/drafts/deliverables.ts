// Mails to payers about the items of their order.
import type { MailTexts } from '../texts.ts';
import { type Draft, type Line, markedSubject } from './draft.ts';

export interface DeliverableMails {
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
}

export const deliverableDrafts: {
  [T in keyof DeliverableMails]: (data: DeliverableMails[T], texts: MailTexts) => Draft;
} = {
  deliverables: ({ news, orderId, items, note, refund, path, simulation }, { deliverables: texts, order }) => {
    const named = items.map((one) => ({ ...one, name: texts.item[one.item] ?? one.item }));
    return {
      subject: markedSubject(texts.subject[news](orderId), simulation, order),
      body: texts[news](orderId),
      lines: [
        ...named.flatMap(({ name, dueAt, evidence, ifNot }) =>
          news === 'done'
            ? [name, ...(evidence ? [evidenceLine(evidence, texts)] : [])]
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
};

/** An uploaded image is stored with its path on the site, which alone opens nothing in a mail. */
const evidenceLine = (evidence: string, texts: MailTexts['deliverables']): Line =>
  evidence.startsWith('/media/') ? { text: texts.evidenceImage, path: evidence } : texts.evidence(evidence);

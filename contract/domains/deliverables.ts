import { oc } from '@orpc/contract';
import { z } from 'zod';
import { dueFrom } from '../admin/forms/deliverables.ts';
import { PLANS } from '../limits.ts';
import { type Plan, plan } from './payments.ts';

type Line = (typeof PLANS)[Plan]['items'][number];
/** Lines that include all items of another plan. */
const WHOLE_PLANS = { everythingInBasic: 'basic', everythingInStandard: 'standard' } as const satisfies Partial<
  Record<Line, Plan>
>;
/** An item that is delivered on its own. */
export type DeliverableItem = Exclude<Line, keyof typeof WHOLE_PLANS>;

/**
 * 'token': delivered with the token itself. 'chain': an operation on a chain. 'document', 'publication': readable at an
 * address. 'service': delivered over a period, such as support.
 */
export const deliverableKind = z.enum(['token', 'chain', 'document', 'publication', 'service']);
export type DeliverableKind = z.infer<typeof deliverableKind>;
export const evidenceKind = z.enum([
  /** The transaction that created the token, read back from the chain. */
  'creation',
  /** The team's closing note of a request delivered by hand. */
  'statement',
  /** The period in which it was in a sold place on this site. */
  'place',
  'url',
  'transaction',
  'file',
]);
/** A sold place on home: anywhere on it, or in its Top 3. */
export const placeKind = z.enum(['home', 'top3']);
/** A sold place; its times come from the database's clock. */
export const soldPlace = z.object({
  kind: placeKind,
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  /** Null while it is active. */
  endedAt: z.iso.datetime().nullable(),
  /** 'interrupted': the project left the place before its end. 'withdrawn': the deliverable was withdrawn. */
  endCause: z.enum(['time', 'interrupted', 'withdrawn']).nullable(),
});
export type SoldPlace = z.infer<typeof soldPlace>;

export const deliverableState = z.enum(['open', 'delivered', 'withdrawn']);

/** Kind of each item, and its default due time. Days. */
export const DELIVERABLES: Record<
  DeliverableItem,
  { kind: DeliverableKind; dueFrom: z.infer<typeof dueFrom>; dueDays: number }
> = {
  functionalToken: { kind: 'token', dueFrom: 'payment', dueDays: 7 },
  uniqueToken: { kind: 'token', dueFrom: 'payment', dueDays: 7 },
  configurableSupply: { kind: 'token', dueFrom: 'payment', dueDays: 7 },
  initialSupport: { kind: 'service', dueFrom: 'payment', dueDays: 14 },
  basicSupport: { kind: 'service', dueFrom: 'payment', dueDays: 14 },
  supportThirtyDays: { kind: 'service', dueFrom: 'token', dueDays: 30 },
  supportNinetyDays: { kind: 'service', dueFrom: 'token', dueDays: 90 },
  basicLiquidity: { kind: 'chain', dueFrom: 'token', dueDays: 14 },
  liquidityPool: { kind: 'chain', dueFrom: 'token', dueDays: 14 },
  initialStaking: { kind: 'chain', dueFrom: 'token', dueDays: 30 },
  governance: { kind: 'chain', dueFrom: 'token', dueDays: 60 },
  dapps: { kind: 'publication', dueFrom: 'token', dueDays: 60 },
  startupAdvertising: { kind: 'publication', dueFrom: 'token', dueDays: 14 },
  spotlightWeek: { kind: 'publication', dueFrom: 'token', dueDays: 21 },
  socialIntegration: { kind: 'publication', dueFrom: 'token', dueDays: 14 },
  marketingTwoWeeks: { kind: 'publication', dueFrom: 'token', dueDays: 30 },
  marketingMonth: { kind: 'publication', dueFrom: 'token', dueDays: 45 },
  exchangeListing: { kind: 'publication', dueFrom: 'token', dueDays: 90 },
  docs: { kind: 'document', dueFrom: 'token', dueDays: 14 },
  basicAudit: { kind: 'document', dueFrom: 'token', dueDays: 30 },
  fullAudit: { kind: 'document', dueFrom: 'token', dueDays: 45 },
  marketAnalysis: { kind: 'document', dueFrom: 'payment', dueDays: 30 },
  whitepapers: { kind: 'document', dueFrom: 'payment', dueDays: 45 },
};
export const DELIVERABLE_ITEMS = Object.keys(DELIVERABLES) as [DeliverableItem, ...DeliverableItem[]];
export const deliverableItem = z.enum(DELIVERABLE_ITEMS);

/** Kinds of evidence accepted for each kind of deliverable; a link to an explorer's page is accepted too. */
export const EVIDENCE_OF: Record<DeliverableKind, readonly ('url' | 'transaction' | 'file')[]> = {
  // Recorded automatically by the creation; a token created by hand needs a transaction.
  token: ['transaction', 'url'],
  chain: ['transaction', 'url'],
  document: ['url', 'file'],
  publication: ['url', 'file'],
  service: ['url', 'file'],
};

/** All items of a plan in its order, each with the plan's line that includes it. */
export function itemsOfPlan(of: Plan): { item: DeliverableItem; line: keyof typeof WHOLE_PLANS | null }[] {
  const lines: readonly Line[] = PLANS[of].items;
  return lines.flatMap((line): { item: DeliverableItem; line: keyof typeof WHOLE_PLANS | null }[] => {
    if (line !== 'everythingInBasic' && line !== 'everythingInStandard') return [{ item: line, line: null }];
    return itemsOfPlan(WHOLE_PLANS[line]).map(({ item }) => ({ item, line }));
  });
}

const terms = z.object({
  item: deliverableItem,
  kind: deliverableKind,
  dueFrom,
  dueDays: z.int(),
  /** The consequence of not delivering it. */
  ifNot: z.object({ es: z.string(), en: z.string() }),
  /** False when it cannot be delivered at present. */
  offered: z.boolean(),
});
export type DeliverableTerms = z.infer<typeof terms>;

export const deliverables = {
  /** Terms of each item of the plans, and the plans on sale. */
  terms: oc
    .route({ method: 'GET', path: '/deliverables', tags: ['deliverables'], summary: 'What plans promise, by when' })
    .output(
      z.object({
        items: z.array(terms),
        plans: z.array(z.object({ plan, onSale: z.boolean(), missing: z.array(deliverableItem) })),
      }),
    ),
};

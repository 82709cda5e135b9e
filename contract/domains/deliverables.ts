import { oc } from '@orpc/contract';
import { z } from 'zod';
import { dueFrom } from '../admin/forms/deliverables.ts';
import { PLANS } from '../limits.ts';
import { type Plan, plan } from './payments.ts';

type Line = (typeof PLANS)[Plan]['items'][number];
/** Lines that stand for all items of another plan. */
const WHOLE_PLANS = { everythingInBasic: 'basic', everythingInStandard: 'standard' } as const satisfies Partial<
  Record<Line, Plan>
>;
/** What somebody has to deliver. */
export type DeliverableItem = Exclude<Line, keyof typeof WHOLE_PLANS>;

/**
 * 'token': there as soon as the token is. 'chain': done on a chain. 'document', 'publication': can be read somewhere.
 * 'service': done over a time, such as support.
 */
export const deliverableKind = z.enum(['token', 'chain', 'document', 'publication', 'service']);
export type DeliverableKind = z.infer<typeof deliverableKind>;
export const evidenceKind = z.enum([
  /** The transaction that created the token, read back from the chain. */
  'creation',
  /** What the team says when it closes a request that it delivered by hand. */
  'statement',
  /** From when to when it stood in a place of this site that was sold. */
  'place',
  'url',
  'transaction',
  'file',
]);
/** A place on home that a plan sold: somewhere on it, or in its Top 3. */
export const placeKind = z.enum(['home', 'top3']);
/** One such place; its times are the database's own. */
export const soldPlace = z.object({
  kind: placeKind,
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  /** Null while it runs. */
  endedAt: z.iso.datetime().nullable(),
  /** 'interrupted': the project left the place before its end. 'withdrawn': what was sold was. */
  endCause: z.enum(['time', 'interrupted', 'withdrawn']).nullable(),
});
export type SoldPlace = z.infer<typeof soldPlace>;

export const deliverableState = z.enum(['open', 'delivered', 'withdrawn']);

/** What kind each item is, and by when it is due unless the team says otherwise. Days. */
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

/** Evidence that a person may give for each kind; a link to a page of an explorer is one too. */
export const EVIDENCE_OF: Record<DeliverableKind, readonly ('url' | 'transaction' | 'file')[]> = {
  // Its creation says so by itself; a token made by hand has a transaction.
  token: ['transaction', 'url'],
  chain: ['transaction', 'url'],
  document: ['url', 'file'],
  publication: ['url', 'file'],
  service: ['url', 'file'],
};

/** Everything that a plan sells, in its own order, with the line of the plan that stands for it. */
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
  /** What the team does if it does not happen. */
  ifNot: z.object({ es: z.string(), en: z.string() }),
  /** False: nobody can deliver it now. */
  offered: z.boolean(),
});
export type DeliverableTerms = z.infer<typeof terms>;

export const deliverables = {
  /** What each item of the plans means, and which plans are sold now. */
  terms: oc
    .route({ method: 'GET', path: '/deliverables', tags: ['deliverables'], summary: 'What plans promise, by when' })
    .output(
      z.object({
        items: z.array(terms),
        plans: z.array(z.object({ plan, onSale: z.boolean(), missing: z.array(deliverableItem) })),
      }),
    ),
};

import { EMPTY, type KnownFacts } from './reduce.policy.ts';

/** The known facts as the column `payments.ledger` has them: `polledAt` has its earlier name there. */
type StoredFacts = Omit<KnownFacts, 'polledAt'> & { askedAt: number };

export const toStoredFacts = ({ polledAt, ...facts }: KnownFacts): StoredFacts => ({ ...facts, askedAt: polledAt });

/** Facts that an earlier version did not store have their empty value, except for the completed deposits. */
export function fromStoredFacts(stored: Record<string, unknown>): KnownFacts {
  const { askedAt = EMPTY.polledAt, ...facts } = stored as Partial<StoredFacts>;
  return { ...EMPTY, completed: completedBefore(facts.deposits), ...facts, polledAt: askedAt };
}

/** Earlier versions posted every returned deposit as one that had counted. */
const completedBefore = (deposits: KnownFacts['deposits'] = {}): string[] =>
  Object.values(deposits)
    .filter(({ status }) => status === 'finished' || status === 'partially_paid' || status === 'refunded')
    .map(({ paymentId }) => paymentId)
    .toSorted();

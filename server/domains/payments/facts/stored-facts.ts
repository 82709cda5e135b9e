import { EMPTY, type KnownFacts } from './reduce.policy.ts';

/** The known facts as the column `payments.ledger` has them: `polledAt` has its earlier name there. */
type StoredFacts = Omit<KnownFacts, 'polledAt'> & { askedAt: number };

export const toStoredFacts = ({ polledAt, ...facts }: KnownFacts): StoredFacts => ({ ...facts, askedAt: polledAt });

/** Facts that an earlier version did not store have their empty value. */
export function fromStoredFacts(stored: Record<string, unknown>): KnownFacts {
  const { askedAt = EMPTY.polledAt, ...facts } = stored as Partial<StoredFacts>;
  return { ...EMPTY, ...facts, polledAt: askedAt };
}

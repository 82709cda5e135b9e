import type { ProviderStatus } from '#server/providers/payments/port.ts';
import { EMPTY, type KnownFacts } from './reduce.policy.ts';

/** The known facts as stored in the column `payments.ledger`, where `polledAt` has its former name. */
type StoredFacts = Omit<KnownFacts, 'polledAt'> & { askedAt: number };

export const toStoredFacts = ({ polledAt, ...facts }: KnownFacts): StoredFacts => ({ ...facts, askedAt: polledAt });

/** Facts that an earlier version did not store get their empty value, except for the completed and failed deposits. */
export function fromStoredFacts(stored: Record<string, unknown>): KnownFacts {
  const { askedAt = EMPTY.polledAt, ...facts } = stored as Partial<StoredFacts>;
  const ended = { completed: before(facts.deposits, COUNTED), failed: before(facts.deposits, FAILED) };
  return { ...EMPTY, ...ended, ...facts, polledAt: askedAt };
}

/** Earlier versions posted every returned deposit as one that had counted. */
const COUNTED: readonly ProviderStatus[] = ['finished', 'partially_paid', 'refunded'];
const FAILED: readonly ProviderStatus[] = ['failed', 'expired'];

const before = (deposits: KnownFacts['deposits'] = {}, statuses: readonly ProviderStatus[]): string[] =>
  Object.values(deposits)
    .filter(({ status }) => statuses.includes(status))
    .map(({ paymentId }) => paymentId)
    .toSorted();

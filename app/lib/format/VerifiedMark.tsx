import { Tick } from '#app/ui/art/Tick.tsx';
import type { VerifiedBy } from '#contract/domains/ownership.ts';
import { useLocale, useText } from '../i18n/i18n.tsx';
import { day } from './format.ts';

/** The mark of a token whose creator proved to answer for it, and what was proven when; nothing without a proof. */
export function VerifiedMark({ proofs }: { proofs: VerifiedBy | undefined }) {
  const text = useText().shared;
  const locale = useLocale();
  // Pages of a former version, seen without a connection, know of none.
  if (!proofs?.length) return null;
  const lines = proofs.map(({ by, what, at }) => `${text.verifiedBy[by](what)}, ${text.since(day(at, locale))}`);
  return <Tick label={`${text.verified}: ${lines.join('; ')}`} />;
}

import { Tick } from '#app/ui/art/Tick.tsx';
import type { VerifiedBy } from '#contract/domains/ownership.ts';
import { useLocale, useText } from '../i18n/i18n.tsx';
import { day } from './format.ts';

/** The mark of a token with a valid ownership proof, with what was proven and when; renders nothing without one. */
export function VerifiedMark({ proofs }: { proofs: VerifiedBy | undefined }) {
  const text = useText().shared;
  const locale = useLocale();
  // Pages cached by an earlier version have no proofs.
  if (!proofs?.length) return null;
  const lines = proofs.map(({ by, what, at }) => `${text.verifiedBy[by](what)}, ${text.since(day(at, locale))}`);
  return <Tick label={`${text.verified}: ${lines.join('; ')}`} />;
}

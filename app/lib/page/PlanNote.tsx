import type { Plan } from '#contract/domains/payments.ts';
import { useLocale, useSite } from '../i18n/i18n.tsx';

/** The operators' note on the price of a plan; renders nothing without one. */
export function PlanNote({ plan, id, className }: { plan: Plan; id?: string; className?: string }) {
  const locale = useLocale();
  const note = useSite().planNotes[plan];
  if (!note) return null;
  return (
    <p id={id} className={`text-sm whitespace-pre-line wrap-anywhere text-quiet ${className ?? ''}`}>
      {note[locale]}
    </p>
  );
}

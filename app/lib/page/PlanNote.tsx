import type { Plan } from '#contract/domains/payments.ts';
import { useLocale, useSite } from '../i18n/i18n.tsx';

/** What the operators say beside the price of a plan; nothing where they say nothing. */
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

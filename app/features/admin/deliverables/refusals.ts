import { codeOf } from '#app/lib/api/failure.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminDeliverablesTexts } from '#app/lib/messages/admin/deliverables.ts';
import { adminRefundsTexts } from '#app/lib/messages/admin/refunds.ts';
import { plansTexts } from '#app/lib/messages/plans.ts';
import { useAdminFailure } from '../kit/failures.ts';

interface Refusal {
  why?: string;
  orderId?: string;
  what?: string;
  by?: string | null;
}

/** Messages for refusals of the server about deliverables and refunds, one for each reason. */
export function useRefusal(): (error: unknown) => string {
  const text = useText(adminDeliverablesTexts, adminRefundsTexts, plansTexts);
  const failure = useAdminFailure('tokens');
  const items: Record<string, string> = text.plans.item;
  return (error) => {
    const code = codeOf(error);
    const { why = '', orderId = '', what = '', by = null } = (error as { data?: Refusal }).data ?? {};
    const deliverables: Record<string, unknown> = text.deliverables.refused;
    const refunds: Record<string, unknown> = text.adminRefunds.refused;
    if (code === 'REFUND_CLAIMED') return text.adminRefunds.refused.claimed(by ?? text.adminRefunds.claim.nobody);
    if (code === 'EVIDENCE_USED')
      return what.startsWith('RF-')
        ? text.adminRefunds.refused.used(orderId, what)
        : text.deliverables.refused.used(orderId, items[what] ?? what);
    const own =
      code === 'EVIDENCE_REFUSED' || code === 'PLACE_REFUSED'
        ? deliverables[why]
        : code === 'REFUND_REFUSED'
          ? (refunds[why] ?? deliverables[why])
          : undefined;
    return typeof own === 'string' ? own : failure(error);
  };
}

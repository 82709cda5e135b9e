import { TermsPanel } from '#app/features/admin/deliverables/TermsPanel.tsx';
import { AdminScreen } from '#app/features/admin/kit/AdminScreen.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminDeliverablesTexts } from '#app/lib/messages/admin/deliverables.ts';

/** /admin/deliverable-terms */
export default function DeliverableTermsPage() {
  const messages = useText(adminDeliverablesTexts).deliverables.terms;
  return (
    <AdminScreen title={messages.heading} lead={messages.lead}>
      <TermsPanel />
    </AdminScreen>
  );
}

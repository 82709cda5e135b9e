import { AdminScreen } from '#app/features/admin/kit/AdminScreen.tsx';
import { ReportsPanel } from '#app/features/admin/reports/ReportsPanel.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminReportsTexts } from '#app/lib/messages/admin/reports.ts';

/** /admin/reports */
export default function ReportsScreen() {
  const messages = useText(adminReportsTexts).reports;
  return (
    <AdminScreen title={messages.heading} lead={messages.lead}>
      <ReportsPanel />
    </AdminScreen>
  );
}

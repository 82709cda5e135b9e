import { Dashboard } from '#app/features/admin/dashboard/Dashboard.tsx';
import { AdminScreen } from '#app/features/admin/kit/AdminScreen.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminDashboardTexts } from '#app/lib/messages/admin/dashboard.ts';

/** /admin */
export default function DashboardPage() {
  const messages = useText(adminDashboardTexts).dashboard;
  return (
    <AdminScreen title={messages.heading} lead={messages.lead} back={null}>
      <Dashboard />
    </AdminScreen>
  );
}

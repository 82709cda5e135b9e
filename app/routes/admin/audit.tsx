import { AuditLog } from '#app/features/admin/audit/AuditLog.tsx';
import { AdminScreen } from '#app/features/admin/kit/AdminScreen.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminAuditTexts } from '#app/lib/messages/admin/audit.ts';

/** /admin/audit */
export default function AuditPage() {
  const messages = useText(adminAuditTexts).audit;
  return (
    <AdminScreen title={messages.heading} lead={messages.lead}>
      <AuditLog />
    </AdminScreen>
  );
}

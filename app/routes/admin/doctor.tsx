import { AdminScreen } from '#app/features/admin/kit/AdminScreen.tsx';
import { Findings } from '#app/features/admin/settings/Findings.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminSettingsTexts } from '#app/lib/messages/admin/settings.ts';

/** /admin/doctor */
export default function DoctorScreen() {
  const messages = useText(adminSettingsTexts).settings.doctor;
  return (
    <AdminScreen title={messages.heading} lead={messages.lead}>
      <Findings />
    </AdminScreen>
  );
}

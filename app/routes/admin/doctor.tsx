import { Findings } from '#app/features/admin/doctor/Findings.tsx';
import { AdminScreen } from '#app/features/admin/kit/AdminScreen.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminDoctorTexts } from '#app/lib/messages/admin/doctor.ts';

/** /admin/doctor */
export default function DoctorScreen() {
  const messages = useText(adminDoctorTexts).doctor;
  return (
    <AdminScreen title={messages.heading} lead={messages.lead}>
      <Findings />
    </AdminScreen>
  );
}

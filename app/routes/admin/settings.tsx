import { AdminScreen } from '#app/features/admin/kit/AdminScreen.tsx';
import { SettingsPanel } from '#app/features/admin/settings/SettingsPanel.tsx';
import { ImageUpload } from '#app/features/media/ImageUpload.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminSettingsTexts } from '#app/lib/messages/admin/settings.ts';

/** /admin/settings */
export default function SettingsScreen() {
  const messages = useText(adminSettingsTexts).settings;
  return (
    <AdminScreen title={messages.heading} lead={messages.lead}>
      <SettingsPanel picker={(slot) => <ImageUpload bucket="project-images" {...slot} />} />
    </AdminScreen>
  );
}

import { AdminScreen } from '#app/features/admin/kit/AdminScreen.tsx';
import { Library } from '#app/features/admin/media/Library.tsx';
import { ImageUpload } from '#app/features/media/ImageUpload.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminMediaTexts } from '#app/lib/messages/admin/media.ts';

/** /admin/media */
export default function MediaPage() {
  const { library: messages } = useText(adminMediaTexts);
  return (
    <AdminScreen title={messages.heading} lead={messages.lead}>
      <Library picker={(slot) => <ImageUpload bucket="project-images" {...slot} />} />
    </AdminScreen>
  );
}

import { AdminScreen } from '#app/features/admin/kit/AdminScreen.tsx';
import { TokenCreation } from '#app/features/admin/token-creation/TokenCreation.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminTokenTexts } from '#app/lib/messages/admin/token-creation.ts';

/** /admin/token-creation */
export default function TokenCreationPage() {
  const messages = useText(adminTokenTexts).tokenAdmin;
  return (
    <AdminScreen title={messages.heading} lead={messages.lead}>
      <TokenCreation />
    </AdminScreen>
  );
}

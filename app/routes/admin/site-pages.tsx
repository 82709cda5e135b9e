import { AdminScreen } from '#app/features/admin/kit/AdminScreen.tsx';
import { SitePagesPanel } from '#app/features/admin/site-pages/SitePagesPanel.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminSitePagesTexts } from '#app/lib/messages/admin/site-pages.ts';

/** /admin/site-pages */
export default function SitePagesScreen() {
  const messages = useText(adminSitePagesTexts).sitePagesAdmin;
  return (
    <AdminScreen title={messages.heading} lead={messages.lead}>
      <SitePagesPanel />
    </AdminScreen>
  );
}

import { Outlet } from 'react-router';
import { LanguageProvider } from '#app/lib/i18n.tsx';
import { es } from '#app/lib/messages/es.ts';
import { ToastArea } from '#app/lib/ToastArea.tsx';

/** The back office, in Spanish. */
export default function AdminLayout() {
  return (
    <LanguageProvider locale="es" text={es}>
      <main id="content">
        <Outlet />
      </main>
      <ToastArea />
    </LanguageProvider>
  );
}

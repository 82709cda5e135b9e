import { type HeadersArgs, isRouteErrorResponse, Outlet } from 'react-router';
import { ErrorContent } from '#app/lib/ErrorScreen.tsx';
import { useLocale } from '#app/lib/i18n.tsx';

/** When a page is refused, the answer says for how long. */
export const headers = ({ errorHeaders }: HeadersArgs): Headers => errorHeaders ?? new Headers();

/** What stands between header and footer. A page that fails, is refused or does not exist leaves those two in place. */
export default function Content() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: { error: unknown }) {
  return <ErrorContent locale={useLocale()} status={isRouteErrorResponse(error) ? error.status : 500} />;
}

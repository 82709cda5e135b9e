import { type HeadersArgs, isRouteErrorResponse } from 'react-router';
import { es } from '#app/lib/messages/es.ts';
import { LanguageFailure, LanguageLayout } from './language-layout.tsx';

/** A refused page has a Retry-After header. */
export const headers = ({ errorHeaders }: HeadersArgs): Headers => errorHeaders ?? new Headers();

/** Public pages in the default language. */
export default function Spanish() {
  return <LanguageLayout locale="es" text={es} />;
}

export function ErrorBoundary({ error }: { error: unknown }) {
  return <LanguageFailure locale="es" text={es} status={isRouteErrorResponse(error) ? error.status : 500} />;
}

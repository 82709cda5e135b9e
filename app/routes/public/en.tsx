import { type HeadersArgs, isRouteErrorResponse } from 'react-router';
import { en } from '#app/lib/messages/en.ts';
import { LanguageFailure, LanguageLayout } from './language-layout.tsx';

/** A refused page has a Retry-After header. */
export const headers = ({ errorHeaders }: HeadersArgs): Headers => errorHeaders ?? new Headers();

/** Public pages in English. */
export default function English() {
  return <LanguageLayout locale="en" text={en} />;
}

export function ErrorBoundary({ error }: { error: unknown }) {
  return <LanguageFailure locale="en" text={en} status={isRouteErrorResponse(error) ? error.status : 500} />;
}

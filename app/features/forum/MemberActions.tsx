import { lazy, Suspense } from 'react';
import { loadWithRetry } from '#app/lib/page/lazy-loading.ts';
import type { ActionsProps } from './Actions.tsx';

// With its dialogs it is half as large as the rest of the page, and visitors never need it.
const Actions = lazy(() => loadWithRetry(() => import('./Actions.tsx')));

/** Actions of a member on a post or comment, once their code is loaded. */
export const MemberActions = (props: ActionsProps) => (
  <Suspense>
    <Actions {...props} />
  </Suspense>
);

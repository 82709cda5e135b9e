import { lazy, Suspense, useState } from 'react';
import type { DialogProps } from '#app/ui/controls/Dialog.tsx';
import { loadWithRetry } from './lazy-loading.ts';

const Loaded = lazy(() =>
  loadWithRetry(() => import('#app/ui/controls/Dialog.tsx')).then(({ Dialog }) => ({ default: Dialog })),
);

/** A rarely opened dialog: its code, a tenth of a page's, is loaded when it is first opened. */
export function LazyDialog(props: DialogProps) {
  const [wanted, setWanted] = useState(props.open);
  if (props.open && !wanted) setWanted(true);
  return wanted ? (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  ) : null;
}

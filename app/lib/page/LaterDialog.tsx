import { lazy, Suspense, useState } from 'react';
import type { DialogProps } from '#app/ui/controls/Dialog.tsx';
import { loadWithRetry } from './later.ts';

const Loaded = lazy(() =>
  loadWithRetry(() => import('#app/ui/controls/Dialog.tsx')).then(({ Dialog }) => ({ default: Dialog })),
);

/** A dialog that hardly anybody opens: its code, a tenth of a page's, comes when it is opened first. */
export function LaterDialog(props: DialogProps) {
  const [wanted, setWanted] = useState(props.open);
  if (props.open && !wanted) setWanted(true);
  return wanted ? (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  ) : null;
}

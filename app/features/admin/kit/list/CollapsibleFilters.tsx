import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { useMediaQuery } from '../useMediaQuery.ts';

interface CollapsibleFiltersProps {
  /** Number of active filters, shown while the filters are collapsed. */
  active: number;
  children: ReactNode;
}

/** The filters of a list; on a phone they collapse behind one button. */
export function CollapsibleFilters({ active, children }: CollapsibleFiltersProps) {
  const messages = useText(adminTexts).admin.list;
  const phone = useMediaQuery('(width < 40rem)');
  const [open, setOpen] = useState(false);
  if (!phone) return children;
  return (
    <>
      <Button size="sm" aria-expanded={open} onClick={() => setOpen(!open)}>
        <SlidersHorizontal aria-hidden="true" />
        {messages.filters}
        {active > 0 ? <span className="admin-figure">{active}</span> : null}
      </Button>
      {open ? children : null}
    </>
  );
}

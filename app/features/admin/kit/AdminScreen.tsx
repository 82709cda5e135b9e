import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { Badge } from '#app/ui/layout/Badge.tsx';

export interface AdminScreenProps {
  title: string;
  /** The title as it stands on the screen, where it is more than a text. */
  heading?: ReactNode;
  /** Number of items, next to the title. */
  count?: ReactNode;
  lead?: ReactNode;
  /** Target of the back link; default: the dashboard; null for none. */
  back?: { to: string; label: string } | null;
  /** Buttons at the right: 'Nuevo …', 'Actualizar'. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame of a screen of the back office: back link, title, count, actions. */
export function AdminScreen({ title, heading = title, count, lead, back, actions, children }: AdminScreenProps) {
  const text = useText(adminTexts);
  const href = useHref();
  const backLink = back === undefined ? { to: '/admin', label: text.admin.list.back } : back;
  return (
    <div className="admin-screen">
      <title>{text.admin.title(title)}</title>
      <header className="admin-head">
        <div className="min-w-0">
          {backLink ? (
            <Link to={href(backLink.to)} className="admin-back">
              <ArrowLeft aria-hidden="true" />
              {backLink.label}
            </Link>
          ) : null}
          <h1>
            {heading}
            {count === undefined ? null : <Badge>{count}</Badge>}
          </h1>
          {lead ? <p className="mt-1 max-w-[46rem] text-quiet">{lead}</p> : null}
        </div>
        {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
      </header>
      {children}
    </div>
  );
}

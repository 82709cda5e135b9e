import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { type ButtonLook, buttonClass } from '#app/ui/controls/button-class.ts';

interface OutsideLinkProps extends Omit<ButtonLook, 'icon'> {
  href: string;
  children: ReactNode;
}

/** A link to another site that looks like a button: opens a new tab, and says so. */
export function OutsideLink({ href, children, ...look }: OutsideLinkProps) {
  const { newTab } = useText().shared;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={buttonClass(look)}>
      {children}
      <ExternalLink aria-hidden="true" />
      <span className="visually-hidden">({newTab})</span>
    </a>
  );
}

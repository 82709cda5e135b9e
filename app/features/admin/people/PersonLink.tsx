import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useHref } from '#app/lib/i18n/i18n.tsx';
import { useRights } from '../kit/rights.tsx';

interface PersonLinkProps {
  /** Their account; null without one. */
  id: string | null;
  /** Without an account, the mailbox that records of theirs name. */
  mailbox?: string | null | undefined;
  /** Their name, as the screen shows it. */
  children: ReactNode;
  className?: string | undefined;
}

/** A name that links to the page of that person for admins who may read it; for others the name alone. */
export function PersonLink({ id, mailbox, children, className }: PersonLinkProps) {
  const href = useHref();
  const { may } = useRights();
  const page = id
    ? may('people.read') && `/admin/people/${id}`
    : mailbox && may('mailboxes.read') && `/admin/mailbox?${new URLSearchParams({ address: mailbox })}`;
  if (!page) return children;
  return (
    <Link className={className ? `link ${className}` : 'link'} to={href(page)}>
      {children}
    </Link>
  );
}

import { type ReactNode, useEffect, useId, useRef } from 'react';
import { cx } from '#app/ui/cx.ts';
import { Card } from '#app/ui/layout/Card.tsx';

interface AccountSectionProps {
  title: string;
  /** Fragment of links to this part. */
  name?: string;
  /** A state as text, next to the title. */
  badge?: ReactNode;
  lead?: ReactNode;
  /** The action can't be undone. */
  danger?: boolean;
  children: ReactNode;
}

/** One section of the account page: description at the left, actions at the right. */
export function AccountSection({ title, name, badge, lead, danger, children }: AccountSectionProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  // The part is rendered after the account was read: the browser found no such element when it opened the address.
  useEffect(() => {
    if (name && location.hash === `#${name}`) heading.current?.focus();
  }, [name]);
  return (
    <section aria-labelledby={id} id={name}>
      <Card
        className={cx(
          'grid gap-x-8 gap-y-4 p-5 sm:p-6 md:grid-cols-[15rem_minmax(0,1fr)]',
          danger && 'border-coral-text',
        )}
      >
        <div>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <h2
              ref={heading}
              tabIndex={name ? -1 : undefined}
              id={id}
              className={cx('text-xl', danger && 'text-coral-text')}
            >
              {title}
            </h2>
            {badge}
          </div>
          {lead ? <p className="mt-2 text-sm text-quiet">{lead}</p> : null}
        </div>
        <div className="grid content-start gap-4">{children}</div>
      </Card>
    </section>
  );
}

import { type ReactNode, useId } from 'react';
import { cx } from '#app/ui/cx.ts';
import { Card } from '#app/ui/layout/Card.tsx';

interface PartProps {
  title: string;
  /** A state as text, next to the title. */
  badge?: ReactNode;
  lead?: ReactNode;
  /** The action can't be undone. */
  danger?: boolean;
  children: ReactNode;
}

/** One section of the account page: description at the left, actions at the right. */
export function Part({ title, badge, lead, danger, children }: PartProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Card
        className={cx(
          'grid gap-x-8 gap-y-4 p-5 sm:p-6 md:grid-cols-[15rem_minmax(0,1fr)]',
          danger && 'border-coral-text',
        )}
      >
        <div>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <h2 id={id} className={cx('text-xl', danger && 'text-coral-text')}>
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

import { type ReactNode, useId } from 'react';
import { Card } from '#app/ui/Card.tsx';

interface PartProps {
  title: string;
  /** Beside the title: a state in words. */
  badge?: ReactNode;
  lead?: ReactNode;
  children: ReactNode;
}

/** One subject of the account page: what it is at the left, what can be done at the right. */
export function Part({ title, badge, lead, children }: PartProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Card className="grid gap-x-8 gap-y-4 p-5 sm:p-6 md:grid-cols-[15rem_minmax(0,1fr)]">
        <div>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <h2 id={id} className="text-xl">
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

import { cx } from '../cx.ts';

/** A placeholder for loading content: give it the size of the content, `<Skeleton className="h-6 w-40" />`. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return <div className={cx('skeleton', className)} aria-hidden="true" />;
}

export interface SkeletonGroupProps {
  /** Announced once to screen readers for the whole group. */
  label: string;
  className?: string | undefined;
  children: React.ReactNode;
}

/** Wraps the skeletons of one list and announces loading once. */
export function SkeletonGroup({ label, className, children }: SkeletonGroupProps) {
  return (
    <div className={className} role="status">
      <span className="visually-hidden">{label}</span>
      {children}
    </div>
  );
}

/** The shape of a `TokenTicket`, for grids. */
export function TokenTicketSkeleton() {
  return (
    <div className="ticket token-ticket" aria-hidden="true">
      <div className="ticket-body">
        <div className="token-ticket-head">
          <div className="token-ticket-image">
            <Skeleton className="aspect-square rounded-[22%]" />
          </div>
          <div className="grid gap-2">
            <Skeleton className="h-6 w-3/4" />
            <Skeleton className="h-5 w-2/5" />
          </div>
        </div>
        <Skeleton className="mt-3.5 h-11" />
        <div className="token-ticket-figures">
          <Skeleton className="h-12" />
          <Skeleton className="h-8" />
        </div>
      </div>
      <div className="ticket-stub">
        <span className="ticket-perf" />
        <Skeleton className="h-7 w-1/2" />
      </div>
    </div>
  );
}

/** The shape of a `RankRow`. */
export function RankRowSkeleton() {
  return <Skeleton className="h-40 rounded-card md:h-[5.5rem]" />;
}

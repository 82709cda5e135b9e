import { TicketGrid } from './Page.tsx';
import { SkeletonGroup, TokenTicketSkeleton } from './Skeleton.tsx';

/** A grid of tokens while it is loading. */
export function GridSkeleton({ label, count = 3 }: { label: string; count?: number }) {
  return (
    <SkeletonGroup label={label}>
      <TicketGrid>
        {Array.from({ length: count }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity.
          <TokenTicketSkeleton key={i} />
        ))}
      </TicketGrid>
    </SkeletonGroup>
  );
}

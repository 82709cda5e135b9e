import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { Screen } from './failures.ts';
import { LoadError } from './LoadError.tsx';

interface LoadingOrErrorProps {
  query: { isError: boolean; error: unknown; refetch: () => unknown };
  /** Announced to screen readers while the data loads. */
  loading: string;
  /** Text that names what could not be loaded; the reason follows. */
  failed: string;
  /** Classes of one placeholder each, in the size of the content. */
  placeholders: readonly string[];
  /** The screen whose message is used for a lost session. */
  screen?: Screen | undefined;
  /** Classes of the error. */
  className?: string | undefined;
}

/** Shown while a query has no data: placeholders, or why it failed with a button to retry. */
export function LoadingOrError({ query, loading, failed, placeholders, screen, className }: LoadingOrErrorProps) {
  if (query.isError) return <LoadError what={failed} of={query} screen={screen} className={className} />;
  return (
    <SkeletonGroup label={loading} className="grid gap-3">
      {placeholders.map((size, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change, and sizes repeat.
        <Skeleton key={index} className={size} />
      ))}
    </SkeletonGroup>
  );
}

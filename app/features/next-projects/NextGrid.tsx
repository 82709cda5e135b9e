import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { itemsOf } from '#app/lib/api/pages.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { SceneClosedGate } from '#app/ui/art/scenes/SceneClosedGate.tsx';
import { Button } from '#app/ui/controls/Button.tsx';
import { useLoadMore } from '#app/ui/controls/useLoadMore.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { GridSkeleton } from '#app/ui/layout/GridSkeleton.tsx';
import { TicketGrid } from '#app/ui/layout/Page.tsx';
import type { NextProject } from '#contract/domains/next-projects.ts';
import { NextCard } from './NextCard.tsx';
import { nextGridQuery } from './next-projects.queries.ts';

interface NextGridProps {
  /** Renders the follow button of a launch. */
  follow: (project: NextProject) => ReactNode;
}

/** Upcoming launches in home's grid, each with its countdown. */
export function NextGrid({ follow }: NextGridProps) {
  const text = useText();
  const { data, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(nextGridQuery());
  const projects = itemsOf(data?.pages);
  const further = useLoadMore<HTMLDivElement>(projects.length, isFetchingNextPage, ':scope > article', fetchNextPage);
  if (isPending) return <GridSkeleton label={text.home.loading} />;
  if (projects.length === 0)
    return <EmptyState level={3} scene={<SceneClosedGate />} title={text.home.empty} text={text.home.emptyHint} />;
  return (
    <>
      <TicketGrid ref={further.list}>
        {projects.map((project) => (
          <NextCard
            key={project.id}
            project={project}
            serverTime={data?.pages[0]?.serverTime ?? ''}
            corner={follow(project)}
          />
        ))}
      </TicketGrid>
      {hasNextPage ? (
        <div className="mt-8 flex justify-center">
          <Button {...further.button} busyLabel={text.home.loadingMore}>
            {text.home.more}
          </Button>
        </div>
      ) : null}
    </>
  );
}

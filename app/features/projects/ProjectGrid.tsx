import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { itemsOf } from '#app/lib/api/pages.ts';
import { integer } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { SceneConstruction } from '#app/ui/art/scenes/SceneConstruction.tsx';
import { Button } from '#app/ui/controls/Button.tsx';
import { useLoadMore } from '#app/ui/controls/useLoadMore.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { GridSkeleton } from '#app/ui/layout/GridSkeleton.tsx';
import { TicketGrid } from '#app/ui/layout/Page.tsx';
import type { Project } from '#contract/domains/projects.ts';
import { ProjectCard } from './ProjectCard.tsx';
import { podiumQuery, projectsQuery } from './projects.queries.ts';

interface ProjectGridProps {
  order: 'others' | 'new';
  /** Renders the follow button of a project. */
  follow: (project: Project) => ReactNode;
}

/** The projects on home, paginated; 'others' are those that are not on the podium above. */
export function ProjectGrid({ order, follow }: ProjectGridProps) {
  const text = useText();
  const locale = useLocale();
  const { data, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(projectsQuery(order));
  const projects = itemsOf(data?.pages);
  const further = useLoadMore<HTMLDivElement>(projects.length, isFetchingNextPage, ':scope > article', fetchNextPage);
  const { data: podium } = useQuery(podiumQuery());
  if (isPending) return <GridSkeleton label={text.home.loading} count={6} />;
  if (projects.length === 0 && order === 'others' && podium?.length)
    return <p className="text-quiet">{text.home.restOnPodium}</p>;
  if (projects.length === 0)
    return <EmptyState level={3} scene={<SceneConstruction />} title={text.home.empty} text={text.home.emptyHint} />;
  return (
    <>
      <TicketGrid ref={further.list}>
        {projects.map((project, i) => (
          <ProjectCard key={project.id} project={project} eager={i < 3} corner={follow(project)} />
        ))}
      </TicketGrid>
      <div className="mt-8 flex flex-col items-center gap-3">
        <p className="text-sm text-quiet" role="status">
          {text.home.shown(
            integer(projects.length, locale),
            integer(data?.pages.at(-1)?.total ?? projects.length, locale),
          )}
        </p>
        {hasNextPage ? (
          <Button {...further.button} busyLabel={text.home.loadingMore}>
            {text.home.more}
          </Button>
        ) : null}
      </div>
    </>
  );
}

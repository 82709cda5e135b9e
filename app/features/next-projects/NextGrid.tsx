import { useInfiniteQuery } from '@tanstack/react-query';
import { useHref, useText } from '#app/lib/i18n.tsx';
import { LaunchCountdown } from '#app/lib/LaunchCountdown.tsx';
import { Badge } from '#app/ui/Badge.tsx';
import { Button } from '#app/ui/Button.tsx';
import { EmptyState } from '#app/ui/EmptyState.tsx';
import { TicketGrid } from '#app/ui/Page.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/Skeleton.tsx';
import { Stat } from '#app/ui/Stat.tsx';
import { SceneClosedGate } from '#app/ui/scenes.tsx';
import { TokenImage } from '#app/ui/TokenImage.tsx';
import { TokenTicket } from '#app/ui/TokenTicket.tsx';
import { nextGridQuery } from './next-projects.queries.ts';

/** Upcoming launches in home's grid, each with its countdown. */
export function NextGrid() {
  const text = useText();
  const href = useHref();
  const { data, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(nextGridQuery());
  if (isPending)
    return (
      <SkeletonGroup label={text.home.loading}>
        <Skeleton className="h-96 rounded-card" />
      </SkeletonGroup>
    );
  const projects = (data?.pages ?? []).flatMap((page) => page.items);
  if (projects.length === 0)
    return <EmptyState level={3} scene={<SceneClosedGate />} title={text.home.empty} text={text.home.emptyHint} />;
  return (
    <>
      <TicketGrid>
        {projects.map((project) => (
          <TokenTicket
            key={project.id}
            to={href(`/token/${project.id}`)}
            image={<TokenImage id={project.id} symbol={project.tokenSymbol} src={project.imageUrl} alt="" />}
            title={project.tokenName}
            symbol={`$${project.tokenSymbol}`}
            badge={
              <Badge tone={project.status === 'launched' ? 'sky' : 'mint'}>{text.home.status[project.status]}</Badge>
            }
            description={project.description || text.token.defaultDescription}
            stats={
              <dl>
                <Stat label={text.home.marketCap} value={project.marketCap} />
              </dl>
            }
            progress={{ value: project.progressPercentage, label: text.home.progress }}
            stub={
              <LaunchCountdown
                countdownEnd={project.countdownEnd}
                launchDate={project.launchDate}
                launched={project.status === 'launched'}
                serverTime={data?.pages[0]?.serverTime ?? ''}
              />
            }
          />
        ))}
      </TicketGrid>
      {hasNextPage ? (
        <div className="mt-8 flex justify-center">
          <Button busy={isFetchingNextPage} busyLabel={text.home.loadingMore} onClick={() => void fetchNextPage()}>
            {text.home.more}
          </Button>
        </div>
      ) : null}
    </>
  );
}

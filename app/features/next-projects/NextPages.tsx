import { type ReactNode, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { ApiFailure } from '#app/lib/api/failure.ts';
import { integer } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { nextTexts } from '#app/lib/messages/next.ts';
import { SceneClosedGate } from '#app/ui/art/scenes/SceneClosedGate.tsx';
import { Button } from '#app/ui/controls/Button.tsx';
import { Pagination } from '#app/ui/controls/Pagination.tsx';
import { cx } from '#app/ui/cx.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { English } from '#app/ui/layout/English.tsx';
import { Section, TicketGrid } from '#app/ui/layout/Page.tsx';
import { SkeletonGroup, TokenTicketSkeleton } from '#app/ui/layout/Skeleton.tsx';
import type { NextProject } from '#contract/domains/next-projects.ts';
import { NEXT_PAGE } from '#contract/limits.ts';
import { CalendarLink } from './CalendarLink.tsx';
import { NextCard } from './NextCard.tsx';
import { nextPagePath, useNextPage } from './next-projects.queries.ts';

interface NextPagesProps {
  requestedPage: number;
  /** Renders the follow button of a launch. */
  follow: (project: NextProject) => ReactNode;
}

/** The launches, eight per page. */
export function NextPages({ requestedPage, follow }: NextPagesProps) {
  const text = useText(nextTexts);
  const top = useRef<HTMLDivElement>(null);
  const shown = useRef(requestedPage);
  useEffect(() => {
    // The pagination is below the grid; the new page starts at its top.
    if (shown.current === requestedPage) return;
    shown.current = requestedPage;
    top.current?.scrollIntoView();
  }, [requestedPage]);
  return (
    <div ref={top} className="scroll-mt-20">
      <Section title={text.next.grid} actions={<CalendarLink />}>
        <Grid requestedPage={requestedPage} follow={follow} />
      </Section>
    </div>
  );
}

function Grid({ requestedPage, follow }: NextPagesProps) {
  const text = useText(nextTexts);
  const href = useHref();
  const locale = useLocale();
  const { data, page, pages, error, isPending, isPlaceholderData, refetch } = useNextPage(requestedPage);
  const navigate = useNavigate();
  // The list became shorter: the address is updated to the page shown.
  const right = data && !isPlaceholderData && page !== requestedPage ? href(nextPagePath(page)) : null;
  useEffect(() => {
    if (right) void navigate(right, { replace: true, preventScrollReset: true });
  }, [right, navigate]);
  if (isPending)
    return (
      <SkeletonGroup label={text.next.loading}>
        <p className="mb-4 text-quiet" aria-hidden="true">
          <English>{text.next.loading}</English>
        </p>
        <TicketGrid>
          <TokenTicketSkeleton />
          <TokenTicketSkeleton />
          <TokenTicketSkeleton />
        </TicketGrid>
      </SkeletonGroup>
    );
  const again = <Button onClick={() => void refetch()}>{text.next.retry}</Button>;
  // An error of the server shows an empty list (AMB-104); an unreachable server is reported as such.
  if (error && !data && !(error instanceof ApiFailure))
    return (
      <EmptyState
        level={3}
        role="alert"
        scene={<SceneClosedGate />}
        title={<English>{text.next.error}</English>}
        action={again}
      />
    );
  if (!data || data.items.length === 0)
    return (
      <EmptyState
        level={3}
        scene={<SceneClosedGate />}
        title={<English>{text.next.empty}</English>}
        text={text.next.emptyHint}
        action={error ? again : undefined}
      />
    );
  const from = (page - 1) * NEXT_PAGE + 1;
  return (
    <div aria-busy={isPlaceholderData} className={cx('transition-opacity', isPlaceholderData && 'opacity-60')}>
      <TicketGrid>
        {data.items.map((project) => (
          <NextCard key={project.id} project={project} serverTime={data.serverTime} corner={follow(project)} />
        ))}
      </TicketGrid>
      {pages > 1 ? (
        <>
          <p className="mt-8 text-center text-sm text-quiet" role="status">
            {text.next.shown(
              integer(from, locale),
              integer(Math.min(from + NEXT_PAGE - 1, data.total), locale),
              integer(data.total, locale),
            )}
          </p>
          <Pagination
            className="mt-3"
            page={page}
            pages={pages}
            href={(to) => href(nextPagePath(to))}
            label={text.next.pages}
            pageLabel={text.next.page}
            previousLabel={text.next.previous}
            nextLabel={text.next.following}
          />
        </>
      ) : null}
    </div>
  );
}

import { HydrationBoundary } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData, useSearchParams } from 'react-router';
import { useSignedIn } from '#app/features/auth/auth.queries.ts';
import { nextGridQuery } from '#app/features/next-projects/next-projects.queries.ts';
import { ProjectGrid } from '#app/features/projects/ProjectGrid.tsx';
import { ProjectPodium } from '#app/features/projects/ProjectPodium.tsx';
import { podiumQuery, projectsQuery } from '#app/features/projects/projects.queries.ts';
import { useFollowButton } from '#app/features/saved/useFollowButton.tsx';
import { exploreQuery, filterOf } from '#app/features/tokens/explore.queries.ts';
import { hasFilters } from '#app/features/tokens/has-filters.ts';
import { RoundStrip } from '#app/features/voting/RoundStrip.tsx';
import { stripQuery } from '#app/features/voting/ranking.queries.ts';
import { nothingToLoad, type PageData, prefetch } from '#app/lib/api/prefetch.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { firstLoadIsOver, loadWithRetry } from '#app/lib/page/lazy-loading.ts';
import { Seo } from '#app/lib/page/Seo.tsx';
import { CrownedPuppet } from '#app/ui/art/Puppet.tsx';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { English } from '#app/ui/layout/English.tsx';
import { GridSkeleton } from '#app/ui/layout/GridSkeleton.tsx';
import { Section } from '#app/ui/layout/Page.tsx';
import { SpotlightHero } from '#app/ui/layout/SpotlightHero.tsx';
import { Ticket } from '#app/ui/layout/Ticket.tsx';

/** Loaded on demand: most visitors never open its tab. */
const NextGrid = lazy(() =>
  loadWithRetry(() => import('#app/features/next-projects/NextGrid.tsx')).then((part) => ({ default: part.NextGrid })),
);

/** Events of the round while the page is open: loaded after the page itself. */
const HeroMoments = lazy(async () => {
  if (!import.meta.env.SSR) await firstLoadIsOver();
  return loadWithRetry(() => import('#app/features/voting/HeroMoments.tsx'));
});

const FilteredList = lazy(() => loadWithRetry(() => import('#app/routes/FilteredList.tsx')));

const TABS = ['all', 'next', 'new'] as const;
type Tab = (typeof TABS)[number];
/** Order of the grid on a tab; the Top 3 are above it. */
const orderOf = (tab: Exclude<Tab, 'next'>) => (tab === 'all' ? 'others' : 'new');
const tabOf = (value: string | null): Tab => TABS.find((tab) => tab === value) ?? 'all';

export function loader(args: LoaderFunctionArgs) {
  const { searchParams } = new URL(args.request.url);
  const tab = tabOf(searchParams.get('tab'));
  return prefetch(args, (queries, api) =>
    Promise.all([
      queries.fetchQuery(podiumQuery(api)),
      queries.fetchQuery(stripQuery(api)),
      hasFilters(searchParams)
        ? queries.fetchInfiniteQuery(exploreQuery(filterOf(searchParams, '/'), api))
        : tab === 'next'
          ? queries.fetchInfiniteQuery(nextGridQuery(api))
          : queries.fetchInfiniteQuery(projectsQuery(orderOf(tab), api)),
    ]),
  );
}
export const clientLoader = nothingToLoad;

export default function Home() {
  const { state } = useLoaderData<PageData>();
  const text = useText();
  const href = useHref();
  return (
    <HydrationBoundary state={state}>
      <Seo
        title={text.home.title}
        description={text.home.description}
        about={(absolute) => ({ '@type': 'WebSite', name: text.brand.name, url: absolute('/') })}
      />
      <SpotlightHero
        live
        over={
          <>
            <RoundStrip otherwise={<span className="eyebrow">{text.home.eyebrow}</span>} />
            {/* Its space is reserved from the start, so that nothing moves when a vote arrives. */}
            <div className="mt-1.5 min-h-6 max-w-xl text-sm text-quiet">
              <Suspense>
                <HeroMoments />
              </Suspense>
            </div>
          </>
        }
        title={text.home.heading}
        lead={text.home.lead}
        actions={
          <>
            <ButtonLink to={href('/vote')} variant="primary" size="lg">
              {text.home.primary}
            </ButtonLink>
            <ButtonLink to={href('/create')} size="lg">
              {text.home.secondary}
            </ButtonLink>
          </>
        }
        aside={<CrownedPuppet className="hero-puppet" />}
      />
      <div className="page">
        <ProjectPodium follow={useFollow('project')} />
        <KeyPoints />
        <Grid />
        <Ticket
          as="section"
          tone="lead"
          wide
          className="my-6"
          header={<h2 className="text-2xl">{text.home.banner}</h2>}
          stub={
            <ButtonLink to={href('/create')} variant="primary">
              {text.home.bannerAction}
            </ButtonLink>
          }
        >
          <p className="mt-2 text-quiet">{text.home.bannerText}</p>
        </Ticket>
      </div>
    </HydrationBoundary>
  );
}

/** Renders the follow button of a token of this list. */
function useFollow(kind: 'project' | 'next') {
  const follow = useFollowButton(useSignedIn());
  return ({ id, tokenName }: { id: string; tokenName: string }) => follow({ kind, id }, tokenName);
}

function KeyPoints() {
  const text = useText();
  return (
    <ul className="key-points">
      {text.home.keyPoints.map((point) => (
        <li key={point.title}>
          <p className="font-display text-lg font-bold">{point.title}</p>
          <p className="mt-1.5 text-quiet">{point.text}</p>
        </li>
      ))}
    </ul>
  );
}

function Grid() {
  const text = useText();
  const [parameters] = useSearchParams();
  const tab = tabOf(parameters.get('tab'));
  const filtered = hasFilters(parameters);
  const projectButton = useFollow('project');
  const launchButton = useFollow('next');
  return (
    <Section
      title={<English>{text.home.grid}</English>}
      actions={
        <nav aria-label={text.home.tabs.label} className="tabs-list">
          {TABS.map((value) => (
            <Link
              key={value}
              to={value === 'all' ? '?' : `?tab=${value}`}
              className="tabs-tab"
              aria-current={value === tab ? 'true' : undefined}
              data-state={value === tab ? 'active' : 'inactive'}
              preventScrollReset
            >
              <English>{text.home.tabs[value]}</English>
            </Link>
          ))}
        </nav>
      }
    >
      {filtered ? null : (
        <p className="-mt-3 mb-4">
          <Link
            to={tab === 'next' ? '?tab=next&filters=on' : '?filters=on'}
            className="link inline-flex min-h-10 items-center"
            preventScrollReset
          >
            {text.home.explore}
          </Link>
        </p>
      )}
      {filtered ? (
        <Suspense fallback={<GridSkeleton label={text.home.loading} />}>
          <FilteredList page="/" />
        </Suspense>
      ) : tab === 'next' ? (
        <Suspense fallback={<GridSkeleton label={text.home.loading} />}>
          <NextGrid follow={launchButton} />
        </Suspense>
      ) : (
        <ProjectGrid key={tab} order={orderOf(tab)} follow={projectButton} />
      )}
    </Section>
  );
}

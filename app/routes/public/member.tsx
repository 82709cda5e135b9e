import { HydrationBoundary, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useDeferredValue } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useParams } from 'react-router';
import { useMe } from '#app/features/auth/auth.queries.ts';
import { Board } from '#app/features/forum/board/Board.tsx';
import { feedQuery } from '#app/features/forum/forum.queries.ts';
import { ProfileHead } from '#app/features/profiles/ProfileHead.tsx';
import { ProfileBadges, ProfileCreated, ProfileFollows } from '#app/features/profiles/ProfileParts.tsx';
import { profileQuery } from '#app/features/profiles/profiles.queries.ts';
import { codeOf } from '#app/lib/api/failure.ts';
import { nothingToLoad, type PageData, prefetch } from '#app/lib/api/prefetch.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { profileTexts } from '#app/lib/messages/profiles.ts';
import { loadWithRetry } from '#app/lib/page/lazy-loading.ts';
import { Seo } from '#app/lib/page/Seo.tsx';
import { SceneNotFound } from '#app/ui/art/scenes/SceneNotFound.tsx';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { cx } from '#app/ui/cx.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { FailedState } from '#app/ui/layout/FailedState.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';

// Loaded on demand: visitors never need it.
const RestrictMenu = lazy(() => loadWithRetry(() => import('#app/features/forum/moderation/RestrictMenu.tsx')));

/** The posts, and a column beside them where there is something to show in it. */
const ASIDE = 'lg:grid-cols-[minmax(0,1fr)_21rem] lg:items-start lg:gap-7';

export const loader = (args: LoaderFunctionArgs) =>
  prefetch(args, (queries, api) => {
    const name = args.params['name'] ?? '';
    return Promise.all([queries.fetchQuery(profileQuery(name, api)), queries.fetchQuery(feedQuery({ by: name }, api))]);
  });
export const clientLoader = nothingToLoad;

/** /member/:name: what a member wrote and chose to show. Not for search engines: it gathers what is elsewhere. */
export default function MemberPage() {
  const { state, missing } = useLoaderData<PageData>();
  const { name = '' } = useParams();
  return (
    <HydrationBoundary state={state}>
      <div className="page pb-10">{missing ? <Missing /> : <Content key={name} name={name} />}</div>
    </HydrationBoundary>
  );
}

function Missing() {
  const { profile: text } = useText(profileTexts);
  const href = useHref();
  return (
    <div className="py-10">
      <Seo title={text.title(text.missing)} hidden />
      <EmptyState
        level={1}
        scene={<SceneNotFound />}
        title={text.missing}
        text={text.missingText}
        action={<ButtonLink to={href('/forum')}>{text.forum}</ButtonLink>}
      />
    </div>
  );
}

function Content({ name }: { name: string }) {
  const { profile: text } = useText(profileTexts);
  const href = useHref();
  const me = useMe();
  const reader = useDeferredValue(me);
  const { data: profile, error, refetch, isFetching } = useQuery(profileQuery(name));
  if (error && codeOf(error) === 'NOT_FOUND') return <Missing />;
  if (!profile)
    return (
      <>
        <Seo title={text.title(name)} hidden />
        {error ? (
          <FailedState
            level={1}
            title={text.error}
            retryLabel={text.retry}
            onRetry={() => void refetch()}
            busy={isFetching}
          />
        ) : (
          <>
            <h1 className="visually-hidden">{name}</h1>
            <SkeletonGroup label={text.loading} className="grid gap-5 py-8">
              <Skeleton className="h-32 rounded-card" />
              <Skeleton className="h-80 rounded-card" />
            </SkeletonGroup>
          </>
        )}
      </>
    );
  const own = me?.username === profile.username;
  const hasAside = profile.badges.length > 0 || profile.created.length > 0 || profile.follows !== null;
  return (
    <>
      <Seo title={text.title(profile.username)} description={text.lead} hidden />
      <ProfileHead
        profile={profile}
        actions={
          own ? (
            <ButtonLink to={href('/account')} size="sm">
              {text.itsMe}
            </ButtonLink>
          ) : reader ? (
            <Suspense>
              <RestrictMenu memberId={reader.id} name={profile.username} />
            </Suspense>
          ) : null
        }
      />
      <div className={cx('grid grid-cols-1 gap-5', hasAside && ASIDE)}>
        {hasAside ? (
          <aside className="grid min-w-0 grid-cols-1 gap-5 lg:col-start-2 lg:row-start-1">
            <ProfileBadges badges={profile.badges} />
            <ProfileCreated created={profile.created} />
            <ProfileFollows follows={profile.follows} />
          </aside>
        ) : null}
        <div className="min-w-0 lg:col-start-1 lg:row-start-1">
          <h2 className="mb-4 text-[1.625rem]">{text.posts}</h2>
          <Board filter={{ by: name }} empty={{ title: text.empty, text: text.emptyText }} me={reader} own={[]} />
        </div>
      </div>
    </>
  );
}

import { HydrationBoundary, useQuery } from '@tanstack/react-query';
import { ArrowLeftRight } from 'lucide-react';
import { data, type LoaderFunctionArgs, useLoaderData, useSearchParams } from 'react-router';
import { useSignedIn } from '#app/features/auth/auth.queries.ts';
import { FollowButton } from '#app/features/saved/FollowButton.tsx';
import { ChooseToken } from '#app/features/tokens/ChooseToken.tsx';
import { CompareTable } from '#app/features/tokens/CompareTable.tsx';
import { tokenQuery } from '#app/features/tokens/tokens.queries.ts';
import { codeOf, failureText } from '#app/lib/api/failure.ts';
import { nothingToLoad, type PageData, prefetch } from '#app/lib/api/prefetch.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { exploreTexts } from '#app/lib/messages/explore.ts';
import { RiskNotice } from '#app/lib/page/RiskNotice.tsx';
import { Seo } from '#app/lib/page/Seo.tsx';
import { SceneEmptyStage } from '#app/ui/art/scenes/SceneEmptyStage.tsx';
import { SceneNotFound } from '#app/ui/art/scenes/SceneNotFound.tsx';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { FailedState } from '#app/ui/layout/FailedState.tsx';
import { PageHead } from '#app/ui/layout/Page.tsx';
import { Skeleton } from '#app/ui/layout/Skeleton.tsx';
import { SEARCH_MAX } from '#contract/limits.ts';

const sidesOf = (parameters: URLSearchParams) => {
  const side = (name: string) => parameters.get(name)?.trim().slice(0, 160) || null;
  return { a: side('a'), b: side('b'), q: (parameters.get('find') ?? '').trim().slice(0, SEARCH_MAX) };
};

export async function loader(args: LoaderFunctionArgs) {
  const { a, b } = sidesOf(new URL(args.request.url).searchParams);
  let missing = false;
  const page = await prefetch(args, async (queries, api) => {
    const read = (slug: string | null) =>
      slug &&
      queries.fetchQuery(tokenQuery(slug, api)).catch((error: unknown) => {
        if (codeOf(error) !== 'NOT_FOUND') throw error;
        missing = true;
      });
    await Promise.all([read(a), read(b)]);
  });
  return missing && 'state' in page ? data({ ...page, missing }, { status: 404 }) : page;
}
export const clientLoader = nothingToLoad;

/** /compare?a=&b=: two tokens side by side. */
export default function ComparePage() {
  const { state, missing = false } = useLoaderData<PageData>();
  const [parameters] = useSearchParams();
  return (
    <HydrationBoundary state={state}>
      <Content {...sidesOf(parameters)} missingOnServer={missing} />
    </HydrationBoundary>
  );
}

function Content({ a, b, q, missingOnServer }: ReturnType<typeof sidesOf> & { missingOnServer: boolean }) {
  const texts = useText(exploreTexts);
  const { compare: text, explore } = texts;
  const href = useHref();
  const signedIn = useSignedIn();
  const side = (slug: string | null) => ({ ...tokenQuery(slug ?? '_'), enabled: slug !== null });
  const one = useQuery(side(a));
  const other = useQuery(side(b));
  const sides = [
    { slug: a, read: one },
    { slug: b, read: other },
  ];
  const failed = sides.filter(({ slug, read }) => slug && read.error && !read.data);
  const missing = missingOnServer || failed.some(({ read }) => codeOf(read.error) === 'NOT_FOUND');
  /** The side that was found when the other one was not. */
  const found = one.data ?? other.data;
  const whole = one.data && other.data;
  const title = whole ? text.titleOf(one.data.tokenName, other.data.tokenName) : text.title;
  return (
    <div className="page pb-10">
      <Seo title={title} description={text.lead} path="/compare" />
      <PageHead
        title={text.heading}
        lead={text.lead}
        actions={
          whole ? (
            <>
              <ButtonLink to={href(`/compare?a=${b}&b=${a}`)} size="sm">
                <ArrowLeftRight aria-hidden="true" />
                {text.swap}
              </ButtonLink>
              <ButtonLink to={href(`/compare?a=${a}`)} size="sm" variant="ghost">
                {text.change}
              </ButtonLink>
            </>
          ) : null
        }
      />
      {missing ? (
        <EmptyState
          role="alert"
          scene={<SceneNotFound />}
          title={text.missing}
          text={found ? text.missingBeside(found.tokenName) : undefined}
          action={
            <ButtonLink
              to={href(found ? `/compare?a=${encodeURIComponent(found.tokenSlug ?? found.id)}` : '/compare')}
              variant="primary"
            >
              {found ? text.chooseOther : text.choose}
            </ButtonLink>
          }
        />
      ) : failed[0] ? (
        <FailedState
          title={text.failed}
          text={failureText(failed[0].read.error, texts)}
          retryLabel={explore.retry}
          busy={failed.some(({ read }) => read.isFetching)}
          onRetry={() => void Promise.all(failed.map(({ read }) => read.refetch()))}
        />
      ) : whole ? (
        <>
          {one.data.id === other.data.id ? (
            <p role="status" className="mb-4 text-coral-text">
              {text.same}
            </p>
          ) : null}
          <CompareTable
            one={one.data}
            other={other.data}
            follow={({ kind, id, tokenName }) => (
              <FollowButton token={{ kind, id }} name={tokenName} signedIn={signedIn} />
            )}
          />
          <RiskNotice className="mt-6" />
        </>
      ) : a && b ? (
        <Skeleton className="h-96 rounded-card" />
      ) : (
        <div className="grid items-center gap-6 lg:grid-cols-[minmax(0,42rem)_minmax(0,1fr)]">
          <ChooseToken one={a ?? b} q={q} />
          {/* The results of a search replace the illustration. */}
          {q ? null : (
            <div className="justify-self-center">
              <SceneEmptyStage />
            </div>
          )}
        </div>
      )}
    </div>
  );
}

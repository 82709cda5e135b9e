import { HydrationBoundary } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { useMe } from '#app/features/auth/auth.queries.ts';
import { MyRemovals } from '#app/features/forum/moderation/MyRemovals.tsx';
import { MyWaiting } from '#app/features/forum/moderation/MyWaiting.tsx';
import { RemovalLog } from '#app/features/forum/moderation/RemovalLog.tsx';
import { removalLogQuery } from '#app/features/forum/moderation/removals.queries.ts';
import { TrustRules } from '#app/features/forum/moderation/TrustRules.tsx';
import { nothingToLoad, type PageData, prefetch } from '#app/lib/api/prefetch.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { removalTexts } from '#app/lib/messages/removals.ts';
import { loadWithRetry } from '#app/lib/page/lazy-loading.ts';
import { Seo } from '#app/lib/page/Seo.tsx';
import { PageHead, Section } from '#app/ui/layout/Page.tsx';
import { REMOVAL_RULES } from '#contract/limits.ts';

export const loader = (args: LoaderFunctionArgs) =>
  prefetch(args, (queries, api) => queries.fetchQuery(removalLogQuery(1, api)));
export const clientLoader = nothingToLoad;

// Loaded on demand: not needed to read the rules.
const ReviewQueue = lazy(() => loadWithRetry(() => import('#app/features/forum/moderation/ReviewQueue.tsx')));

/**
 * The rules of the forum, texts that wait for a review, the member's own removed texts with their appeal, and the public log of
 * removals.
 */
export default function ModerationPage() {
  const { state } = useLoaderData<PageData>();
  const text = useText(removalTexts).removals;
  const me = useMe();
  return (
    <HydrationBoundary state={state}>
      <Seo title={text.title} description={text.description} />
      <div className="page pb-12">
        <PageHead title={text.heading} lead={text.lead} />
        {me && me.role !== 'user' ? (
          <Suspense>
            <ReviewQueue />
          </Suspense>
        ) : null}
        <MyWaiting me={me} />
        {me ? <MyRemovals /> : null}
        <Section title={text.rulesHeading}>
          <p className="mb-3 max-w-[44rem] text-quiet">{text.rulesLead}</p>
          <ul className="list-disc pl-6">
            {REMOVAL_RULES.map((rule) => (
              <li key={rule}>{text.rules[rule]}</li>
            ))}
          </ul>
        </Section>
        <TrustRules signedIn={me?.role === 'user'} />
        <Section title={text.appealsHeading}>
          <p className="max-w-[44rem] text-quiet">{text.appealsText}</p>
        </Section>
        <RemovalLog />
      </div>
    </HydrationBoundary>
  );
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { codeOf, failureText } from '#app/lib/api/failure.ts';
import { useRetryAfterLostAnswer } from '#app/lib/api/retry-lost-answer.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { dateTime, fullDateTime } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { TextInItsLanguage } from '#app/lib/i18n/TextInItsLanguage.tsx';
import { serverClock } from '#app/lib/live/clock.ts';
import { removalTexts } from '#app/lib/messages/removals.ts';
import { reviewTexts } from '#app/lib/messages/review.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { WaitingText } from '#contract/domains/forum-review.ts';
import { UserText } from '../writing/UserText.tsx';
import { myReviewQuery, refetchMyReview } from './review.queries.ts';

/** A member's own texts that wait for a review; renders nothing when there are none. */
export default function WaitingTexts() {
  const messages = useText(reviewTexts).review;
  const { data } = useQuery(myReviewQuery());
  const heading = useId();
  if (!data?.waiting.length) return null;
  return (
    <section aria-labelledby={heading} className="mb-5 grid gap-3">
      <div>
        <h2 id={heading} className="text-xl">
          {messages.mine}
        </h2>
        <p className="text-sm text-quiet">{messages.mineText}</p>
      </div>
      <ul className="grid gap-3">
        {data.waiting.map((text) => (
          <li key={text.id}>
            <OwnText text={text} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function OwnText({ text }: { text: WaitingText }) {
  const all = useText(reviewTexts, removalTexts);
  const messages = all.review;
  const queries = useQueryClient();
  const withdraw = useMutation(
    rpc.forum.withdraw.mutationOptions({
      // If it no longer waits, an earlier call whose response was lost has withdrawn it.
      mutationFn: useRetryAfterLostAnswer(client.forum.withdraw, (refusal) =>
        codeOf(refusal) === 'NOT_FOUND' ? Promise.resolve({ ok: true as const }) : undefined,
      ),
      onSuccess: () => notify.success({ title: messages.withdrawn }),
      onError: (error) => notify.failed(error, { title: messages.withdrawFailed, text: failureText(error, all) }),
      onSettled: () => refetchMyReview(queries),
    }),
  );
  return (
    <article className="card p-4">
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <Badge>{all.removals.kinds[text.what]}</Badge>
        <Badge tone="lead">{messages.why[text.why]}</Badge>
        <DueBy at={text.dueAt} />
      </p>
      <WaitingNotice text={text} />
      <Button
        size="sm"
        variant="ghost"
        className="mt-2 -ml-3.5"
        aria-label={messages.withdrawOf(text.title)}
        busy={withdraw.isPending}
        onClick={() => withdraw.mutate({ id: text.id })}
      >
        {messages.withdraw}
      </Button>
    </article>
  );
}

/** When a text is due for its review. */
export function DueBy({ at }: { at: string }) {
  const messages = useText(reviewTexts).review;
  const locale = useLocale();
  const late = Date.parse(at) < serverClock.now();
  return (
    <time dateTime={at} title={fullDateTime(at, locale)} className="text-quiet">
      {(late ? messages.late : messages.due)(dateTime(at, locale))}
    </time>
  );
}

/** Content of a text that waits for its review, with the images of a post. */
export function WaitingNotice({ text }: { text: WaitingText }) {
  const messages = useText(reviewTexts).review;
  return (
    <>
      <h3 dir="auto" className="mt-2 text-lg font-bold wrap-anywhere">
        <TextInItsLanguage>{text.what === 'post' ? text.title : messages.under(text.title)}</TextInItsLanguage>
      </h3>
      <UserText className="mt-1">{text.content}</UserText>
      {text.images.length > 0 ? (
        <ul className="mt-2 flex flex-wrap gap-2">
          {text.images.map(({ url, alt }) => (
            <li key={url}>
              <img src={url} alt={alt || messages.picture} className="max-h-40 rounded-card" loading="lazy" />
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}

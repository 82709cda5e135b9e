import { Suspense } from 'react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { TextInItsLanguage } from '#app/lib/i18n/TextInItsLanguage.tsx';
import { discussionTexts } from '#app/lib/messages/discussion.ts';
import { forumTexts } from '#app/lib/messages/forum.ts';
import type { LevelOf } from '#app/lib/session/restrictions.ts';
import type { Comment } from '#contract/domains/forum.ts';
import { HiddenQuote } from '../lazy-parts.ts';

/** The beginning of the comment that is replied to; nothing of texts that the user muted or blocked. */
export function QuoteOf({ quote, levelOf }: { quote: NonNullable<Comment['quote']>; levelOf: LevelOf }) {
  const text = useText(forumTexts);
  const { discussion } = useText(discussionTexts);
  const hidden = levelOf(quote.username) !== undefined;
  if (quote.content === null || hidden)
    return (
      <p className="mb-1.5 border-l-2 border-line pl-3 text-sm text-quiet italic">
        {hidden ? (
          <Suspense>
            <HiddenQuote />
          </Suspense>
        ) : (
          discussion.quoteGone
        )}
      </p>
    );
  return (
    <blockquote className="mb-1.5 border-l-2 border-line pl-3 text-sm text-quiet">
      <p className="font-semibold">
        <bdi>{quote.username ?? text.forum.left}</bdi>
      </p>
      <p dir="auto" className="line-clamp-3 wrap-anywhere">
        <TextInItsLanguage>{quote.content}</TextInItsLanguage>
      </p>
    </blockquote>
  );
}

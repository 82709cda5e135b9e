import { integer } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { forumTexts } from '#app/lib/messages/forum.ts';
import { forumMemberTexts } from '#app/lib/messages/forum-member.ts';
import { cx } from '#app/ui/cx.ts';
import type { EmojiType, Post } from '#contract/domains/forum.ts';
import type { Mine } from './forum.queries.ts';
import { EMOJI } from './writing/Emoji.tsx';

export interface ReactionButtonsProps {
  post: Post;
  mine: Mine | undefined;
  onReact: (postId: string, emojiType: EmojiType, on: boolean) => void;
}

/** Six emoji with their counts, for members of the forum. */
export function ReactionButtons({ post, mine, onReact }: ReactionButtonsProps) {
  const text = useText(forumTexts, forumMemberTexts);
  const locale = useLocale();
  return (
    <fieldset className="grid grid-cols-3 gap-1.5 xs:grid-cols-6 sm:flex sm:gap-2">
      <legend className="visually-hidden">{text.forum.reactions}</legend>
      {EMOJI.map(({ type, character, drawing }) => {
        const count = post.reactions.find((reaction) => reaction.emojiType === type)?.count ?? 0;
        const on = mine?.reactions.some((own) => own.postId === post.id && own.emojiType === type) ?? false;
        return (
          <button
            key={type}
            type="button"
            aria-pressed={on}
            aria-label={text.forum.reaction(text.forum.emoji[type], integer(count, locale))}
            title={text.forum.emoji[type]}
            className={cx(
              'relative flex h-11 min-w-0 items-center justify-center gap-1 rounded-control border text-sm sm:rounded-badge sm:min-w-15 sm:px-3',
              on
                ? 'border-lead-text bg-lead-soft font-semibold text-lead-text'
                : 'border-line text-quiet hover:border-edge hover:text-text',
            )}
            onClick={() => onReact(post.id, type, on)}
          >
            <svg viewBox="0 0 24 24" className="size-5 flex-none" aria-hidden="true">
              {drawing}
            </svg>
            <span className="visually-hidden">{character}</span>
            <span aria-hidden="true" className="tabular-nums">
              {integer(count, locale)}
            </span>
          </button>
        );
      })}
    </fieldset>
  );
}

import { Suspense, useId, useState } from 'react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { TextInItsLanguage } from '#app/lib/i18n/TextInItsLanguage.tsx';
import { forumTexts } from '#app/lib/messages/forum.ts';
import type { LevelOf } from '#app/lib/session/restrictions.ts';
import { cx } from '#app/ui/cx.ts';
import type { Me } from '#contract/domains/auth.ts';
import type { EmojiType, Post } from '#contract/domains/forum.ts';
import { hashText } from '#contract/token-colours.ts';
import { Author } from '../Author.tsx';
import { Comments } from '../comments/Comments.tsx';
import type { Mine } from '../forum.queries.ts';
import { CollapsedText, EditPost, PostActions } from '../lazy-parts.ts';
import { Reactions } from '../Reactions.tsx';
import { UserText } from '../writing/UserText.tsx';
import { PostImages, PostLabels } from './PostLabels.tsx';

const PINS = ['bg-lead', 'bg-coral', 'bg-mint', 'bg-sky'] as const;
const PLACES = ['left-1/2', 'left-[44%]', 'left-[57%]'] as const;

interface PostNoteProps {
  post: Post;
  me: Me | null | undefined;
  mine: Mine | undefined;
  /** Whether the user muted or blocked an author. */
  levelOf: LevelOf;
  /** Id of the token whose page this is. */
  about: string | undefined;
  onReact: (postId: string, emojiType: EmojiType, on: boolean) => void;
  /** True in a list; false on the post's own page. */
  brief: boolean;
}

/** One post on the board with its reactions and comments. */
export function PostNote({ post, me, mine, levelOf, about, onReact, brief }: PostNoteProps) {
  const text = useText(forumTexts);
  const heading = useId();
  /** Id of the member who edits it. */
  const [editor, setEditor] = useState<string>();
  const own = mine?.posts.includes(post.id) ?? false;
  const gone = post.content === null;
  const [opened, setOpened] = useState(false);
  const level = own ? undefined : levelOf(post.author.username);
  if (level && !gone && !(level === 'mute' && opened))
    return (
      <article tabIndex={-1} className="card p-4 shadow-sm sm:px-6">
        <Suspense>
          <CollapsedText muted={level === 'mute' ? post.author.username : null} onShow={() => setOpened(true)} />
        </Suspense>
      </article>
    );
  return (
    <article
      aria-labelledby={heading}
      className="card relative grid grid-cols-1 gap-4 px-4 pt-6 pb-4 shadow-sm sm:px-6 sm:pb-5"
    >
      <span
        aria-hidden="true"
        className={cx(
          'absolute -top-1.5 size-4 -translate-x-1/2 rounded-full forced-colors:hidden shadow-[inset_-2px_-2px_3px_rgb(0_0_0/0.28),0_3px_3px_rgb(0_0_0/0.25)]',
          PINS[hashText(post.author.username ?? post.id) % PINS.length],
          PLACES[hashText(post.id) % PLACES.length],
        )}
      />
      <Author
        author={post.author}
        createdAt={post.createdAt}
        editedAt={post.editedAt}
        room={2}
        actions={
          gone || !me ? null : (
            <Suspense>
              <PostActions post={post} own={own} me={me} onEdit={() => setEditor(me.id)} />
            </Suspense>
          )
        }
      />
      {gone ? (
        <h2 id={heading} className="text-lg font-semibold text-quiet italic">
          {text.forum.gone}
        </h2>
      ) : editor && (!me || me.id === editor) ? (
        // Also when the session has ended: what was typed would be lost.
        <Suspense>
          <EditPost post={post} onDone={() => setEditor(undefined)} />
        </Suspense>
      ) : (
        <div className="grid gap-2">
          <h2 id={heading} dir="auto" className="text-[1.375rem] wrap-anywhere">
            <TextInItsLanguage>{post.title}</TextInItsLanguage>
          </h2>
          <PostLabels post={post} here={about} />
          <UserText className="max-w-[70ch]">{post.content ?? ''}</UserText>
          <PostImages images={post.images} />
        </div>
      )}
      {gone ? null : (
        <>
          <Reactions post={post} me={me} mine={mine} onReact={onReact} />
          <Comments post={post} me={me} mine={mine} levelOf={levelOf} brief={brief} />
        </>
      )}
    </article>
  );
}

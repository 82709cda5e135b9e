import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Quote } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Link } from 'react-router';
import { integer } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { discussionTexts } from '#app/lib/messages/discussion.ts';
import { forumTexts } from '#app/lib/messages/forum.ts';
import { notify } from '#app/lib/notices/notify.ts';
import type { LevelOf } from '#app/lib/session/restrictions.ts';
import { useReturnHere } from '#app/lib/session/sign-in-return.ts';
import { Button, IconButton } from '#app/ui/controls/Button.tsx';
import { useLoadMore } from '#app/ui/controls/useLoadMore.ts';
import { cx } from '#app/ui/cx.ts';
import type { Me } from '#contract/domains/auth.ts';
import type { Comment, Post } from '#contract/domains/forum.ts';
import { COMMENTS_PAGE } from '#contract/limits.ts';
import { commentAnchor } from '#contract/text/comment-anchor.ts';
import { Author } from '../Author.tsx';
import { forumFailure, type Mine, openComments, patchPost } from '../forum.queries.ts';
import { CollapsedText, CommentActions, CommentBox, EditComment } from '../lazy-parts.ts';
import { UserText } from '../writing/UserText.tsx';
import { COLLAPSED, COLLAPSED_WIDE, SHOWN_WIDE } from './collapsed-comments.ts';
import { LinkedComment } from './LinkedComment.tsx';
import { QuoteOf } from './QuoteOf.tsx';

/** Comments within their list. */
const COMMENT = ':scope > li > article';

interface CommentsProps {
  post: Post;
  me: Me | null | undefined;
  mine: Mine | undefined;
  /** Whether the user muted or blocked an author. */
  levelOf: LevelOf;
  /** On a board of many posts: a narrow screen shows the comments on request, a wide one the first of many. */
  brief: boolean;
}

/** The comments of a post: the first ones, the rest on request, and a field for a new one. */
export function Comments({ post, me, mine, levelOf, brief }: CommentsProps) {
  const text = useText(forumTexts);
  const href = useHref();
  const here = useReturnHere();
  const locale = useLocale();
  const queries = useQueryClient();
  const [quoted, setQuoted] = useState<Comment | null>(null);
  const more = useMutation({
    mutationFn: (min: number) => openComments(post, min),
    onSuccess: ({ comments, commentsCursor }) =>
      patchPost(queries, post.id, (old) => ({ ...old, comments, commentsCursor })),
    onError: (error) => notify.error({ title: text.forum.commentsFailed, text: forumFailure(error, text) }),
  });
  const [opened, setOpened] = useState(false);
  const collapses = brief && !opened && post.comments.length > 0;
  // The initial count: a comment that arrives while the user reads collapses nothing.
  const [long] = useState(post.comments.length > SHOWN_WIDE);
  const collapsesWide = collapses && long;
  const loadMore = () => more.mutate(post.comments.length + COMMENTS_PAGE);
  const further = useLoadMore<HTMLOListElement>(post.comments.length, more.isPending, COMMENT, loadMore);
  const expanded = useLoadMore<HTMLOListElement>(collapses ? 0 : post.comments.length, false, COMMENT, () =>
    setOpened(true),
  );
  const rest = useLoadMore<HTMLOListElement>(collapsesWide ? 1 : post.comments.length, false, COMMENT, () => {
    setOpened(true);
    if (post.commentsCursor) loadMore();
  });
  const shown = collapsesWide ? post.comments.slice(0, 1) : post.comments;
  const left = Math.max(1, post.commentCount - shown.filter((comment) => comment.content !== null).length);
  const heading =
    post.commentCount === 0
      ? // Placeholders of removed comments may be below.
        post.comments.length > 0
        ? text.forum.commentsHeading
        : text.forum.noComments
      : post.commentCount === 1
        ? text.forum.commentsOne
        : text.forum.comments(integer(post.commentCount, locale));
  return (
    <div className="grid grid-cols-1 gap-3 border-t border-dashed border-line pt-3">
      {brief ? null : <LinkedComment post={post} onMissing={() => more.mutate(Number.POSITIVE_INFINITY)} />}
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h3 className={cx('font-sans text-sm font-semibold tracking-normal text-quiet', collapses && 'max-sm:sr-only')}>
          {heading}
        </h3>
        {collapses ? (
          <Button size="sm" variant="ghost" className="-ml-3.5 sm:hidden" {...expanded.button}>
            {post.commentCount > 0 ? text.forum.showComments(integer(post.commentCount, locale)) : heading}
          </Button>
        ) : null}
        {me ? null : (
          <Link
            to={href('/auth')}
            state={here}
            className="link inline-flex min-h-11 items-center text-sm in-data-[member]:hidden"
          >
            {/* One element: the space between two would be lost. */}
            <span>
              {text.forum.signIn}
              <span className="max-sm:sr-only">{text.forum.signInWhy}</span>
            </span>
          </Link>
        )}
      </div>
      {post.comments.length > 0 ? (
        <ol
          ref={(list) => {
            further.list.current = list;
            expanded.list.current = list;
            rest.list.current = list;
          }}
          className={cx('grid grid-cols-1 gap-4', collapses && COLLAPSED)}
        >
          {post.comments.map((comment, index) => (
            <li
              key={comment.id}
              id={commentAnchor(comment.id)}
              className={cx('min-w-0', collapsesWide && index > 0 && COLLAPSED_WIDE)}
            >
              <CommentNote
                comment={comment}
                me={me}
                own={mine?.comments.includes(comment.id) ?? false}
                levelOf={levelOf}
                onQuote={() => setQuoted(comment)}
              />
            </li>
          ))}
        </ol>
      ) : null}
      {post.commentsCursor || collapsesWide ? (
        <div className={cx(collapses && 'max-sm:hidden')}>
          <Button
            size="sm"
            variant="ghost"
            className="-ml-3.5"
            {...(collapsesWide ? rest.button : further.button)}
            busyLabel={text.forum.loadingComments}
          >
            {text.forum.moreComments(integer(left, locale))}
          </Button>
        </div>
      ) : null}
      {/* Reserves the space while the session is loading. */}
      {me === undefined ? <div aria-hidden="true" className="hidden h-10 in-data-[member]:block" /> : null}
      {me ? (
        <Suspense fallback={<div className="h-10" />}>
          <CommentBox
            key={me.id}
            post={post}
            memberId={me.id}
            quoted={quoted}
            onUnquote={() => setQuoted(null)}
            onSent={() => setOpened(true)}
          />
        </Suspense>
      ) : null}
    </div>
  );
}

interface CommentNoteProps {
  comment: Comment;
  me: Me | null | undefined;
  own: boolean;
  levelOf: LevelOf;
  onQuote: () => void;
}

function CommentNote({ comment, me, own, levelOf, onQuote }: CommentNoteProps) {
  const text = useText(forumTexts);
  const { discussion } = useText(discussionTexts);
  /** Id of the member who edits it. */
  const [editor, setEditor] = useState<string>();
  const [opened, setOpened] = useState(false);
  const username = comment.author.username ?? text.forum.left;
  const level = levelOf(comment.author.username);
  if (level && comment.content !== null && !(level === 'mute' && opened))
    return (
      <article tabIndex={-1} className="pl-11">
        <Suspense>
          <CollapsedText muted={level === 'mute' ? username : null} onShow={() => setOpened(true)} />
        </Suspense>
      </article>
    );
  return (
    <article className="grid grid-cols-1 gap-1.5" aria-label={username}>
      <Author
        author={comment.author}
        createdAt={comment.createdAt}
        editedAt={comment.editedAt}
        size={32}
        room={3}
        actions={
          comment.content === null || !me ? null : (
            <>
              <IconButton size="sm" label={discussion.quote(username)} onClick={onQuote}>
                <Quote aria-hidden="true" />
              </IconButton>
              <Suspense>
                <CommentActions comment={comment} me={me} own={own} onEdit={() => setEditor(me.id)} />
              </Suspense>
            </>
          )
        }
      />
      <div className="pl-11">
        {comment.content === null ? (
          <p className="text-quiet italic">{text.forum.gone}</p>
        ) : editor && (!me || me.id === editor) ? (
          <Suspense>
            <EditComment comment={comment} onDone={() => setEditor(undefined)} />
          </Suspense>
        ) : (
          <>
            {comment.quote ? <QuoteOf quote={comment.quote} levelOf={levelOf} /> : null}
            <UserText className="text-[0.9688rem]">{comment.content}</UserText>
          </>
        )}
      </div>
    </article>
  );
}

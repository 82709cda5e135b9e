import { useMutation, useQueryClient } from '@tanstack/react-query';
import { MessageCirclePlus, SendHorizontal, X } from 'lucide-react';
import { type FormEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { client } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { RESTORED } from '#app/lib/live/release.ts';
import { discussionTexts } from '#app/lib/messages/discussion.ts';
import { forumTexts } from '#app/lib/messages/forum.ts';
import { forumMemberTexts } from '#app/lib/messages/forum-member.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button, IconButton } from '#app/ui/controls/Button.tsx';
import { FieldError } from '#app/ui/controls/Field.tsx';
import type { Comment, Post } from '#contract/domains/forum.ts';
import { COMMENT_MAX } from '#contract/limits.ts';
import {
  commentFailure,
  forumFailure,
  openComments,
  patchMine,
  patchPost,
  refetchSessionIfRefused,
} from '../forum.queries.ts';
import { refetchMyReview } from '../moderation/review.queries.ts';
import { type CommentInput, type PublishedComment, usePublish } from '../posts/usePublish.ts';
import { useDraft } from '../writing/useDraft.ts';
import { WritingArea } from '../writing/WritingArea.tsx';

interface CommentBoxProps {
  post: Post;
  memberId: string;
  /** The comment to which the member replies on this page. */
  quoted: Comment | null;
  onUnquote: () => void;
  onSent: () => void;
}

/** The field for a new comment; its draft has the text, also input during a request in flight, and the comment that is being replied to. */
export function CommentBox({ post, memberId, quoted: requested, onUnquote, onSent }: CommentBoxProps) {
  const text = useText(forumTexts, forumMemberTexts);
  const queries = useQueryClient();
  const errorId = useId();
  const [draft, setDraft] = useDraft(`florka.draft.comment.${memberId}.${post.id}`, { content: '' });
  const [storedQuote, setStoredQuote] = useDraft(`florka.draft.quote.${memberId}.${post.id}`, { id: '' });
  const blank = !draft.content.trim();
  const hasDraft = draft.content !== '';
  const stored = draft.content
    ? post.comments.find(({ id, content }) => id === storedQuote.id && content !== null)
    : undefined;
  const quoted = requested ?? stored ?? null;
  /** Without a text there is no draft, so its quote is not stored either. */
  const storeQuote = (content: string, id = '') => setStoredQuote({ id: content ? id : '' });
  function unquote() {
    storeQuote('');
    onUnquote();
  }
  /** A board with an open field for each post would be twice as long, and a stored draft that opened one would move the page. */
  const [wanted, setWanted] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  const publish = usePublish<CommentInput, PublishedComment>(client.forum.comment, async (id) => {
    const whole = await openComments(await client.forum.post({ id: post.id }), Number.POSITIVE_INFINITY);
    return whole.comments.find((comment) => comment.id === id) ?? null;
  });
  const send = useMutation({
    mutationFn: publish,
    onSuccess: async (comment, sent) => {
      setDraft((now) => (now.content === sent.content ? { content: '' } : now));
      unquote();
      if (!comment || comment.review) {
        notify.success(text.forum.waits);
        return refetchMyReview(queries);
      }
      onSent();
      notify.success(text.forum.toast.commented);
      patchMine(queries, (mine) => ({ ...mine, comments: [...mine.comments, comment.id] }));
      // The user's comment is the last one: those before it are loaded too.
      const whole = await openComments(post, Number.POSITIVE_INFINITY).catch(() => post);
      patchPost(queries, post.id, (old) => ({
        ...old,
        comments: [...whole.comments.filter(({ id }) => id !== comment.id), comment],
        commentsCursor: whole.commentsCursor,
        commentCount: Math.max(old.commentCount, post.commentCount + 1),
      }));
    },
    onError: (error) => {
      notify.error(commentFailure(error, text));
      refetchSessionIfRefused(queries, error);
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!blank && !send.isPending)
      send.mutate({ postId: post.id, content: draft.content, ...(quoted ? { quoted: quoted.id } : {}) });
  }
  const answering = requested?.id;
  const answer = useEffectEvent((id: string) => {
    setWanted(true);
    box.current?.focus();
    storeQuote(draft.content, id);
  });
  useEffect(() => {
    if (answering) answer(answering);
  }, [answering]);
  if (!wanted && !requested)
    return (
      <div>
        <Button
          size="sm"
          variant="ghost"
          className="-ml-3.5"
          aria-label={hasDraft ? text.forum.resumeComment(post.title) : text.forum.commentOn(post.title)}
          onClick={() => {
            flushSync(() => setWanted(true));
            box.current?.focus();
          }}
        >
          <MessageCirclePlus aria-hidden="true" />
          {hasDraft ? text.forum.resumeDraft : text.forum.send}
        </Button>
      </div>
    );
  return (
    <form {...RESTORED} className="grid grid-cols-1 gap-1.5" onSubmit={submit}>
      {quoted ? <Quoting quoted={quoted} onUnquote={unquote} /> : null}
      <div className="flex items-end gap-2">
        <WritingArea
          ref={box}
          rows={3}
          dir="auto"
          className="min-h-11! resize-none!"
          aria-label={text.forum.commentOn(post.title)}
          aria-describedby={send.error ? errorId : undefined}
          placeholder={text.forum.comment}
          maxLength={COMMENT_MAX}
          value={draft.content}
          onWrite={(content) => {
            setDraft({ content });
            storeQuote(content, quoted?.id);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
          }}
        />
        <Button
          type="submit"
          className="flex-none"
          disabled={blank}
          busy={send.isPending}
          busyLabel={<span className="visually-hidden sm:not-sr-only">{text.forum.sending}</span>}
        >
          <SendHorizontal aria-hidden="true" />
          <span className="max-sm:sr-only">{text.forum.send}</span>
        </Button>
      </div>
      {send.error ? <FieldError id={errorId}>{forumFailure(send.error, text)}</FieldError> : null}
    </form>
  );
}

function Quoting({ quoted, onUnquote }: { quoted: Comment; onUnquote: () => void }) {
  const text = useText(forumTexts, forumMemberTexts);
  const { discussion } = useText(discussionTexts);
  return (
    <div className="flex items-center gap-2 border-l-2 border-lead-text pl-3 text-sm text-quiet">
      <p className="min-w-0 flex-1 truncate">
        {discussion.quoting(quoted.author.username ?? text.forum.left)}: {quoted.content}
      </p>
      <IconButton size="sm" label={discussion.unquote} onClick={onUnquote}>
        <X aria-hidden="true" />
      </IconButton>
    </div>
  );
}

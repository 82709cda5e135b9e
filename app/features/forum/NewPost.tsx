import { useMutation, useQueryClient } from '@tanstack/react-query';
import { PenLine } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import { codeOf } from '#app/lib/api/failure.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { forumTexts } from '#app/lib/messages/forum.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { useReturnHere } from '#app/lib/session/sign-in-return.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Field, Input, Textarea } from '#app/ui/controls/Field.tsx';
import { cx } from '#app/ui/cx.ts';
import { Card } from '#app/ui/layout/Card.tsx';
import { Skeleton } from '#app/ui/layout/Skeleton.tsx';
import type { Me } from '#contract/auth.ts';
import { POST_CONTENT_MAX, POST_TITLE_MAX } from '#contract/limits.ts';
import { type Feed, feedQuery, forumFailure, noteSession, patchMine } from './forum.queries.ts';
import { useDraft } from './useDraft.ts';

interface NewPostProps {
  me: Me | null | undefined;
  onCreated: (postId: string) => void;
}

/** The card for a new post, for members of the forum. */
export function NewPost({ me, onCreated }: NewPostProps) {
  const [writer, setWriter] = useState<string>();
  if (me?.isForumUser && me.id !== writer) setWriter(me.id);
  if (me === undefined) return <Waiting />;
  return writer ? <PostForm key={writer} memberId={writer} signedIn={me?.id === writer} onCreated={onCreated} /> : null;
}

/** Keeps the place on the page of a probable member, with the form's own shape. */
function Waiting() {
  const text = useText(forumTexts);
  return (
    <div aria-hidden="true" className="card hidden p-5 in-data-[member]:block max-lg:p-3">
      <p className="flex min-h-11 items-center gap-2.5 px-2 text-quiet lg:hidden">
        <PenLine className="size-5 text-lead-text" />
        {text.forum.compose}
      </p>
      <div className="hidden h-[22.5rem] content-start gap-4 lg:grid">
        <p className="font-display text-[1.375rem] font-bold">{text.forum.create}</p>
        <Skeleton className="mt-7 h-11" />
        <Skeleton className="mt-7 h-28" />
      </div>
    </div>
  );
}

interface PostFormProps {
  memberId: string;
  /** False when the session ended while somebody was writing: the words stay in sight. */
  signedIn: boolean;
  onCreated: (postId: string) => void;
}

interface CreatePostOptions {
  /** Called before the feed shows the post. */
  onSuccess: () => void;
  /** Called with its id once the feed shows it. */
  onCreated: (postId: string) => void;
  /** Called with the text that says why it failed. */
  onFailure: (text: string) => void;
}

/** Publishes a post and shows it at the top of the feed. */
function useCreatePost({ onSuccess, onCreated, onFailure }: CreatePostOptions) {
  const text = useText(forumTexts);
  const queries = useQueryClient();
  return useMutation(
    rpc.forum.create.mutationOptions({
      onSuccess: (post) => {
        onSuccess();
        patchMine(queries, (mine) => ({ ...mine, posts: [...mine.posts, post.id] }));
        queries.setQueryData<Feed>(feedQuery('').queryKey, (feed) =>
          feed ? { ...feed, items: [post, ...feed.items.filter(({ id }) => id !== post.id)] } : feed,
        );
        onCreated(post.id);
        notify.success(text.forum.toast.created);
      },
      onError: (error) => {
        const messages = codeOf(error) === 'UNEXPECTED' ? text.forum.toast.createFailedText : forumFailure(error, text);
        onFailure(messages);
        notify.error({ title: text.forum.toast.createFailed, text: messages });
        noteSession(queries, error);
      },
    }),
  );
}

function PostForm({ memberId, signedIn, onCreated }: PostFormProps) {
  const text = useText(forumTexts);
  const href = useHref();
  const here = useReturnHere();
  const [draft, setDraft] = useDraft(`florka.draft.post.${memberId}`, { title: '', content: '' });
  const [fieldError, setFieldError] = useState<string>();
  /** On a phone the form is one line until somebody wants it, so that the forum begins above the fold. */
  const [wanted, setWanted] = useState(false);
  const title = useRef<HTMLInputElement>(null);
  /** A double click has no render between its clicks that could show the first one under way. */
  const inFlight = useRef(false);
  const blank = !draft.title.trim() || !draft.content.trim();
  const create = useCreatePost({
    onSuccess: () => {
      setDraft({ title: '', content: '' });
      setWanted(false);
    },
    onCreated,
    onFailure: setFieldError,
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (create.isPending || inFlight.current) return;
    const refusal = blank ? text.forum.fillAll : signedIn ? undefined : text.forum.signInToPost;
    setFieldError(refusal);
    if (refusal) notify.error({ title: text.forum.toast.createFailed, text: refusal });
    else {
      inFlight.current = true;
      create.mutate(draft, {
        onSettled: () => {
          inFlight.current = false;
        },
      });
    }
  }

  if (!signedIn && blank) return null;
  const collapsed = !wanted && !draft.title && !draft.content;
  return (
    <Card className={collapsed ? 'p-5 max-lg:p-3' : 'p-5'}>
      {collapsed ? (
        <button
          type="button"
          className="flex min-h-11 w-full items-center gap-2.5 rounded-control px-2 text-left text-quiet lg:hidden"
          onClick={() => {
            flushSync(() => setWanted(true));
            title.current?.focus();
          }}
        >
          <PenLine aria-hidden="true" className="size-5 flex-none text-lead-text" />
          {text.forum.compose}
        </button>
      ) : null}
      <form
        className={cx('grid grid-cols-1 gap-4', collapsed && 'max-lg:hidden')}
        onSubmit={submit}
        aria-labelledby="new-post"
      >
        <h2 id="new-post" className="text-[1.375rem]">
          {text.forum.create}
        </h2>
        {signedIn ? null : (
          <p className="text-sm">
            <Link to={href('/auth')} state={here} className="link">
              {text.forum.kept}
            </Link>
          </p>
        )}
        <Field label={text.forum.postTitle}>
          <Input
            ref={title}
            dir="auto"
            required
            value={draft.title}
            maxLength={POST_TITLE_MAX}
            onChange={(event) => setDraft({ ...draft, title: event.target.value })}
          />
        </Field>
        <Field
          label={text.forum.content}
          hint={text.forum.counter(draft.content.length, POST_CONTENT_MAX)}
          {...(fieldError ? { error: fieldError } : {})}
        >
          <Textarea
            dir="auto"
            rows={4}
            required
            value={draft.content}
            maxLength={POST_CONTENT_MAX}
            onChange={(event) => setDraft({ ...draft, content: event.target.value })}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
            }}
          />
        </Field>
        <Button
          type="submit"
          variant="primary"
          disabled={blank}
          busy={create.isPending}
          busyLabel={text.forum.publishing}
        >
          {text.forum.publish}
        </Button>
      </form>
    </Card>
  );
}

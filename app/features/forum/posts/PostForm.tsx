import { useMutation, useQueryClient } from '@tanstack/react-query';
import { PenLine, Plus } from 'lucide-react';
import { type FormEvent, lazy, Suspense, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import { codeOf } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { RESTORED } from '#app/lib/live/release.ts';
import { discussionTexts } from '#app/lib/messages/discussion.ts';
import { forumTexts } from '#app/lib/messages/forum.ts';
import { forumMemberTexts } from '#app/lib/messages/forum-member.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { loadWithRetry } from '#app/lib/page/lazy-loading.ts';
import { useReturnHere } from '#app/lib/session/sign-in-return.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Field, Input } from '#app/ui/controls/Field.tsx';
import { cx } from '#app/ui/cx.ts';
import { Card } from '#app/ui/layout/Card.tsx';
import type { TokenKind } from '#contract/fields/schemas.ts';
import { POST_CONTENT_MAX, POST_TAGS_MAX, POST_TITLE_MAX } from '#contract/limits.ts';
import { type Feed, feedQuery, forumFailure, patchMine, refetchSessionIfRefused } from '../forum.queries.ts';
import { refetchMyReview } from '../moderation/review.queries.ts';
import { useDraft } from '../writing/useDraft.ts';
import { WritingArea } from '../writing/WritingArea.tsx';
import type { ImageField } from './PostExtras.tsx';
import { imagesOf, isCategory, tagsOf } from './post-draft.ts';
import { type PostInput, type PublishedPost, usePublish } from './usePublish.ts';

const PostExtras = lazy(() => loadWithRetry(() => import('./PostExtras.tsx')));

const BLANK = { title: '', content: '', category: '', tags: '', images: '' };

/** The token that the posts of the page are about. */
type About = { kind: TokenKind; id: string } | undefined;

interface PostFormProps {
  memberId: string;
  /** False when the session ended while the member was writing: the text stays visible. */
  signedIn: boolean;
  about: About;
  imageField: ImageField;
  onCreated: (postId: string) => void;
}

interface CreatePostOptions {
  about: About;
  /** Called with what was sent, before the feed shows the post. */
  onSuccess: (sent: PostInput) => void;
  /** Called with its id once the feed shows it. */
  onCreated: (postId: string) => void;
  /** Called with the error message. */
  onFailure: (text: string) => void;
}

/** Publishes a post and shows it at the top of the feed. */
function useCreatePost({ about, onSuccess, onCreated, onFailure }: CreatePostOptions) {
  const text = useText(forumTexts, forumMemberTexts);
  const queries = useQueryClient();
  const publish = usePublish<PostInput, PublishedPost>(client.forum.create, (id) => client.forum.post({ id }));
  return useMutation({
    // Lets the board recognise the post of the next live event as the reader's own.
    mutationKey: rpc.forum.create.mutationKey(),
    mutationFn: publish,
    onSuccess: (post, sent) => {
      onSuccess(sent);
      if (!post || post.review) {
        notify.success(text.forum.waits);
        return refetchMyReview(queries);
      }
      patchMine(queries, (mine) => ({ ...mine, posts: [...mine.posts, post.id] }));
      for (const filter of [{}, ...(about ? [{ about: about.id }] : [])])
        queries.setQueryData<Feed>(feedQuery(filter).queryKey, (feed) =>
          feed ? { ...feed, items: [post, ...feed.items.filter(({ id }) => id !== post.id)] } : feed,
        );
      onCreated(post.id);
      notify.success(text.forum.toast.created);
    },
    onError: (error) => {
      const messages = codeOf(error) === 'UNEXPECTED' ? text.forum.toast.createFailedText : forumFailure(error, text);
      onFailure(messages);
      notify.error({ title: text.forum.toast.createFailed, text: messages });
      refetchSessionIfRefused(queries, error);
    },
  });
}

/** The draft, and the post that it would become. */
function usePostDraft(memberId: string, about: About) {
  const [draft, setDraft] = useDraft(`florka.draft.post.${memberId}${about ? `.${about.id}` : ''}`, BLANK);
  const { title, content, category } = draft;
  const tags = tagsOf(draft.tags);
  const images = imagesOf(draft.images);
  /** Default category. */
  const defaultCategory =
    about?.kind === 'next' ? ('launches' as const) : about ? ('tokens' as const) : ('general' as const);
  return {
    draft,
    setDraft,
    post: {
      title,
      content,
      category: isCategory(category) ? category : defaultCategory,
      tags: tags ?? [],
      images,
      ...(about ? { about } : {}),
    },
    tagsWrong: tags === null,
    /** The draft has a category, tags or images. */
    labelled: category !== '' || draft.tags !== '' || images.length > 0,
    blank: !title.trim() || !content.trim(),
  };
}

/** The draft after its publication: the input since the request was sent. @param done called when there is none. */
function unsentOf(now: typeof BLANK, sent: PostInput, done: () => void): typeof BLANK {
  if (now.title !== sent.title || now.content !== sent.content) return { ...now, images: '' };
  done();
  return BLANK;
}

interface MoreProps {
  writing: ReturnType<typeof usePostDraft>;
  imageField: ImageField;
}

/** Category, tags and images, on request or when the draft has any. */
function More({ writing, imageField }: MoreProps) {
  const { discussion } = useText(discussionTexts);
  const { draft, setDraft, post, tagsWrong, labelled } = writing;
  const [wanted, setWanted] = useState(labelled);
  if (!wanted && !labelled)
    return (
      <Button variant="ghost" size="sm" className="-ml-3.5 justify-self-start" onClick={() => setWanted(true)}>
        <Plus aria-hidden="true" />
        {discussion.more}
      </Button>
    );
  return (
    <Suspense>
      <PostExtras
        imageField={imageField}
        category={post.category}
        tags={draft.tags}
        images={post.images}
        tagsWrong={tagsWrong}
        onChange={(change) => setDraft((now) => ({ ...now, ...change }))}
        onImages={(change) =>
          setDraft((now) => {
            const images = change(imagesOf(now.images));
            return { ...now, images: images.length > 0 ? JSON.stringify(images) : '' };
          })
        }
      />
    </Suspense>
  );
}

/** The collapsed form, on a phone. */
function ComposeLine({ hasDraft, onOpen }: { hasDraft: boolean; onOpen: () => void }) {
  const text = useText(forumTexts, forumMemberTexts);
  return (
    <button
      type="button"
      className="flex min-h-11 w-full items-center gap-2.5 rounded-control px-2 text-left text-quiet lg:hidden"
      onClick={onOpen}
    >
      <PenLine aria-hidden="true" className="size-5 flex-none text-lead-text" />
      {hasDraft ? text.forum.resumeDraft : text.forum.compose}
    </button>
  );
}

/** Submits as a button would, without the browser's own validation. */
const submitFormOf = ({ form }: HTMLTextAreaElement) =>
  form?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }));

/** The form for a new post, of a member of the forum. */
export function PostForm({ memberId, signedIn, about, imageField, onCreated }: PostFormProps) {
  const text = useText(forumTexts, forumMemberTexts);
  const { discussion } = useText(discussionTexts);
  const href = useHref();
  const here = useReturnHere();
  const writing = usePostDraft(memberId, about);
  const { draft, setDraft, post, tagsWrong, labelled, blank } = writing;
  const hasDraft = draft.title !== '' || draft.content !== '' || labelled;
  const [fieldError, setFieldError] = useState<string>();
  /** On a phone the form is one line until the user opens it: the forum begins above the fold, and a stored draft moves nothing. */
  const [wanted, setWanted] = useState(false);
  const title = useRef<HTMLInputElement>(null);
  /** Between the two clicks of a double click there is no render that could disable the button. */
  const inFlight = useRef(false);
  const create = useCreatePost({
    about,
    onSuccess: (sent) => setDraft((now) => unsentOf(now, sent, () => setWanted(false))),
    onCreated,
    onFailure: setFieldError,
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (create.isPending || inFlight.current) return;
    const refusal = blank
      ? text.forum.fillAll
      : tagsWrong
        ? discussion.tagsWrong(POST_TAGS_MAX)
        : signedIn
          ? undefined
          : text.forum.signInToPost;
    setFieldError(refusal);
    if (refusal) notify.error({ title: text.forum.toast.createFailed, text: refusal });
    else {
      inFlight.current = true;
      create.mutate(post, {
        onSettled: () => {
          inFlight.current = false;
        },
      });
    }
  }

  if (!signedIn && blank) return null;
  const collapsed = !wanted;
  const write = (change: Partial<typeof draft>) => {
    setWanted(true);
    setDraft({ ...draft, ...change });
  };
  return (
    <Card className={collapsed ? 'p-5 max-lg:p-3' : 'p-5'}>
      {collapsed ? (
        <ComposeLine
          hasDraft={hasDraft}
          onOpen={() => {
            flushSync(() => setWanted(true));
            title.current?.focus();
          }}
        />
      ) : null}
      <form
        {...RESTORED}
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
            onChange={(event) => write({ title: event.target.value })}
          />
        </Field>
        <Field
          label={text.forum.content}
          hint={text.forum.counter(draft.content.length, POST_CONTENT_MAX)}
          {...(fieldError ? { error: fieldError } : {})}
        >
          <WritingArea
            dir="auto"
            rows={4}
            required
            value={draft.content}
            maxLength={POST_CONTENT_MAX}
            onWrite={(content) => write({ content })}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submitFormOf(event.currentTarget);
            }}
          />
        </Field>
        <More writing={writing} imageField={imageField} />
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

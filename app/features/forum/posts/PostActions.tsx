import { useMutation, useQueryClient } from '@tanstack/react-query';
import { codeOf } from '#app/lib/api/failure.ts';
import { IDEMPOTENT_RETRY } from '#app/lib/api/lost-answer.ts';
import { useRetryAfterLostAnswer } from '#app/lib/api/retry-lost-answer.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { forumTexts } from '#app/lib/messages/forum.ts';
import { forumMemberTexts } from '#app/lib/messages/forum-member.ts';
import { notify } from '#app/lib/notices/notify.ts';
import type { Me } from '#contract/domains/auth.ts';
import type { Post } from '#contract/domains/forum.ts';
import { forumFailure, isClosedAction, patchPost, refetchSessionIfRefused, rereadPost } from '../forum.queries.ts';
import { MemberActions } from '../MemberActions.tsx';
import { EditForm, editDraftOf } from '../writing/EditForm.tsx';
import { removeDraft } from '../writing/useDraft.ts';
import { useEditNotices } from '../writing/useEditNotices.ts';

interface PostActionsProps {
  post: Post;
  own: boolean;
  me: Me;
  onEdit: () => void;
}

/** Whether others have commented, so that a placeholder stays when its author deletes it; comments that are not loaded may be of others. */
const mayHaveAnswers = ({ author, comments, commentsCursor }: Post) =>
  commentsCursor !== null ||
  comments.some(({ content, author: { username } }) => content !== null && username !== author.username);

/** Edit, delete, report and the like: what a member can do with a post. */
export function PostActions({ post, own, me, onEdit }: PostActionsProps) {
  const text = useText(forumTexts, forumMemberTexts);
  const queries = useQueryClient();
  const remove = useMutation(
    rpc.forum.deletePost.mutationOptions({
      // If the post no longer exists, an earlier call whose response was lost has deleted it.
      mutationFn: useRetryAfterLostAnswer(client.forum.deletePost, (refusal, { id }) =>
        codeOf(refusal) === 'NOT_FOUND' ? Promise.resolve({ id }) : undefined,
      ),
      onSuccess: async () => {
        notify.success(text.forum.toast.postDeleted);
        const left = own && mayHaveAnswers(post) ? await rereadPost(post.id, post).catch(() => null) : null;
        patchPost(queries, post.id, () => left);
      },
      onError: (error) => {
        if (!isClosedAction(error)) notify.error(text.forum.toast.postDeleteFailed);
        refetchSessionIfRefused(queries, error);
      },
    }),
  );
  return (
    <MemberActions
      me={me}
      own={own}
      createdAt={post.createdAt}
      edited={post.editedAt !== null}
      target={{ what: 'post', id: post.id, name: post.title }}
      relabels={post}
      author={post.author.username}
      labels={{
        edit: text.forum.editPost(post.title),
        delete: text.forum.deletePost(post.title),
        question: text.forum.confirmPost,
      }}
      onEdit={onEdit}
      onDelete={remove.mutateAsync}
    />
  );
}

/** The form for the author's changes of a post. */
export function EditPost({ post, onDone }: { post: Post; onDone: () => void }) {
  const text = useText(forumTexts, forumMemberTexts);
  const queries = useQueryClient();
  const { onSaved, onError } = useEditNotices(onDone);
  const save = useMutation(
    rpc.forum.editPost.mutationOptions({
      ...IDEMPOTENT_RETRY,
      onSuccess: ({ title, content, editedAt }) => {
        removeDraft(editDraftOf(post.id));
        patchPost(queries, post.id, (old) => ({ ...old, title, content, editedAt }));
        onSaved();
      },
      onError,
    }),
  );
  return (
    <EditForm
      id={post.id}
      title={post.title}
      content={post.content ?? ''}
      busy={save.isPending}
      error={save.error ? forumFailure(save.error, text) : undefined}
      onCancel={onDone}
      onSave={({ title = '', content }) => save.mutate({ id: post.id, title, content })}
    />
  );
}

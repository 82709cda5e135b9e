import { useMutation, useQueryClient } from '@tanstack/react-query';
import { IDEMPOTENT_RETRY } from '#app/lib/api/lost-answer.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { forumTexts } from '#app/lib/messages/forum.ts';
import { forumMemberTexts } from '#app/lib/messages/forum-member.ts';
import type { Comment, Post } from '#contract/domains/forum.ts';
import { forumFailure, patchPost } from '../forum.queries.ts';
import { EditForm, editDraftOf } from '../writing/EditForm.tsx';
import { removeDraft } from '../writing/useDraft.ts';
import { useEditNotices } from '../writing/useEditNotices.ts';

const withComment = (comment: Comment) => (post: Post) => ({
  ...post,
  comments: post.comments.map((old) => (old.id === comment.id ? comment : old)),
});

/** The edit form, in place of the author's comment. */
export function EditComment({ comment, onDone }: { comment: Comment; onDone: () => void }) {
  const text = useText(forumTexts, forumMemberTexts);
  const queries = useQueryClient();
  const { onSaved, onError } = useEditNotices(onDone);
  const save = useMutation(
    rpc.forum.editComment.mutationOptions({
      ...IDEMPOTENT_RETRY,
      onSuccess: (changed) => {
        removeDraft(editDraftOf(comment.id));
        patchPost(queries, comment.postId, withComment(changed));
        onSaved();
      },
      onError,
    }),
  );
  return (
    <EditForm
      id={comment.id}
      content={comment.content ?? ''}
      busy={save.isPending}
      error={save.error ? forumFailure(save.error, text) : undefined}
      onCancel={onDone}
      onSave={({ content }) => save.mutate({ id: comment.id, content })}
    />
  );
}

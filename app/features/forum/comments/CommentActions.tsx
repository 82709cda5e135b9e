import { useMutation, useQueryClient } from '@tanstack/react-query';
import { codeOf } from '#app/lib/api/failure.ts';
import { useRetryAfterLostAnswer } from '#app/lib/api/retry-lost-answer.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { forumTexts } from '#app/lib/messages/forum.ts';
import { forumMemberTexts } from '#app/lib/messages/forum-member.ts';
import { notify } from '#app/lib/notices/notify.ts';
import type { Me } from '#contract/domains/auth.ts';
import type { Comment } from '#contract/domains/forum.ts';
import { forumFailure, isClosedAction, patchPost, refetchSessionIfRefused } from '../forum.queries.ts';
import { MemberActions } from '../MemberActions.tsx';

interface CommentActionsProps {
  comment: Comment;
  me: Me;
  own: boolean;
  onEdit: () => void;
}

/** Edit, delete, report and the like: what a member can do with a comment. */
export function CommentActions({ comment, me, own, onEdit }: CommentActionsProps) {
  const text = useText(forumTexts, forumMemberTexts);
  const queries = useQueryClient();
  const remove = useMutation(
    rpc.forum.deleteComment.mutationOptions({
      // If the comment no longer exists, an earlier call whose response was lost has deleted it.
      mutationFn: useRetryAfterLostAnswer(client.forum.deleteComment, (refusal, { id }) =>
        codeOf(refusal) === 'NOT_FOUND' ? Promise.resolve({ id, postId: comment.postId }) : undefined,
      ),
      onSuccess: () => {
        notify.success(text.forum.toast.commentDeleted);
        patchPost(queries, comment.postId, (post) => ({
          ...post,
          commentCount: Math.max(0, post.commentCount - 1),
          // A comment deleted by its author leaves a placeholder, one removed by a moderator leaves nothing.
          comments: post.comments.flatMap((old) =>
            old.id !== comment.id ? [old] : own ? [{ ...old, content: null }] : [],
          ),
        }));
      },
      onError: (error) => {
        if (!isClosedAction(error))
          notify.error({ title: text.forum.toast.commentDeleteFailed, text: forumFailure(error, text) });
        refetchSessionIfRefused(queries, error);
      },
    }),
  );
  const username = comment.author.username ?? text.forum.left;
  return (
    <MemberActions
      me={me}
      own={own}
      createdAt={comment.createdAt}
      edited={comment.editedAt !== null}
      target={{ what: 'comment', id: comment.id, name: comment.author.username ?? '' }}
      author={comment.author.username}
      labels={{
        edit: text.forum.editComment(username),
        delete: text.forum.deleteComment(username),
        question: text.forum.confirmComment,
      }}
      onEdit={onEdit}
      onDelete={remove.mutateAsync}
    />
  );
}

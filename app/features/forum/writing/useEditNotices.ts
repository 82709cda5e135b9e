import { useQueryClient } from '@tanstack/react-query';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { forumTexts } from '#app/lib/messages/forum.ts';
import { forumMemberTexts } from '#app/lib/messages/forum-member.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { forumFailure, refetchSessionIfRefused } from '../forum.queries.ts';

/**
 * What follows the saving of an author's changes, the same for posts and comments.
 *
 * @param onDone called after they were saved.
 */
export function useEditNotices(onDone: () => void) {
  const text = useText(forumTexts, forumMemberTexts);
  const queries = useQueryClient();
  return {
    onSaved: () => {
      notify.success(text.forum.toast.edited);
      onDone();
    },
    onError: (error: Error) => {
      notify.failed(error, { title: text.forum.toast.editFailed, text: forumFailure(error, text) });
      refetchSessionIfRefused(queries, error);
    },
  };
}

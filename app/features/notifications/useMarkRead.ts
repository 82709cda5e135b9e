import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'react-router';
import { IDEMPOTENT_RETRY } from '#app/lib/api/lost-answer.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { noticeOf } from '#contract/text/notice-address.ts';
import { unreadQuery } from './notifications.queries.ts';

/** Marks as read, and refetches the rest. */
export function useMarkRead() {
  const queries = useQueryClient();
  return useMutation(
    rpc.notifications.markRead.mutationOptions({
      ...IDEMPOTENT_RETRY,
      onSuccess: (left) => queries.setQueryData(unreadQuery().queryKey, left),
      // Not awaited: without a network its retries would delay the report of the failure by seconds.
      onSettled: () => void queries.invalidateQueries({ queryKey: rpc.notifications.list.key() }),
    }),
  );
}

/** Marks the notification as read whose mail, push or Telegram message led here, and takes its id out of the address. */
export function useOpenedNotice(): void {
  // Another object for each visit of an address.
  const location = useLocation();
  const read = useMarkRead();
  const open = useEffectEvent((search: string) => {
    const opened = noticeOf(search);
    if (!opened) return;
    read.mutate({ ids: [opened.id] });
    // Not a navigation, which would move the focus away from the comment that the address names.
    const { pathname, hash } = window.location;
    window.history.replaceState(window.history.state, '', pathname + opened.search + hash);
  });
  useEffect(() => open(location.search), [location]);
}

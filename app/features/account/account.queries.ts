import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { codeOf, failureText } from '#app/lib/api/failure.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { accountTexts } from '#app/lib/messages/account.ts';
import { notify } from '#app/lib/notices/notify.ts';

/** The user's own account; queried for signed-in users only. */
export const useOverview = (enabled: boolean) =>
  useQuery(rpc.account.overview.queryOptions({ enabled, staleTime: 5_000 }));

export const useSessions = () => useQuery(rpc.account.sessions.queryOptions({}));

/** Refetches the account, its sessions and the session of this tab after a change. */
export function useRefresh(): () => Promise<unknown> {
  const queries = useQueryClient();
  return useCallback(
    () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: rpc.account.overview.key() }),
        queries.invalidateQueries({ queryKey: rpc.account.sessions.key() }),
        queries.invalidateQueries({ queryKey: rpc.account.passkeys.list.key() }),
        queries.invalidateQueries({ queryKey: rpc.account.wallets.list.key() }),
        queries.invalidateQueries({ queryKey: rpc.auth.me.key() }),
      ]),
    [queries],
  );
}

/** Message for a failed change of the account. */
export function useFailureText(): (error: unknown) => string {
  const text = useText(accountTexts);
  return (error) => (codeOf(error) === 'UNAUTHORIZED' ? text.failure.NO_USER : failureText(error, text));
}

/** Shows a notice of a failed change; after a lost response `unanswered` instead. */
export function useFailed(): (error: unknown, unanswered?: string) => void {
  const text = useText(accountTexts);
  const messages = useFailureText();
  return (error, unanswered) => notify.failed(error, { title: text.account.failed, text: messages(error) }, unanswered);
}

/** Downloads a file created in the browser. */
export function download(name: string, type: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Bell, BellOff } from 'lucide-react';
import { failureText } from '#app/lib/api/failure.ts';
import { IDEMPOTENT_RETRY } from '#app/lib/api/lost-answer.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { savedTexts } from '#app/lib/messages/saved.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { IconButton } from '#app/ui/controls/Button.tsx';
import type { SavedRef } from '#contract/domains/saved.ts';

/** For members: enables or disables mails about a saved token. */
export function NoticeSwitch({ token, name }: { token: SavedRef; name: string }) {
  const text = useText(savedTexts);
  const locale = useLocale();
  const queries = useQueryClient();
  const key = rpc.saved.notices.queryKey();
  const { data } = useQuery(rpc.saved.notices.queryOptions({ staleTime: 60_000 }));
  const same = (ref: SavedRef) => ref.kind === token.kind && ref.id === token.id;
  const on = data?.some(same) ?? false;
  const put = (next: boolean) =>
    queries.setQueryData(key, (old) => [
      ...(old ?? []).filter((ref) => !same(ref)),
      ...(next ? [{ kind: token.kind, id: token.id }] : []),
    ]);
  const change = useMutation(
    rpc.saved.setNotice.mutationOptions({
      ...IDEMPOTENT_RETRY,
      // A list that is being fetched may lack this choice, and so may one fetched between two of them.
      onMutate: (input) => {
        void queries.cancelQueries({ queryKey: key });
        put(input.on);
      },
      onError: (error, input) => {
        // Without a network the list cannot be read again.
        put(!input.on);
        notify.failed(error, { title: text.toast.saveFailed, text: failureText(error, text) });
      },
      onSettled: () => {
        if (queries.isMutating({ mutationKey: rpc.saved.setNotice.mutationKey() }) === 1)
          void queries.invalidateQueries({ queryKey: key });
      },
    }),
  );
  return (
    <IconButton
      className="above"
      label={text.saved.noticeOf(name)}
      aria-pressed={on}
      onClick={() => change.mutate({ kind: token.kind, id: token.id, on: !on, locale })}
    >
      {on ? <Bell aria-hidden="true" fill="currentColor" /> : <BellOff aria-hidden="true" />}
    </IconButton>
  );
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { failureText } from '#app/lib/api/failure.ts';
import { IDEMPOTENT_RETRY } from '#app/lib/api/lost-answer.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { profileTexts } from '#app/lib/messages/profiles.ts';
import { notify } from '#app/lib/notices/notify.ts';
import type { RestrictionLevel } from '#contract/domains/profiles.ts';

/** Mutes or blocks a member, or ends it, and offers an undo. */
export function useRestrict() {
  const text = useText(profileTexts);
  const queries = useQueryClient();
  const messages = text.restrictions;
  const key = rpc.profiles.restrictions.queryKey();
  const call = useMutation(
    rpc.profiles.restrict.mutationOptions({
      ...IDEMPOTENT_RETRY,
      onError: (error) => notify.failed(error, { title: messages.failed, text: failureText(error, text) }),
      onSettled: () => queries.invalidateQueries({ queryKey: key }),
    }),
  );
  async function set(name: string, level: RestrictionLevel | 'none'): Promise<void> {
    const before = queries.getQueryData(key)?.find(({ username }) => username === name)?.level ?? 'none';
    const done = await call.mutateAsync({ name, level }).catch(() => null);
    if (!done || before === level) return;
    const title = { mute: messages.muted, block: messages.blocked, none: messages.ended }[level](name);
    notify.success({ title, undo: { label: messages.undo, run: () => call.mutate({ name, level: before }) } });
  }
  return { set, busy: call.isPending };
}

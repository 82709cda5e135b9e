import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminClosingTexts } from '#app/lib/messages/admin/token-creation/close-part.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { useAdminFailure } from '../kit/failures.ts';

/** Invalidates the private link of an order; its payer gets a new one by mail. */
export function ReplaceLink({ id, name }: { id: string; name: string }) {
  const messages = useText(adminClosingTexts).closing.link;
  const failure = useAdminFailure('tokens');
  const queries = useQueryClient();
  const [confirming, setConfirming] = useState(false);
  const replace = useMutation({
    mutationFn: () => client.admin.tokenRequests.replaceLink({ id }),
    onSuccess: ({ mailed }) =>
      notify.success({ title: messages.replaced, text: mailed ? messages.mailed : messages.unmailed }),
    onError: (error) => notify.failed(error, { title: messages.failed, text: failure(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: rpc.admin.key() }),
  });
  return (
    <>
      <Button size="sm" className="mt-2" onClick={() => setConfirming(true)}>
        {messages.replace}
      </Button>
      <ConfirmDialog
        open={confirming}
        onClose={() => setConfirming(false)}
        title={messages.replace}
        question={name}
        text={messages.text}
        confirmLabel={messages.confirm}
        busyLabel={messages.replacing}
        onConfirm={() => replace.mutateAsync()}
      />
    </>
  );
}

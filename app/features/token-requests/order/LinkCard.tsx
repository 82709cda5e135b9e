import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { failureText } from '#app/lib/api/failure.ts';
import { useRetryAfterLostAnswer } from '#app/lib/api/retry-lost-answer.ts';
import { client } from '#app/lib/api/rpc.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { ordersTexts } from '#app/lib/messages/orders.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { storeOrderKey } from '#app/lib/session/order-keys.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import { Card } from '#app/ui/layout/Card.tsx';
import { type OrderRef, whyEnded } from './order.queries.ts';

type ReplaceLinkInput = Parameters<typeof client.tokenRequests.replaceLink>[0];

/** Explains the private link and replaces it on request. */
export function LinkCard({ orderRef, onMailed }: { orderRef: OrderRef; onMailed: () => void }) {
  const text = useText(ordersTexts);
  const messages = text.orders.link;
  const locale = useLocale();
  const navigate = useNavigate();
  const [confirming, setConfirming] = useState(false);
  const replace = useMutation({
    // After a lost response, a link that no longer works shows that it was replaced; the new one was in the response.
    mutationFn: useRetryAfterLostAnswer<ReplaceLinkInput, { key: string | null; mailed: boolean | null }>(
      client.tokenRequests.replaceLink,
      (refusal) => (whyEnded(refusal) === 'replaced' ? Promise.resolve({ key: null, mailed: null }) : undefined),
    ),
    onSuccess: ({ key, mailed }) => {
      setConfirming(false);
      const text = mailed === null ? '' : mailed ? messages.mailed : messages.here;
      notify.success({ title: messages.replaced, ...(text ? { text } : {}) });
      if (!key) return onMailed();
      storeOrderKey(orderRef.id, key);
      void navigate({ hash: key }, { replace: true, preventScrollReset: true });
    },
    onError: (error) => notify.failed(error, { title: messages.failed, text: failureText(error, text) }),
  });
  return (
    <Card className="p-5 print:hidden">
      <h2 className="text-xl">{messages.heading}</h2>
      <p className="mt-1 text-sm text-quiet">{messages.text}</p>
      <Button size="sm" className="mt-3" onClick={() => setConfirming(true)}>
        {messages.replace}
      </Button>
      <Dialog
        open={confirming}
        onOpenChange={setConfirming}
        title={messages.replace}
        description={messages.question}
        actions={
          <>
            <Button onClick={() => setConfirming(false)}>{messages.cancel}</Button>
            <Button variant="primary" busy={replace.isPending} onClick={() => replace.mutate({ ...orderRef, locale })}>
              {messages.confirm}
            </Button>
          </>
        }
      />
    </Card>
  );
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { verifyAfterLostAnswer } from '#app/lib/api/retry-lost-answer.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { ownershipTexts } from '#app/lib/messages/ownership.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { LazyDialog } from '#app/lib/page/LazyDialog.tsx';
import { Button } from '#app/ui/controls/Button.tsx';
import type { ProofInfo, TokenRecord } from '#contract/domains/ownership.ts';
import { useProofFailure } from './failure-text.ts';

interface GiveUpProps {
  record: TokenRecord;
  /** A proof of any method that has not ended. */
  proof: ProofInfo;
  /** The proof is being checked. */
  busy?: boolean;
}

/** Ends a proof; a valid one after a confirmation only, because that cannot be undone and followers are notified. */
export function GiveUp({ record, proof, busy = false }: GiveUpProps) {
  const messages = useText(ownershipTexts).ownership;
  const failure = useProofFailure();
  const queries = useQueryClient();
  const [confirming, setConfirming] = useState(false);
  const give = useMutation({
    mutationFn: () =>
      verifyAfterLostAnswer<unknown>(
        () => client.ownership.giveUp({ id: proof.id }),
        async () => {
          const { proofs } = await client.ownership.mine(record);
          return proofs.some(({ id, state }) => id === proof.id && state !== 'ended') ? undefined : true;
        },
      ),
    onSuccess: () => notify.success({ title: messages.given }),
    onSettled: () => queries.invalidateQueries({ queryKey: rpc.ownership.key() }),
  });
  return (
    <>
      {give.error ? (
        <p role="alert" className="basis-full text-coral-text">
          {failure(give.error)}
        </p>
      ) : null}
      <Button
        variant="ghost"
        className="justify-self-start"
        disabled={busy}
        busy={give.isPending}
        busyLabel={messages.loading}
        onClick={() => (proof.state === 'valid' ? setConfirming(true) : give.mutate())}
      >
        {messages.giveUp}
      </Button>
      <LazyDialog
        role="alertdialog"
        open={confirming}
        onOpenChange={setConfirming}
        title={messages.giveUpHeading}
        description={messages.giveUpText}
        actions={
          <>
            <Button onClick={() => setConfirming(false)}>{messages.keep}</Button>
            <Button
              variant="danger"
              onClick={() => {
                setConfirming(false);
                give.mutate();
              }}
            >
              {messages.giveUp}
            </Button>
          </>
        }
      />
    </>
  );
}

import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { client } from '#app/lib/api/rpc.ts';
import { When } from '#app/lib/format/When.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminRefundsTexts } from '#app/lib/messages/admin/refunds.ts';
import { ordersTexts } from '#app/lib/messages/orders.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Copyable } from '#app/ui/controls/Copyable.tsx';
import type { AdminRefund } from '#contract/admin/refunds.ts';
import { useRefusal } from '../deliverables/refusals.ts';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { Cancelled } from '../kit/failures.ts';
import { useStepUp } from '../kit/StepUp.tsx';

/** Longer than any address: nobody compares a shortened one with their wallet. */
const WHOLE = 128;

interface ClaimProps {
  row: AdminRefund;
  amount: string;
  /** Refetches the refund. */
  onChanged: () => Promise<void>;
}

/** The claim of a refund: who pays it, its address for that person, and the alarm when the provider returned the money. */
export function ClaimPart(props: ClaimProps) {
  const messages = useText(adminRefundsTexts).adminRefunds;
  const { row } = props;
  if (row.state === 'withdrawn' || row.state === 'sent')
    return (
      <Callout tone="coral">
        {row.withdrawnCause === 'returned' ? messages.claim.closed : messages.claim.ended(messages.states[row.state])}
      </Callout>
    );
  const { claim } = row;
  if (claim === null) return <Unclaimed {...props} />;
  if (!claim.mine)
    return (
      <>
        <Callout tone={row.halted ? 'coral' : 'lead'}>
          {(claim.over ? messages.claim.theirsOver : messages.claim.theirs)(claim.by ?? messages.claim.nobody)}{' '}
          <When iso={claim.over ? claim.at : claim.until} />. {row.halted ? messages.claim.haltedTheirs : null}
        </Callout>
        {claim.over ? <Release {...props} /> : null}
      </>
    );
  return (
    <>
      {row.halted ? (
        <Callout tone="coral">
          <strong className="block">{messages.claim.haltedTitle}</strong>
          {messages.claim.haltedText}
        </Callout>
      ) : row.addressShown ? (
        <Destination {...props} />
      ) : (
        <>
          <Callout tone="lead">{messages.claim.mineOver}</Callout>
          <Claim {...props} label={messages.claim.again} />
        </>
      )}
      <Release {...props} />
    </>
  );
}

/** A notice that assistive technology reads at once, also when it appears while the dialog is open. */
const Callout = ({ tone, children }: { tone: 'coral' | 'lead'; children: ReactNode }) => (
  <p role="alert" className="admin-callout text-sm" data-tone={tone}>
    {children}
  </p>
);

/** The amount and the address, for who claimed the refund. */
function Destination({ row, amount }: ClaimProps) {
  const text = useText(adminRefundsTexts, ordersTexts);
  const messages = text.adminRefunds;
  return (
    <>
      <p className="text-sm">
        {messages.sendText(amount)} {messages.claim.until} {row.claim ? <When iso={row.claim.until} /> : null}.
      </p>
      {row.address ? (
        <p className="wrap-anywhere">
          <Copyable value={row.address} label={messages.claim.copy} copiedLabel={text.orders.copied} head={WHOLE} />
        </p>
      ) : null}
    </>
  );
}

function Unclaimed(props: ClaimProps) {
  const messages = useText(adminRefundsTexts).adminRefunds;
  return (
    <>
      <p className="text-sm">{messages.claim.text}</p>
      <Claim {...props} label={messages.claim.now} />
    </>
  );
}

/** Claims the refund; where the provider does not answer, a person decides. */
function Claim({ row, onChanged, label }: ClaimProps & { label: string }) {
  const messages = useText(adminRefundsTexts).adminRefunds;
  const refusal = useRefusal();
  const withProof = useStepUp();
  const claim = useMutation({
    mutationFn: (unanswered: boolean) =>
      withProof(() => client.admin.refunds.claim({ id: row.id, version: row.version, unanswered })),
    onError: (error) => {
      if (!(error instanceof Cancelled) && whyOf(error) !== 'unanswered')
        notify.failed(error, { title: messages.claim.failed, text: refusal(error) });
    },
    onSettled: onChanged,
  });
  const unanswered = whyOf(claim.error) === 'unanswered';
  return (
    <>
      {unanswered ? <Callout tone="coral">{messages.claim.unanswered}</Callout> : null}
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          busy={claim.isPending}
          busyLabel={messages.claim.checking}
          onClick={() => claim.mutate(false)}
        >
          {unanswered ? messages.claim.retry : label}
        </Button>
        {unanswered && !claim.isPending ? (
          <Button variant="danger" onClick={() => claim.mutate(true)}>
            {messages.claim.allTheSame}
          </Button>
        ) : null}
      </div>
    </>
  );
}

const whyOf = (error: unknown) => (error as { data?: { why?: string } } | null)?.data?.why;

/** Records that the refund was not paid. */
function Release({ row, onChanged }: ClaimProps) {
  const messages = useText(adminRefundsTexts).adminRefunds;
  const refusal = useRefusal();
  const withProof = useStepUp();
  const [confirming, setConfirming] = useState(false);
  const release = useMutation({
    mutationFn: (reason: string) =>
      withProof(() => client.admin.refunds.release({ id: row.id, version: row.version, reason })),
    onSuccess: () => notify.success({ title: messages.claim.released }),
    onError: (error) => {
      if (!(error instanceof Cancelled))
        notify.failed(error, { title: messages.claim.releaseFailed, text: refusal(error) });
    },
    onSettled: onChanged,
  });
  return (
    <div>
      <Button onClick={() => setConfirming(true)}>{messages.claim.release}</Button>
      <ConfirmDialog
        open={confirming}
        onClose={() => setConfirming(false)}
        title={messages.claim.releaseOf(row.number)}
        text={row.claim?.mine ? messages.claim.releaseText : messages.claim.releaseTheirs}
        confirmLabel={messages.claim.release}
        busyLabel={messages.claim.releasing}
        harmless
        reason="required"
        onConfirm={(reason) => release.mutateAsync(reason)}
      />
    </div>
  );
}

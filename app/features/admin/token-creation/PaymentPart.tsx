import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { amountInCoin } from '#app/lib/format/coins.ts';
import { coins, dateTime } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminTokenTexts } from '#app/lib/messages/admin/token-creation.ts';
import { coinsTexts } from '#app/lib/messages/coins.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Badge, type Tone } from '#app/ui/layout/Badge.tsx';
import type { AdminPayment } from '#contract/admin/payments.ts';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { Cancelled, useAdminFailure } from '../kit/failures.ts';
import { usePlanName } from '../kit/plan-name.ts';
import { IfAllowed } from '../kit/rights.tsx';
import { useStepUp } from '../kit/StepUp.tsx';
import { OpenRefund } from '../refunds/OpenRefund.tsx';
import { providerStatusText, usd } from './money.ts';
import { SignedAcceptance } from './SignedAcceptance.tsx';

const TONES: Record<AdminPayment['state'], Tone> = {
  awaiting: 'neutral',
  confirming: 'sky',
  partially_paid: 'coral',
  paid: 'mint',
  overpaid: 'mint',
  paid_late: 'lead',
  expired: 'neutral',
  failed: 'coral',
  refunded: 'neutral',
  under_review: 'coral',
};

/** One order: received and missing amounts, and the team's actions. */
export function PaymentPart({ payment }: { payment: AdminPayment }) {
  const text = useText(adminTokenTexts).tokenAdmin;
  const planName = usePlanName();
  const { on } = useText(coinsTexts).coins;
  const messages = text.detail;
  const locale = useLocale();
  const [requested, setRequested] = useState<'accept' | 'note' | null>(null);
  const actions = usePaymentActions(payment);
  const short = payment.missingUsd > 0;
  return (
    <article className="admin-sub grid grid-cols-1 gap-2" aria-label={messages.order(payment.orderId)}>
      <header className="flex flex-wrap items-center gap-2">
        <h4 className="figures text-base font-semibold">{payment.orderId}</h4>
        {/* The provider has no record of money that the team sent back. */}
        {payment.stage === 'refunded' ? (
          <Badge>{text.stages.refunded}</Badge>
        ) : (
          <Badge tone={TONES[payment.state]}>{messages.state[payment.state]}</Badge>
        )}
        {payment.isCurrent ? <Badge>{messages.current}</Badge> : null}
        {payment.simulation ? <Badge tone="lead">{messages.simulation}</Badge> : null}
        <span className="ml-auto text-sm">{planName(payment.plan)}</span>
      </header>
      <p className="figures">
        {messages.received(
          usd(payment.returned?.receivedUsd ?? payment.receivedUsd, locale),
          usd(payment.priceAmount, locale),
        )}
        {short && payment.deposits.length > 0 ? ` · ${text.missing(usd(payment.missingUsd, locale))}` : null}
      </p>
      {payment.returned ? (
        <p className="figures">
          {messages.returned(usd(payment.returned.returnedUsd, locale), usd(payment.returned.remainingUsd, locale))}
        </p>
      ) : null}
      {payment.state === 'failed' || payment.state === 'expired' ? (
        <p className="text-sm">{messages.unpaidWhy[payment.state]}</p>
      ) : null}
      {payment.missingAmount ? (
        <p className="figures text-sm">
          {messages.restInCoin(amountInCoin(payment.missingAmount, payment.payCurrency, locale, on))}
        </p>
      ) : null}
      {payment.attention.length > 0 ? (
        <ul className="list-disc pl-5 text-sm text-coral-text">
          {payment.attention.map((reason) => (
            <li key={reason}>{messages.attention[reason] ?? reason}</li>
          ))}
        </ul>
      ) : null}
      {payment.accepted ? (
        <p className="text-sm">
          {messages.accepted(payment.accepted.by ?? messages.someone, dateTime(payment.accepted.at, locale))} «
          {payment.accepted.reason}»
        </p>
      ) : null}
      <Deposits payment={payment} />
      <IfAllowed call="tokenRequests.addAcceptance">
        <SignedAcceptance payment={payment} />
      </IfAllowed>
      <p className="text-sm text-quiet">
        {payment.confirmedAt
          ? `${messages.confirmedAt(dateTime(payment.confirmedAt, locale))} · `
          : payment.state === 'awaiting'
            ? `${messages.expires(dateTime(payment.expiresAt, locale))} · `
            : null}
        {payment.checkedAt ? messages.checkedAt(dateTime(payment.checkedAt, locale)) : messages.neverChecked}
      </p>
      <IfAllowed call="tokenRequests.acceptPayment">
        <div className="flex flex-wrap gap-2">
          <Button
            size="sm"
            busy={actions.check.isPending}
            busyLabel={messages.checking}
            onClick={() => actions.check.mutate()}
          >
            {messages.check}
          </Button>
          {payment.acceptable ? (
            <Button size="sm" variant="primary" onClick={() => setRequested('accept')}>
              {messages.accept}
            </Button>
          ) : null}
          {payment.deposits.length > 0 ? (
            <Button size="sm" variant="ghost" onClick={() => setRequested('note')}>
              {messages.note}
            </Button>
          ) : null}
          <OpenRefund payment={payment} />
        </div>
      </IfAllowed>
      <ConfirmDialog
        open={requested === 'accept'}
        onClose={() => setRequested(null)}
        title={text.actions.acceptTitle}
        text={
          short
            ? text.actions.acceptText(payment.orderId, usd(payment.missingUsd, locale))
            : text.actions.acceptOdd(payment.orderId)
        }
        confirmLabel={text.actions.acceptConfirm}
        busyLabel={text.actions.acceptBusy}
        harmless
        reason="required"
        onConfirm={(reason) => actions.accept.mutateAsync(reason)}
      />
      <ConfirmDialog
        open={requested === 'note'}
        onClose={() => setRequested(null)}
        title={text.actions.noteTitle}
        text={text.actions.noteText}
        confirmLabel={text.actions.noteConfirm}
        busyLabel={text.actions.noteBusy}
        harmless
        reason="required"
        onConfirm={(note) => actions.note.mutateAsync(note)}
      />
    </article>
  );
}

function Deposits({ payment }: { payment: AdminPayment }) {
  const text = useText(adminTokenTexts).tokenAdmin;
  const messages = text.detail;
  const { on } = useText(coinsTexts).coins;
  const locale = useLocale();
  if (payment.deposits.length === 0) return null;
  return (
    <ul className="grid gap-1.5 text-sm" aria-label={messages.deposits}>
      {payment.deposits.map((deposit) => (
        <li key={deposit.paymentId} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
          <span className="figures text-quiet">{deposit.paymentId}</span>
          <span className="figures font-semibold">{amountInCoin(deposit.amount, deposit.currency, locale, on)}</span>
          {deposit.due === null ? null : (
            <span className="figures text-quiet">{messages.of(coins(deposit.due, locale))}</span>
          )}
          <span>{providerStatusText(deposit.status, text)}</span>
          {deposit.counts ? null : <Badge tone="coral">{messages.odd}</Badge>}
          {deposit.at ? <time dateTime={deposit.at}>{dateTime(deposit.at, locale)}</time> : null}
        </li>
      ))}
    </ul>
  );
}

/** The team's actions on a payment; each shows a notice with its outcome and refetches everything. */
function usePaymentActions({ id }: AdminPayment) {
  const messages = useText(adminTokenTexts).tokenAdmin.actions;
  const failure = useAdminFailure('tokens');
  const queries = useQueryClient();
  const withProof = useStepUp();
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: rpc.admin.tokenRequests.key() }),
      queries.invalidateQueries({ queryKey: rpc.admin.inbox.key() }),
    ]);
  const refused = (title: string) => (error: unknown) => {
    if (error instanceof Cancelled) return;
    const code = codeOf(error);
    const text =
      code === 'ALREADY_DONE' ? messages.alreadyFine : code === 'NOT_FOUND' ? messages.nothingArrived : failure(error);
    notify.failed(error, { title, text });
    void refresh();
  };
  return {
    check: useMutation({
      mutationFn: () => client.admin.tokenRequests.checkPayment({ paymentId: id }),
      onSuccess: ({ answer }) => {
        if (answer === 'unknown') notify.error({ title: messages.checked.unknown, text: messages.unknownText });
        else notify.success({ title: messages.checked[answer] });
        return refresh();
      },
      onError: refused(messages.checkFailed),
    }),
    accept: useMutation({
      mutationFn: (reason: string) =>
        withProof(() => client.admin.tokenRequests.acceptPayment({ paymentId: id, reason })),
      onSuccess: () => {
        notify.success({ title: messages.accepted });
        return refresh();
      },
      onError: refused(messages.acceptFailed),
    }),
    note: useMutation({
      mutationFn: (note: string) => withProof(() => client.admin.tokenRequests.notePayment({ paymentId: id, note })),
      onSuccess: () => {
        notify.success({ title: messages.noted });
        return refresh();
      },
      onError: refused(messages.noteFailed),
    }),
  };
}

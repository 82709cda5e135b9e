import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { changeFailureText, codeOf } from '#app/lib/api/failure.ts';
import { verifyAfterLostAnswer } from '#app/lib/api/retry-lost-answer.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { amountInCoin, coinText } from '#app/lib/format/coins.ts';
import { When } from '#app/lib/format/When.tsx';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { coinsTexts } from '#app/lib/messages/coins.ts';
import { deliverablesTexts } from '#app/lib/messages/deliverables.ts';
import { ordersTexts } from '#app/lib/messages/orders.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Copyable } from '#app/ui/controls/Copyable.tsx';
import { Field, Input } from '#app/ui/controls/Field.tsx';
import { Badge, type Tone } from '#app/ui/layout/Badge.tsx';
import { Card } from '#app/ui/layout/Card.tsx';
import type { Refund } from '#contract/domains/refunds.ts';
import type { Order } from '#contract/domains/token-requests.ts';
import type { OrderRef } from './order.queries.ts';

const TONES: Record<Refund['state'], Tone> = {
  address_needed: 'coral',
  address_unconfirmed: 'lead',
  ready: 'sky',
  sent: 'mint',
  withdrawn: 'neutral',
};

/** Refunds, each with the payer's next step. */
export function Refunds({ order, orderRef }: { order: Order; orderRef: OrderRef }) {
  return order.refunds.map((refund) => <RefundCard key={refund.id} refund={refund} orderRef={orderRef} />);
}

const nextOf = ({ byProvider, withdrawnCause, paying, state }: Refund) =>
  byProvider ? 'byProvider' : withdrawnCause === 'returned' ? 'returned' : paying ? 'paying' : state;

function RefundCard({ refund, orderRef }: { refund: Refund; orderRef: OrderRef }) {
  const text = useText(deliverablesTexts, ordersTexts, coinsTexts);
  const messages = text.refunds;
  const locale = useLocale();
  const { state } = refund;
  const steps: [string, string | null][] = [
    [messages.steps.opened, refund.openedAt],
    [messages.steps.address, refund.addressAt],
    [messages.steps.confirmed, refund.confirmedAt],
    [messages.steps.sent, refund.sentAt],
    [messages.steps.withdrawn, refund.withdrawnAt],
  ];
  const open = state === 'address_needed' || state === 'address_unconfirmed' || state === 'ready';
  return (
    <section aria-label={messages.heading(refund.number)} className="print:hidden">
      <Card
        className={`p-5 ${state === 'address_needed' || state === 'address_unconfirmed' ? 'border-lead-text' : ''}`}
      >
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
          <h2 className="text-xl">{messages.heading(refund.number)}</h2>
          <Badge tone={TONES[state]}>{messages.state[state]}</Badge>
        </div>
        {refund.simulation ? <p className="mt-1 text-sm font-semibold text-coral-text">{messages.simulation}</p> : null}
        <p className="figures mt-2 text-lg font-semibold wrap-anywhere">
          {amountInCoin(refund.amount, refund.asset, locale, text.coins.on)}
        </p>
        <p className="text-sm text-quiet">{messages.of(refund.orderId)}</p>
        <p className="mt-2 text-sm whitespace-pre-line wrap-anywhere">
          <span className="text-quiet">{messages.why}</span> {refund.withdrawnReason || refund.reason}
        </p>
        <p className="mt-3" role="status">
          {messages.next[nextOf(refund)]}
        </p>
        {refund.address && state !== 'withdrawn' ? (
          <p className="mt-2 text-sm">
            {messages.destination}{' '}
            {state === 'ready' ? (
              <span className="figures">{refund.address}</span>
            ) : (
              <Copyable
                value={refund.address}
                label={messages.copyAddress}
                copiedLabel={text.orders.copied}
                head={10}
                tail={8}
              />
            )}
          </p>
        ) : null}
        {refund.transaction ? (
          <p className="mt-2 text-sm">
            {messages.transaction}{' '}
            <Copyable
              value={refund.transaction}
              label={messages.copyTransaction}
              copiedLabel={text.orders.copied}
              head={10}
              tail={8}
            />
          </p>
        ) : null}
        {open && !refund.paying ? <NextStep refund={refund} orderRef={orderRef} /> : null}
        <ol className="mt-4 grid gap-1 text-sm">
          {steps.map(([name, at]) =>
            at ? (
              <li key={name} className="flex flex-wrap justify-between gap-x-3">
                <span>{name}</span>
                <span className="text-quiet">
                  <When iso={at} />
                </span>
              </li>
            ) : null,
          )}
        </ol>
      </Card>
    </section>
  );
}

/** Submits the address of a refund, and confirms it with the mailed code. */
function useRefundAddress({ refund, orderRef, onSubmitted }: NextStepProps & { onSubmitted: () => void }) {
  const messages = useText(deliverablesTexts).refunds;
  const queries = useQueryClient();
  const who = { ...orderRef, refundId: refund.id };
  const refresh = () => queries.invalidateQueries({ queryKey: rpc.tokenRequests.order.key() });
  const present = () =>
    client.tokenRequests.order(orderRef).then(({ refunds }) => refunds.find(({ id }) => id === refund.id));
  const confirm = useMutation({
    // Not retried: a second call would count a wrong code twice.
    mutationFn: (code: string) =>
      verifyAfterLostAnswer(
        () => client.refunds.confirmAddress({ ...who, code, address: refund.address ?? undefined }),
        async () => {
          const now = await present();
          return now?.state === 'ready' ? now : undefined;
        },
      ),
    onSuccess: () => {
      notify.success({ title: messages.confirmed });
      return refresh();
    },
    onError: (error) => (codeOf(error) === 'VERSION_CONFLICT' ? refresh() : undefined),
  });
  const submitAddress = useMutation({
    // Not retried: a second call would mail a second code, and invalidate the first one.
    mutationFn: (to: string) =>
      verifyAfterLostAnswer(
        () => client.refunds.setAddress({ ...who, address: to }),
        async () => {
          const now = await present();
          return now?.address === to.trim() && now.addressAt !== refund.addressAt ? now : undefined;
        },
      ),
    onSuccess: () => {
      notify.success({ title: messages.codeSent });
      onSubmitted();
      confirm.reset();
      return refresh();
    },
  });
  return { submitAddress, confirm };
}

interface NextStepProps {
  refund: Refund;
  orderRef: OrderRef;
}

/** Submits and confirms the address; errors of the server are shown next to their field. */
function NextStep({ refund, orderRef }: NextStepProps) {
  const text = useText(deliverablesTexts, coinsTexts);
  const messages = text.refunds;
  const [writing, setWriting] = useState(false);
  const [address, setAddress] = useState('');
  const [code, setCode] = useState('');
  const { submitAddress, confirm } = useRefundAddress({
    refund,
    orderRef,
    onSubmitted: () => {
      setWriting(false);
      setCode('');
    },
  });
  const wrongAddress = !submitAddress.error
    ? undefined
    : codeOf(submitAddress.error) === 'REFUND_REFUSED'
      ? messages.addressWrong
      : changeFailureText(submitAddress.error, text);
  const { attemptsLeft } = (confirm.error as { data?: { attemptsLeft?: number } } | null)?.data ?? {};
  const wrongCode = !confirm.error
    ? undefined
    : codeOf(confirm.error) === 'VERSION_CONFLICT'
      ? messages.addressChanged
      : attemptsLeft === undefined
        ? changeFailureText(confirm.error, text)
        : messages.codeWrong(attemptsLeft);
  const submit = (send: () => void) => (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  if (refund.state === 'address_needed' || writing)
    return (
      <form className="mt-3 grid gap-3" onSubmit={submit(() => submitAddress.mutate(address))} noValidate>
        <Field
          label={messages.address(coinText(refund.asset, text.coins.on))}
          hint={messages.addressHint}
          error={wrongAddress}
        >
          <Input
            value={address}
            onChange={({ target }) => setAddress(target.value)}
            className="figures"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
        <Button
          type="submit"
          variant="primary"
          disabled={address.trim() === ''}
          busy={submitAddress.isPending}
          busyLabel={messages.sendingCode}
        >
          {messages.sendCode}
        </Button>
      </form>
    );
  const change = (
    <Button size="sm" variant="ghost" onClick={() => setWriting(true)}>
      {messages.change}
    </Button>
  );
  if (refund.state === 'ready') return <div className="mt-3">{change}</div>;
  return (
    <form className="mt-3 grid gap-3" onSubmit={submit(() => confirm.mutate(code))} noValidate>
      <Field label={messages.code} error={wrongCode}>
        <Input
          value={code}
          onChange={({ target }) => setCode(target.value)}
          className="figures"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
        />
      </Field>
      {wrongAddress ? <p className="field-error">{wrongAddress}</p> : null}
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="primary"
          disabled={code.trim() === ''}
          busy={confirm.isPending}
          busyLabel={messages.confirming}
        >
          {messages.confirm}
        </Button>
        <Button
          size="sm"
          busy={submitAddress.isPending}
          onClick={() => refund.address && submitAddress.mutate(refund.address)}
        >
          {messages.again}
        </Button>
        {change}
      </div>
    </form>
  );
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { amountInCoin } from '#app/lib/format/coins.ts';
import { when } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminTokenTexts } from '#app/lib/messages/admin/token-creation.ts';
import { coinsTexts } from '#app/lib/messages/coins.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Field, Input } from '#app/ui/controls/Field.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { UnplacedPayment } from '#contract/admin/payments.ts';
import { TIMING } from '#contract/limits.ts';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { Cancelled, useAdminFailure } from '../kit/failures.ts';
import { useStepUp } from '../kit/StepUp.tsx';
import { Unread } from '../kit/Unread.tsx';
import { usd } from './money.ts';

/** Money at the provider whose order is not here; nothing at all while there is none. */
export function UnplacedMoney({ onView }: { onView: (requestId: string) => void }) {
  const messages = useText(adminTokenTexts).tokenAdmin.unplaced;
  const query = useQuery(
    rpc.admin.tokenRequests.unplaced.queryOptions({
      refetchInterval: TIMING.dashboardRefresh,
      refetchOnWindowFocus: true,
    }),
  );
  if (query.isError && !query.data)
    return <Unread what={messages.failed} of={query} className="admin-panel admin-note" />;
  const payments = query.data?.payments ?? [];
  if (payments.length === 0) return null;
  return (
    <section className="admin-panel grid grid-cols-1 gap-3" aria-label={messages.heading}>
      <header>
        <h2>{messages.heading}</h2>
        <p className="text-sm text-quiet">{messages.lead}</p>
      </header>
      <ul className="grid grid-cols-1 gap-3">
        {payments.map((payment) => (
          <li key={payment.id}>
            <Entry payment={payment} onView={onView} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Entry({ payment, onView }: { payment: UnplacedPayment; onView: (requestId: string) => void }) {
  const messages = useText(adminTokenTexts).tokenAdmin.unplaced;
  const { on } = useText(coinsTexts).coins;
  const locale = useLocale();
  const [asked, setAsked] = useState<'place' | 'settle' | null>(null);
  const [order, setOrder] = useState('');
  const acts = useUnplacedActions(payment.id, onView);
  const name = payment.orderId ? messages.order(payment.orderId) : messages.noOrder;
  const ask = (what: 'place' | 'settle') => {
    setOrder('');
    setAsked(what);
  };
  return (
    <article className="admin-sub grid grid-cols-1 gap-1" aria-label={messages.deposit(payment.id)}>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="figures font-semibold break-words">{name}</span>
        {payment.simulation ? <Badge tone="lead">{messages.simulation}</Badge> : null}
        <span className="figures sm:ml-auto">
          {amountInCoin(payment.amount, payment.currency, locale, on)}
          {payment.priceUsd === null ? null : (
            <span className="text-sm text-quiet"> · {usd(payment.priceUsd, locale)}</span>
          )}
        </span>
      </p>
      <p className="flex flex-wrap gap-x-3 text-sm text-quiet">
        <span className="figures break-all">{messages.deposit(payment.id)}</span>
        <span>{messages.says(payment.status)}</span>
        <time dateTime={payment.since}>{when(payment.since, locale)}</time>
      </p>
      <div className="mt-1 flex flex-wrap gap-2">
        <Button size="sm" variant="primary" aria-label={messages.placeOf(payment.id)} onClick={() => ask('place')}>
          {messages.place}
        </Button>
        <Button size="sm" variant="ghost" aria-label={messages.settleOf(payment.id)} onClick={() => ask('settle')}>
          {messages.settle}
        </Button>
      </div>
      <ConfirmDialog
        open={asked === 'place'}
        onClose={() => setAsked(null)}
        title={messages.placeTitle}
        question={name}
        text={messages.placeText}
        confirmLabel={messages.placeConfirm}
        busyLabel={messages.placing}
        harmless
        reason="required"
        blocked={!/^FL-[0-9A-Z]{10}$/i.test(order.trim())}
        onConfirm={(reason) => acts.place.mutateAsync({ orderId: order, reason })}
      >
        <Field label={messages.orderLabel} hint={messages.orderHint}>
          <Input
            name="orderId"
            autoComplete="off"
            maxLength={40}
            value={order}
            onChange={(event) => setOrder(event.target.value)}
          />
        </Field>
      </ConfirmDialog>
      <ConfirmDialog
        open={asked === 'settle'}
        onClose={() => setAsked(null)}
        title={messages.settleTitle}
        question={name}
        text={messages.settleText}
        confirmLabel={messages.settleConfirm}
        busyLabel={messages.settling}
        harmless
        reason="required"
        onConfirm={(reason) => acts.settle.mutateAsync(reason)}
      />
    </article>
  );
}

/** What the team does about such money; each shows how it went and refetches everything again. */
function useUnplacedActions(id: string, onView: (requestId: string) => void) {
  const messages = useText(adminTokenTexts).tokenAdmin.unplaced;
  const failure = useAdminFailure('tokens');
  const queries = useQueryClient();
  const withProof = useStepUp();
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: rpc.admin.tokenRequests.key() }),
      queries.invalidateQueries({ queryKey: rpc.admin.inbox.key() }),
    ]);
  const refused = (title: string, missing: string) => (error: unknown) => {
    if (error instanceof Cancelled) return;
    notify.error({ title, text: codeOf(error) === 'NOT_FOUND' ? missing : failure(error) });
    void refresh();
  };
  return {
    place: useMutation({
      mutationFn: (input: { orderId: string; reason: string }) =>
        withProof(() => client.admin.tokenRequests.placePayment({ id, ...input })),
      onSuccess: async ({ requestId }) => {
        notify.success({ title: messages.placed });
        await refresh();
        onView(requestId);
      },
      onError: refused(messages.placeFailed, messages.noSuchOrder),
    }),
    settle: useMutation({
      mutationFn: (reason: string) => withProof(() => client.admin.tokenRequests.settleUnplaced({ id, reason })),
      onSuccess: () => {
        notify.success({ title: messages.settled });
        return refresh();
      },
      onError: refused(messages.settleFailed, messages.gone),
    }),
  };
}

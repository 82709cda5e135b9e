import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { amountInCoin } from '#app/lib/format/coins.ts';
import { coins, when } from '#app/lib/format/format.ts';
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
  const words = useText(adminTokenTexts).tokenAdmin.unplaced;
  const query = useQuery(
    rpc.admin.tokenRequests.unplaced.queryOptions({
      refetchInterval: TIMING.dashboardRefresh,
      refetchOnWindowFocus: true,
    }),
  );
  if (query.isError && !query.data) return <Unread what={words.failed} of={query} className="admin-panel admin-note" />;
  const payments = query.data?.payments ?? [];
  if (payments.length === 0) return null;
  return (
    <section className="admin-panel grid grid-cols-1 gap-3" aria-label={words.heading}>
      <header>
        <h2>{words.heading}</h2>
        <p className="text-sm text-quiet">{words.lead}</p>
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
  const words = useText(adminTokenTexts).tokenAdmin.unplaced;
  const { on } = useText(coinsTexts).coins;
  const locale = useLocale();
  const [asked, setAsked] = useState<'place' | 'settle' | null>(null);
  const [order, setOrder] = useState('');
  const acts = useUnplacedActions(payment.id, onView);
  const name = payment.orderId ? words.order(payment.orderId) : words.noOrder;
  const ask = (what: 'place' | 'settle') => {
    setOrder('');
    setAsked(what);
  };
  return (
    <article className="admin-sub grid grid-cols-1 gap-1" aria-label={words.deposit(payment.id)}>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="figures font-semibold break-words">{name}</span>
        {payment.simulation ? <Badge tone="lead">{words.simulation}</Badge> : null}
        <span className="figures sm:ml-auto">
          {amountInCoin(coins(payment.amount ?? 0, locale), payment.currency, on)}
          {payment.priceUsd === null ? null : (
            <span className="text-sm text-quiet"> · {usd(payment.priceUsd, locale)}</span>
          )}
        </span>
      </p>
      <p className="flex flex-wrap gap-x-3 text-sm text-quiet">
        <span className="figures break-all">{words.deposit(payment.id)}</span>
        <span>{words.says(payment.status)}</span>
        <time dateTime={payment.since}>{when(payment.since, locale)}</time>
      </p>
      <div className="mt-1 flex flex-wrap gap-2">
        <Button size="sm" variant="primary" aria-label={words.placeOf(payment.id)} onClick={() => ask('place')}>
          {words.place}
        </Button>
        <Button size="sm" variant="ghost" aria-label={words.settleOf(payment.id)} onClick={() => ask('settle')}>
          {words.settle}
        </Button>
      </div>
      <ConfirmDialog
        open={asked === 'place'}
        onClose={() => setAsked(null)}
        title={words.placeTitle}
        question={name}
        text={words.placeText}
        confirmLabel={words.placeConfirm}
        busyLabel={words.placing}
        harmless
        reason="required"
        blocked={!/^FL-[0-9A-Z]{10}$/i.test(order.trim())}
        onConfirm={(reason) => acts.place.mutateAsync({ orderId: order, reason })}
      >
        <Field label={words.orderLabel} hint={words.orderHint}>
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
        title={words.settleTitle}
        question={name}
        text={words.settleText}
        confirmLabel={words.settleConfirm}
        busyLabel={words.settling}
        harmless
        reason="required"
        onConfirm={(reason) => acts.settle.mutateAsync(reason)}
      />
    </article>
  );
}

/** What the team does about such money; each tells how it went and reads everything again. */
function useUnplacedActions(id: string, onView: (requestId: string) => void) {
  const words = useText(adminTokenTexts).tokenAdmin.unplaced;
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
        notify.success({ title: words.placed });
        await refresh();
        onView(requestId);
      },
      onError: refused(words.placeFailed, words.noSuchOrder),
    }),
    settle: useMutation({
      mutationFn: (reason: string) => withProof(() => client.admin.tokenRequests.settleUnplaced({ id, reason })),
      onSuccess: () => {
        notify.success({ title: words.settled });
        return refresh();
      },
      onError: refused(words.settleFailed, words.gone),
    }),
  };
}

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { amountInCoin } from '#app/lib/format/coins.ts';
import { dateTime } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminTokenTexts } from '#app/lib/messages/admin/token-creation.ts';
import { coinsTexts } from '#app/lib/messages/coins.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Field, Input, Textarea } from '#app/ui/controls/Field.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { placeForm, settleUnplacedForm } from '#contract/admin/forms/unplaced.ts';
import type { UnplacedPayment } from '#contract/admin/unplaced.ts';
import { TIMING } from '#contract/limits.ts';
import { useRefusal } from '../deliverables/refusals.ts';
import { FormDialog } from '../kit/forms/FormDialog.tsx';
import { useReopenedForm } from '../kit/forms/stored-forms.ts';
import { useAdminForm } from '../kit/forms/useAdminForm.ts';
import { LoadError } from '../kit/LoadError.tsx';
import { useStepUp } from '../kit/StepUp.tsx';
import { providerStatusText, usd } from './money.ts';

const ACTIONS = ['place', 'refund', 'settle'] as const;
type UnplacedAction = (typeof ACTIONS)[number];
/** The form that was open, and its deposit. */
interface Reopened {
  id: string;
  action: UnplacedAction;
}

interface UnplacedMoneyProps {
  /** The deposit that a link leads to. */
  chosen: string | null;
  onView: (requestId: string) => void;
}

interface Requested {
  payment: UnplacedPayment;
  action: UnplacedAction;
}

/** Money at the provider whose order is not here; renders nothing when there is none. */
export function UnplacedMoney({ chosen, onView }: UnplacedMoneyProps) {
  const messages = useText(adminTokenTexts).tokenAdmin.unplaced;
  // Not stored in the entry, which leaves the list when a colleague is faster: the input stays, and saving it reports the conflict.
  const [requested, setRequested] = useState<Requested | null>(null);
  const close = () => setRequested(null);
  const query = useQuery(
    rpc.admin.unplaced.list.queryOptions({ refetchInterval: TIMING.dashboardRefresh, refetchOnWindowFocus: true }),
  );
  if (query.isError && !query.data)
    return <LoadError what={messages.failed} of={query} className="admin-panel admin-note" />;
  const payments = query.data?.payments ?? [];
  return (
    <>
      {payments.length > 0 ? (
        <section className="admin-panel grid grid-cols-1 gap-3" aria-label={messages.heading}>
          <header>
            <h2>{messages.heading}</h2>
            <p className="text-sm text-quiet">{messages.lead}</p>
          </header>
          <ul className="grid grid-cols-1 gap-3">
            {payments.map((payment) => (
              <li key={payment.id}>
                <Entry
                  payment={payment}
                  isChosen={payment.id === chosen}
                  onRequest={(action) => setRequested({ payment, action })}
                />
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {requested?.action === 'settle' ? <SettleForm payment={requested.payment} onClose={close} /> : null}
      {requested?.action === 'place' || requested?.action === 'refund' ? (
        <OrderForm action={requested.action} payment={requested.payment} onClose={close} onDone={onView} />
      ) : null}
    </>
  );
}

interface EntryProps {
  payment: UnplacedPayment;
  isChosen: boolean;
  onRequest: (action: UnplacedAction) => void;
}

function Entry({ payment, isChosen, onRequest }: EntryProps) {
  const text = useText(adminTokenTexts).tokenAdmin;
  const messages = text.unplaced;
  const { on } = useText(coinsTexts).coins;
  const locale = useLocale();
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isChosen) article.current?.focus();
  }, [isChosen]);
  useReopenedForm<Reopened>('unplacedMoney', (of) => of?.id === payment.id && onRequest(of.action));
  return (
    <article
      ref={article}
      tabIndex={-1}
      className="admin-sub grid grid-cols-1 gap-1"
      aria-label={messages.deposit(payment.id)}
    >
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="figures font-semibold break-words">
          {payment.orderId ? messages.order(payment.orderId) : messages.noOrder}
        </span>
        {payment.simulation ? <Badge tone="lead">{messages.simulation}</Badge> : null}
        {payment.known ? null : <Badge tone="coral">{messages.underReview}</Badge>}
        <span className="figures sm:ml-auto">
          {amountInCoin(payment.amount, payment.currency, locale, on)}
          {payment.priceUsd === null ? null : (
            <span className="text-sm text-quiet"> · {usd(payment.priceUsd, locale)}</span>
          )}
        </span>
      </p>
      <p className="flex flex-wrap gap-x-3 text-sm text-quiet">
        <span className="figures break-all">{messages.deposit(payment.id)}</span>
        {payment.parentId ? <span className="figures break-all">{messages.repeats(payment.parentId)}</span> : null}
        <span>{messages.says(providerStatusText(payment.status, text))}</span>
        <time dateTime={payment.since}>{dateTime(payment.since, locale)}</time>
      </p>
      <div className="mt-1 flex flex-wrap gap-2">
        {ACTIONS.map((action) => (
          <Button
            key={action}
            size="sm"
            variant={action === 'place' ? 'primary' : 'ghost'}
            aria-label={messages.actions[action].of(payment.id)}
            onClick={() => onRequest(action)}
          >
            {messages.actions[action].name}
          </Button>
        ))}
      </div>
    </article>
  );
}

const isWithout = (what: 'order' | 'deposit', error: unknown): boolean =>
  codeOf(error) === 'NOT_FOUND' && (error as { data?: { what?: string } }).data?.what === what;

/** Shared by both forms: messages, and refetching after an action. */
function useUnplacedAction(action: UnplacedAction) {
  const messages = useText(adminTokenTexts).tokenAdmin.unplaced;
  const refusal = useRefusal();
  const queries = useQueryClient();
  const actionTexts = messages.actions[action];
  return {
    messages,
    actionTexts,
    withProof: useStepUp(),
    failed: (error: unknown) => ({
      title: actionTexts.failed,
      text:
        codeOf(error) === 'ALREADY_DONE'
          ? messages.gone
          : isWithout('deposit', error)
            ? messages.noMoney
            : refusal(error),
    }),
    done: async () => {
      notify.success({ title: actionTexts.done });
      await queries.invalidateQueries({ queryKey: rpc.admin.key() });
    },
  };
}

/** Assigns the money to an order, to count for it or to be refunded from it. */
function OrderForm({
  action,
  payment,
  onClose,
  onDone,
}: {
  action: 'place' | 'refund';
  payment: UnplacedPayment;
  onClose: () => void;
  onDone: (requestId: string) => void;
}) {
  const { messages, actionTexts, withProof, failed, done } = useUnplacedAction(action);
  const record: Reopened = { id: payment.id, action };
  const form = useAdminForm({
    initial: { orderId: payment.orderId ?? '', reason: '' },
    version: payment.version,
    schema: placeForm,
    messages: { orderId: messages.orderNeeded, reason: messages.reasonNeeded },
    fieldErrors: (error) => (isWithout('order', error) ? { orderId: messages.noSuchOrder } : {}),
    failed,
    screen: 'tokens',
    stored: { form: 'unplacedMoney', record },
    submit: async (values, version) => {
      const input = { id: payment.id, version, ...values };
      const { requestId } = await withProof(() => client.admin.unplaced[action](input));
      onClose();
      await done();
      onDone(requestId);
    },
  });
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={actionTexts.title}
      submitLabel={actionTexts.confirm}
      fieldNames={{ orderId: messages.orderLabel, reason: messages.reason }}
    >
      <p className="text-sm text-quiet">{actionTexts.text}</p>
      <Field label={messages.orderLabel} hint={messages.orderHint} error={form.errors.orderId}>
        <Input {...form.text('orderId')} autoComplete="off" spellCheck={false} className="figures" />
      </Field>
      <Field label={messages.reason} hint={actionTexts.reasonHint} error={form.errors.reason}>
        <Textarea {...form.text('reason')} rows={3} />
      </Field>
    </FormDialog>
  );
}

function SettleForm({ payment, onClose }: { payment: UnplacedPayment; onClose: () => void }) {
  const { messages, actionTexts, withProof, failed, done } = useUnplacedAction('settle');
  const record: Reopened = { id: payment.id, action: 'settle' };
  const form = useAdminForm({
    initial: { reason: '' },
    version: payment.version,
    schema: settleUnplacedForm,
    messages: { reason: messages.reasonNeeded },
    failed,
    screen: 'tokens',
    stored: { form: 'unplacedMoney', record },
    submit: async (values, version) => {
      await withProof(() => client.admin.unplaced.settle({ id: payment.id, version, ...values }));
      onClose();
      await done();
    },
  });
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={actionTexts.title}
      submitLabel={actionTexts.confirm}
      fieldNames={{ reason: messages.reason }}
    >
      <p className="text-sm text-quiet">{actionTexts.text}</p>
      <Field label={messages.reason} hint={actionTexts.reasonHint} error={form.errors.reason}>
        <Textarea {...form.text('reason')} rows={3} />
      </Field>
    </FormDialog>
  );
}

import { replaceEqualDeep, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { codeOf, failureText } from '#app/lib/api/failure.ts';
import { isLost } from '#app/lib/api/lost-answer.ts';
import { retryAfterLostAnswer } from '#app/lib/api/retry-lost-answer.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { resemblancesOf } from '#app/lib/forms/Resemblances.tsx';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { createTexts } from '#app/lib/messages/create.ts';
import { createLaterTexts } from '#app/lib/messages/create-later.ts';
import { notify } from '#app/lib/notices/notify.ts';
import type { Payment } from '#contract/domains/payments.ts';
import type { Resemblance } from '#contract/resemblance.ts';
import { usdOf } from '../order/order-stages.tsx';
import type { FieldError } from './field-errors.ts';
import { usePaymentMode } from './payment-mode.ts';
import { type Claim, STEPS } from './stored-draft.ts';
import { draftStore, useDraft } from './useDraft.ts';

/** Interval at which an open page polls a pending payment; the server polls the provider less often. Milliseconds. */
const CHECK_MS = 5_000;
/** Polling interval of the server's state, in case a live event is lost. Milliseconds. */
const LATE_CHECK_MS = 15_000;
/** Time to read one notice before the next one replaces it. Milliseconds. */
const READ_MS = 2_500;

const UNDER_WAY: Payment['state'][] = ['awaiting', 'confirming', 'under_review'];
/** A final state: it does not change automatically any more. */
export const isOver = (payment: Payment): boolean =>
  payment.state === 'expired' || payment.state === 'failed' || payment.state === 'refunded';

/** Money arrived for the order, all of it or a part: the request counts as confirmed (the specification's rule). */
const hasArrived = (payment: Payment): boolean => payment.confirmed || payment.state === 'partially_paid';
/** A part arrived, and staff did not accept it as enough. */
export const isPartlyPaid = (payment: Payment): boolean => payment.state === 'partially_paid' && !payment.confirmed;

type PaymentNews = Awaited<ReturnType<typeof client.tokenRequests.check>>;

/** The server's stored state. Live events refetch it, so it never waits for the provider. */
const knownQuery = (claim: Claim | null) =>
  rpc.tokenRequests.check.queryOptions({
    input: { id: claim?.id ?? '', secret: claim?.secret ?? '', ask: false },
    enabled: claim !== null,
    refetchInterval: ({ state: { data } }) => (data?.payment ? LATE_CHECK_MS : false),
    // A payment is never deleted: a response without it is ignored, and the screen continues to show it.
    structuralSharing: (known, incoming) =>
      (incoming as PaymentNews).payment === null && (known as PaymentNews | undefined)?.payment
        ? known
        : replaceEqualDeep(known, incoming),
    refetchOnWindowFocus: 'always',
  });

/** The draft whose payment is shown: there is none before the last step. */
function useClaim(): Claim | null {
  const { remote, reached, locked } = useDraft();
  return reached === STEPS || locked ? remote : null;
}

/** The draft's payment as the server stores it, kept up to date. */
export function usePayment() {
  return useQuery(knownQuery(useClaim()));
}

/** Makes the server poll the provider periodically while a payment is pending and the page is open. */
export function usePaymentQuestions(payment: Payment | null | undefined): void {
  const claim = useClaim();
  const queries = useQueryClient();
  const underWay = payment ? UNDER_WAY.includes(payment.state) : false;
  useQuery({
    // A separate key: a live event must not trigger a poll of the provider.
    queryKey: ['payment question', claim?.id],
    queryFn: async () => {
      if (!claim) return null;
      const { id, secret } = claim;
      const seen = await client.tokenRequests.check({ id, secret });
      queries.setQueryData(knownQuery(claim).queryKey, seen);
      return seen.answer;
    },
    enabled: claim !== null && underWay,
    refetchInterval: CHECK_MS,
    refetchOnWindowFocus: 'always',
    gcTime: 0,
  });
}

/** Shows the confirmation once, saves it in the request, and shows what follows. A refund opens the form again. */
export function useConfirmation(payment: Payment | null | undefined): void {
  const text = useText(createTexts, createLaterTexts).create.pay;
  const amounts = useAmounts();
  const { locked } = useDraft();
  const done = useRef<string | null>(null);
  const arrived = payment && hasArrived(payment) ? payment.orderId : null;
  const part = payment && isPartlyPaid(payment) ? amounts(payment).text : null;
  const withdrawn = payment ? !hasArrived(payment) : false;
  const id = payment?.paymentId ?? payment?.orderId ?? '';
  useEffect(() => {
    if (!withdrawn || !locked) return;
    done.current = null;
    // On failure it is retried at the next visit of the page.
    void draftStore()
      .refresh()
      .catch(() => {});
  }, [withdrawn, locked]);
  useEffect(() => {
    if (!arrived || locked || done.current === arrived) return;
    done.current = arrived;
    notify.success({ title: text.confirmed, ...(part ? { text: part } : {}) });
    const failed = () => notify.error({ title: text.recordFailed.title, text: text.recordFailed.text(id) });
    draftStore()
      .refresh()
      .then(
        (draft) => {
          if (draft && !draft.locked) failed();
          else if (!part) setTimeout(() => notify.success(text.success), READ_MS);
        },
        () => failed(),
      );
  }, [arrived, part, locked, id, text]);
}

/** The amounts of a payment as text, with the missing amount of a part payment. */
export function useAmounts() {
  const text = useText(createTexts, createLaterTexts).create;
  const locale = useLocale();
  return (payment: Payment) => {
    const usd = (amount: number) => `${usdOf(amount, locale)} USD`;
    const [received, price, missing] = [payment.receivedUsd, payment.priceAmount, payment.missingUsd].map(usd) as [
      string,
      string,
      string,
    ];
    return { received, price, missing, text: text.done.part(received, price, missing) };
  };
}

export interface PayFailure {
  title: string;
  text: string;
  /** The field where it can be corrected. */
  fieldError: FieldError | null;
  /** No response arrived: the payment may have been created. */
  lost: boolean;
}

/** Creates the payment, or finds the open one, and opens the provider's page in a new tab. */
export function usePay() {
  const text = useText(createTexts, createLaterTexts);
  const locale = useLocale();
  const queries = useQueryClient();
  const { data: mode } = usePaymentMode();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<PayFailure | null>(null);
  const [blocked, setBlocked] = useState(false);
  const [alike, setAlike] = useState<Resemblance[]>([]);
  const running = useRef(false);

  function fail(messages: string, fieldError: FieldError | null = null, lost = false) {
    // Next to the button, where it stays visible: a notice would repeat it.
    setFailure({ title: text.create.pay.failed, text: messages, fieldError, lost });
  }

  async function pay(resemblanceAccepted = false): Promise<void> {
    // The second click of a double click, before React has rendered the first.
    if (running.current) return;
    if (mode?.available === false) return fail(text.create.pay.unavailable);
    running.current = true;
    setBusy(true);
    setFailure(null);
    setBlocked(false);
    setAlike([]);
    // Browsers open a tab only during the click: it is opened empty and gets its address later.
    const tab = window.open('about:blank', '_blank');
    try {
      const saved = await draftStore().save();
      if (!saved.ok) {
        tab?.close();
        if (!draftStore().get().conflict) fail(text.create.pay.notSaved);
        return;
      }
      const { claim } = saved;
      const { locked, data, remote } = draftStore().get();
      if (locked) {
        tab?.close();
        return;
      }
      const order = { ...claim, version: remote?.version, plan: data.selectedPlan, locale, resemblanceAccepted };
      // Idempotent: a repeated call returns the same payment.
      const payment = await retryAfterLostAnswer(() => client.tokenRequests.pay(order));
      if (!hasArrived(payment) && !/^https?:/.test(payment.paymentUrl)) {
        tab?.close();
        fail(text.create.pay.noPage);
        return;
      }
      const query = knownQuery(claim).queryKey;
      queries.setQueryData(query, (seen) => ({
        answer: payment.confirmed
          ? ('paid' as const)
          : isPartlyPaid(payment)
            ? ('part_paid' as const)
            : ('unknown' as const),
        payment,
        sentBack: false,
        tokenChanged: false,
        otherPayments: seen?.otherPayments ?? [],
      }));
      // Another device may have changed the plan or paid: refetch the server's state.
      void queries.invalidateQueries({ queryKey: query });
      if (hasArrived(payment)) {
        tab?.close();
        return;
      }
      notify.success({ title: text.create.pay.created });
      setBlocked(tab === null);
      if (tab) {
        tab.opener = null;
        tab.location.replace(payment.paymentUrl);
      }
      void draftStore()
        .refresh()
        .catch(() => {});
    } catch (error) {
      tab?.close();
      const code = codeOf(error);
      const found = resemblancesOf(error);
      if (found) return setAlike(found);
      if (code === 'LOCKED' || code === 'VERSION_CONFLICT') {
        // Paid or changed on another device.
        await draftStore()
          .refresh()
          .catch(() => {});
        if (code === 'VERSION_CONFLICT' && !draftStore().get().conflict) fail(text.create.pay.changed);
        return;
      }
      const missing = (error as { data?: { missing?: FieldError } }).data?.missing;
      if (code === 'DRAFT_INCOMPLETE' && missing) fail(text.create.missing[missing], missing);
      else {
        const lost = isLost(error);
        fail(code === 'UNEXPECTED' ? text.create.pay.failedText : failureText(error, text), null, lost);
        if (lost) void queries.invalidateQueries({ queryKey: rpc.tokenRequests.check.key() });
      }
    } finally {
      running.current = false;
      setBusy(false);
    }
  }
  return {
    pay: () => void pay(),
    /** Tokens that this one resembles, until the user accepts it. */
    alike,
    accept: () => void pay(true),
    busy,
    failure,
    blocked,
  };
}

/** Checks the status on request, and shows the outcome. */
export function useCheckStatus() {
  const text = useText(createTexts, createLaterTexts);
  const { remote } = useDraft();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [unknown, setUnknown] = useState(false);

  async function check(): Promise<void> {
    if (!remote || busy) return;
    setBusy(true);
    setUnknown(false);
    try {
      const { id, secret } = remote;
      const seen = await client.tokenRequests.check({ id, secret });
      const { answer, payment } = seen;
      if (!payment) {
        notify.error({ title: text.create.pay.checkFailed, text: text.create.pay.noStatus });
        return;
      }
      queries.setQueryData(knownQuery(remote).queryKey, seen);
      if (hasArrived(payment)) return;
      setUnknown(answer === 'unknown');
      if (answer === 'unknown') notify.error({ title: text.create.pay.checkFailed, text: text.create.pay.unknown });
      else notify.success({ title: text.create.pay.status(payment.providerStatus ?? 'waiting') });
    } catch (error) {
      const messages = codeOf(error) === 'UNEXPECTED' ? text.create.pay.checkFailedText : failureText(error, text);
      notify.error({ title: text.create.pay.checkFailed, text: messages });
    } finally {
      setBusy(false);
    }
  }
  return { check: () => void check(), busy, unknown };
}

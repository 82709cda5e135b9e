import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { codeOf, failureText } from '#app/lib/failure.ts';
import { useLocale, useText } from '#app/lib/i18n.tsx';
import { createTexts } from '#app/lib/messages/create.ts';
import { notify } from '#app/lib/notify.ts';
import { client, rpc } from '#app/lib/rpc.ts';
import type { Payment } from '#contract/token-requests.ts';
import type { Fault } from './checks.ts';
import { type Claim, STEPS } from './kept.ts';
import { draftKeeper, useDraft } from './useDraft.ts';

/** Between two looks at a payment that is on its way; the server asks the provider less often. Milliseconds. */
const LOOK = 5_000;
/** Time to read one notice before the next takes its place. Milliseconds. */
const READ = 2_500;

const UNDER_WAY: Payment['state'][] = ['awaiting', 'confirming', 'under_review'];
/** Nothing more comes of it by itself. */
export const isOver = (payment: Payment): boolean =>
  payment.state === 'expired' || payment.state === 'failed' || payment.state === 'refunded';

const checkQuery = (claim: Claim | null) =>
  rpc.tokenRequests.check.queryOptions({
    input: { id: claim?.id ?? '', secret: claim?.secret ?? '' },
    enabled: claim !== null,
    refetchInterval: ({ state: { data } }) => (data?.payment && UNDER_WAY.includes(data.payment.state) ? LOOK : false),
    refetchOnWindowFocus: 'always',
  });

export const usePaymentMode = () => useQuery(rpc.tokenRequests.paymentMode.queryOptions({ staleTime: 60_000 }));

/** What the server knows of the draft's payment; looked at again while it is on its way. */
export function usePayment() {
  const { remote, reached, locked } = useDraft();
  // Nobody pays before the last step.
  return useQuery(checkQuery(reached === STEPS || locked ? remote : null));
}

/** Says once that it is paid, makes sure that the request says so too, and shows what follows. */
export function useConfirmation(payment: Payment | null | undefined): void {
  const text = useText(createTexts).create.pay;
  const { locked } = useDraft();
  const done = useRef<string | null>(null);
  const confirmed = payment?.confirmed ? payment.orderId : null;
  const id = payment?.paymentId ?? payment?.orderId ?? '';
  useEffect(() => {
    if (!confirmed || locked || done.current === confirmed) return;
    done.current = confirmed;
    notify.success({ title: text.confirmed });
    const failed = () => notify.error({ title: text.recordFailed.title, text: text.recordFailed.text(id) });
    draftKeeper()
      .refresh()
      .then(
        (draft) => {
          if (draft && !draft.locked) failed();
          else setTimeout(() => notify.success(text.success), READ);
        },
        () => failed(),
      );
  }, [confirmed, locked, id, text]);
}

export interface PayFailure {
  title: string;
  text: string;
  /** Where it can be mended. */
  fault: Fault | null;
}

/** Creates the payment, or finds the open one, and opens the provider's page in a new tab. */
export function usePay() {
  const text = useText(createTexts);
  const locale = useLocale();
  const queries = useQueryClient();
  const { data: mode } = usePaymentMode();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<PayFailure | null>(null);
  const [blocked, setBlocked] = useState(false);
  const running = useRef(false);

  function fail(words: string, fault: Fault | null = null) {
    const shown = { title: text.create.pay.failed, text: words, fault };
    setFailure(shown);
    notify.error(shown);
  }

  async function pay(): Promise<void> {
    // Before React has shown the first click.
    if (running.current) return;
    if (mode?.available === false) return fail(text.create.pay.unavailable);
    running.current = true;
    setBusy(true);
    setFailure(null);
    setBlocked(false);
    // Browsers open a tab only at once: it waits there for its address.
    const tab = window.open('about:blank', '_blank');
    try {
      const saved = await draftKeeper().save();
      if (!saved.ok) {
        tab?.close();
        if (!draftKeeper().get().conflict) fail(text.create.pay.notSaved);
        return;
      }
      const { claim } = saved;
      const { locked, data } = draftKeeper().get();
      if (locked) {
        tab?.close();
        return;
      }
      const payment = await client.tokenRequests.pay({ ...claim, plan: data.selectedPlan, locale });
      if (!payment.confirmed && !/^https?:/.test(payment.paymentUrl)) {
        tab?.close();
        fail(text.create.pay.noPage);
        return;
      }
      const query = checkQuery(claim).queryKey;
      queries.setQueryData(query, { answer: payment.confirmed ? 'paid' : 'unknown', payment } as never);
      if (payment.confirmed) {
        tab?.close();
        return;
      }
      notify.success({ title: text.create.pay.created });
      setBlocked(tab === null);
      if (tab) {
        tab.opener = null;
        tab.location.replace(payment.paymentUrl);
      }
      void draftKeeper()
        .refresh()
        .catch(() => {});
    } catch (error) {
      tab?.close();
      const code = codeOf(error);
      if (code === 'LOCKED') {
        // Paid on another device.
        await draftKeeper()
          .refresh()
          .catch(() => {});
        return;
      }
      const missing = (error as { data?: { missing?: Fault } }).data?.missing;
      if (code === 'DRAFT_INCOMPLETE' && missing) fail(text.create.missing[missing], missing);
      else fail(code === 'UNEXPECTED' ? text.create.pay.failedText : failureText(error, text));
    } finally {
      running.current = false;
      setBusy(false);
    }
  }
  return { pay: () => void pay(), busy, failure, blocked };
}

/** Asks now, on somebody's wish, and says what came of it. */
export function useCheckStatus() {
  const text = useText(createTexts);
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
      queries.setQueryData(checkQuery(remote).queryKey, seen);
      if (payment.confirmed) return;
      setUnknown(answer === 'unknown');
      if (answer === 'unknown') notify.error({ title: text.create.pay.checkFailed, text: text.create.pay.unknown });
      else notify.success({ title: text.create.pay.status(payment.providerStatus ?? 'waiting') });
    } catch (error) {
      const words = codeOf(error) === 'UNEXPECTED' ? text.create.pay.checkFailedText : failureText(error, text);
      notify.error({ title: text.create.pay.checkFailed, text: words });
    } finally {
      setBusy(false);
    }
  }
  return { check: () => void check(), busy, unknown };
}

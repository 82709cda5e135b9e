import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { codeOf, failureText } from '#app/lib/api/failure.ts';
import { IDEMPOTENT_RETRY } from '#app/lib/api/lost-answer.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { ordersTexts } from '#app/lib/messages/orders.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { orderKeyOf, storeOrderKey } from '#app/lib/session/order-keys.ts';
import type { Order, OrderStage } from '#contract/domains/token-requests.ts';
import { usdOf } from './order-stages.tsx';

export interface OrderRef {
  id: string;
  key: string;
}

/** Polling interval of an open page, by the next possible change. Milliseconds; false for final stages. */
const EVERY: Record<OrderStage, number | false> = {
  draft: 15_000,
  awaiting_payment: 4_000,
  confirming: 4_000,
  partially_paid: 5_000,
  in_review: 15_000,
  paid: 20_000,
  creating: 3_000,
  expired: 20_000,
  failed: 20_000,
  refunded: 60_000,
  created: false,
  closed: 60_000,
};

/** The key after '#', else the one stored on this device: the payment provider redirects without it. */
export function useOrderKey(id: string): string {
  const { hash } = useLocation();
  const [known] = useState(() => orderKeyOf(id));
  return hash.slice(1) || known || '';
}

const queryOf = ({ id, key }: OrderRef) => rpc.tokenRequests.order.queryOptions({ input: { id, key } });

/** The order, polled while the page is open. */
export function useOrder(ref: OrderRef) {
  const found = useQuery({
    ...queryOf(ref),
    enabled: ref.key !== '',
    staleTime: 1_000,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => (state.data ? EVERY[state.data.stage] : state.error ? false : 5_000),
  });
  const valid = found.data !== undefined;
  useEffect(() => {
    if (valid) storeOrderKey(ref.id, ref.key);
  }, [valid, ref.id, ref.key]);
  return found;
}

/** A wrong key and an unknown order look the same, whether the server returns NOT_FOUND or refuses to read it. */
export const isMissing = (error: unknown): boolean => ['NOT_FOUND', 'BAD_REQUEST'].includes(codeOf(error));

/** Why a formerly valid link no longer works; null for any other error. */
export const whyEnded = (error: unknown): 'replaced' | 'unused' | null =>
  codeOf(error) === 'ORDER_LINK_ENDED'
    ? ((error as { data?: { why?: 'replaced' | 'unused' } }).data?.why ?? 'replaced')
    : null;

/**
 * Makes the server poll the payment provider, at most every ten seconds. `run` shows the outcome; `quietly` shows it only when money
 * arrived.
 */
export function useCheck(ref: OrderRef) {
  const queries = useQueryClient();
  const text = useText(ordersTexts);
  const locale = useLocale();
  const [announcement, setAnnouncement] = useState('');
  const partOf = ({ payment }: Order) => {
    const usd = (amount: number) => text.orders.usd(usdOf(amount, locale));
    return payment && text.orders.part(usd(payment.receivedUsd), usd(payment.priceAmount), usd(payment.missingUsd));
  };
  const check = useMutation({
    mutationFn: ({ providerPaymentId }: { quietly: boolean; providerPaymentId?: string | undefined }) =>
      client.tokenRequests.order({ ...ref, check: true, ...(providerPaymentId ? { providerPaymentId } : {}) }),
    onSuccess: (order, { quietly }) => {
      const before = queries.getQueryData<Order>(queryOf(ref).queryKey);
      queries.setQueryData(queryOf(ref).queryKey, order);
      if (order.answer === 'paid' || order.answer === 'part_paid') {
        const part = order.answer === 'part_paid' ? partOf(order) : null;
        setAnnouncement(part ?? text.orders.confirmed);
        if (before?.answer !== order.answer || !quietly)
          notify.success({ title: text.orders.confirmed, ...(part ? { text: part } : {}) });
      } else if (!quietly)
        setAnnouncement(
          order.answer === 'unknown'
            ? text.orders.unknown
            : text.orders.current(order.payment?.providerStatus ?? 'waiting'),
        );
    },
    onError: (error, { quietly }) => {
      if (quietly) return;
      const known = ['RATE_LIMITED', 'BUSY', 'OFFLINE'].includes(codeOf(error));
      const messages = known ? failureText(error, text) : text.orders.checkFailed.text;
      setAnnouncement(messages);
      notify.error({ title: text.orders.checkFailed.title, text: messages });
    },
  });
  return { announcement, pending: check.isPending, run: check.mutate };
}

/** Checks once when the payer returns from the provider, and removes the provider's number from the address. */
export function useComingBack(run: ReturnType<typeof useCheck>['run'], ready: boolean): void {
  const { search, hash } = useLocation();
  const navigate = useNavigate();
  const number = new URLSearchParams(search).get('NP_id');
  useEffect(() => {
    if (!ready || number === null) return;
    run({ quietly: true, ...(/^\d{1,20}$/.test(number) ? { providerPaymentId: number } : {}) });
    void navigate({ search: '', hash }, { replace: true, preventScrollReset: true });
  }, [ready, number, run, hash, navigate]);
}

/** Creates a new payment when the old one is over. */
export function useRenew(ref: OrderRef) {
  const queries = useQueryClient();
  const text = useText(ordersTexts);
  const locale = useLocale();
  return useMutation({
    ...IDEMPOTENT_RETRY,
    mutationFn: (version: number) => client.tokenRequests.renew({ ...ref, version, locale }),
    onSuccess: (order) => {
      queries.setQueryData(queryOf(ref).queryKey, order);
      notify.success({ title: text.orders.renewed });
    },
    onError: (error) => {
      const { missing } = (error as { data?: { missing?: string } }).data ?? {};
      const isChanged = codeOf(error) === 'VERSION_CONFLICT';
      if (isChanged) void queries.invalidateQueries(queryOf(ref));
      const sold = codeOf(error) !== 'DRAFT_INCOMPLETE' || missing !== 'network';
      notify.failed(error, {
        title: text.orders.renewFailed,
        text: isChanged ? text.orders.formChanged : sold ? failureText(error, text) : text.orders.notSold,
      });
    },
  });
}

/** Requests that this member began, not read without a member; a separate cache entry for each account. */
export const useOwnOrders = (memberId: string | null) =>
  useQuery({
    queryKey: [...rpc.tokenRequests.mine.key(), memberId],
    queryFn: () => rpc.tokenRequests.mine.call(),
    enabled: memberId !== null,
    staleTime: 5_000,
  });

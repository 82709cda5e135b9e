import { LIMITS } from '#contract/limits.ts';
import { answerFrom } from '#server/domains/payments/ledger.service.ts';
import { askAbout, knownPayments, presentPayment } from '#server/domains/payments/request-payments.service.ts';
import type { Context } from '#server/http/context.ts';
import { actorOf } from '#server/http/context.ts';
import { member, open } from '#server/http/procedures.ts';
import { passAnonymousWrite } from '#server/lib/challenge.ts';
import { addressTakes, takeLimits } from '#server/lib/rate-limit.ts';
import { createDraft, openRequest, readDraft, removeDraftImage, saveDraft } from './drafts.service.ts';
import { listOwnRequests, openOrder, readOrder, renewOrder } from './orders.service.ts';

const by = async (context: Context, secret: string | undefined) => ({
  userId: (await context.viewer())?.id ?? null,
  secret,
});

/** Against trying keys, per address. */
const takeLook = (context: Context) =>
  takeLimits(context.db, addressTakes('private-link', context.address, LIMITS.privateLinkMinute), context.now());

const hintOf = (paymentId: string | undefined) => (paymentId ? { paymentId, signed: false } : undefined);

export const tokenRequestsApi = {
  paymentMode: open.tokenRequests.paymentMode.handler(({ context }) => ({
    ...context.payments.mode,
    currency: 'usd' as const,
  })),

  create: open.tokenRequests.create.handler(async ({ input, context }) => {
    const viewer = await context.viewer();
    const { db, secret, address } = context;
    const now = context.now();
    if (!viewer) await passAnonymousWrite({ db, secret, address, now, solved: input.challenge });
    const maker = {
      userId: viewer?.id ?? null,
      address,
      actor: actorOf(context, viewer),
      now,
    };
    return createDraft(db, context, maker, input.data);
  }),

  save: open.tokenRequests.save.handler(async ({ input, context }) =>
    saveDraft(context.db, context, await by(context, input.secret), input, context.now()),
  ),

  read: open.tokenRequests.read.handler(async ({ input, context }) => {
    await takeLook(context);
    return readDraft(context.db, context, await by(context, input.secret), input.id);
  }),

  removeImage: open.tokenRequests.removeImage.handler(async ({ input, context }) => {
    await takeLook(context);
    const removed = await removeDraftImage(context.db, await by(context, input.secret), input, {
      actor: actorOf(context, await context.viewer()),
      jobs: context.jobs,
      now: context.now(),
    });
    return { removed };
  }),

  mine: member.tokenRequests.mine.handler(({ context }) => listOwnRequests(context.db, context, context.me.id)),

  pay: open.tokenRequests.pay.handler(async ({ input, context }) => {
    await openRequest(context.db, await by(context, input.secret), input.id);
    await takeLimits(context.db, [{ key: `pay:${input.id}`, limit: LIMITS.payRequestMinute }], context.now());
    const row = await context.payments.pay({
      requestId: input.id,
      plan: input.plan,
      locale: input.locale,
      actor: actorOf(context, await context.viewer()),
    });
    return presentPayment(row);
  }),

  check: open.tokenRequests.check.handler(async ({ input, context }) => {
    await openRequest(context.db, await by(context, input.secret), input.id);
    const use = input.ask
      ? { key: `order-check:${input.id}`, limit: LIMITS.orderCheckMinute }
      : { key: `order-read:${input.id}`, limit: LIMITS.privateLinkMinute };
    await takeLimits(context.db, [use], context.now());
    if (!input.ask) return knownPayments(context.db, input.id);
    const answer = await askAbout(
      context.db,
      context.payments,
      input.id,
      context.now(),
      hintOf(input.providerPaymentId),
    );
    return { ...(await knownPayments(context.db, input.id)), answer };
  }),

  order: open.tokenRequests.order.handler(async ({ input, context }) => {
    await takeLook(context);
    const found = await openOrder(context.db, context, input.id, input.key);
    if (found && input.check) {
      await takeLimits(context.db, [{ key: `order-check:${input.id}`, limit: LIMITS.orderCheckMinute }], context.now());
      const hint = hintOf(input.providerPaymentId);
      const answer = await askAbout(context.db, context.payments, input.id, context.now(), hint);
      return readOrder(context.db, context, input.id, answer);
    }
    return readOrder(context.db, context, input.id, answerFrom(found));
  }),

  renew: open.tokenRequests.renew.handler(async ({ input, context }) => {
    await takeLook(context);
    await openOrder(context.db, context, input.id, input.key);
    await takeLimits(context.db, [{ key: `pay:${input.id}`, limit: LIMITS.payRequestMinute }], context.now());
    const actor = actorOf(context, await context.viewer());
    return renewOrder(context.db, context.payments, context, { ...input, actor });
  }),
};

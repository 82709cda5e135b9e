import type { SolvedChallenge } from '#contract/fields/challenge.ts';
import { LIMITS } from '#contract/limits.ts';
import { answerFrom } from '#server/domains/payments/facts/record.service.ts';
import { checkOrder, knownPayments, presentPayment } from '#server/domains/payments/orders/request-payments.service.ts';
import { answerProposal } from '#server/domains/token-creation/proposals.service.ts';
import { challengesGuests, limit, limitedByService, perAddress } from '#server/http/api/guarantees.ts';
import { member, open } from '#server/http/api/procedures.ts';
import type { Context } from '#server/http/context.ts';
import { actorOf } from '#server/http/context.ts';
import { consumeRateLimits } from '#server/lib/rate-limits/rate-limit.ts';
import { createDraft, openRequest, readDraft, removeDraftImage, saveDraft } from './drafts.service.ts';
import { listOwnRequests, openOrder, readOrder, renewOrder, replaceLink } from './orders.service.ts';
import { acceptedResemblance } from './resemblance.service.ts';

const viewerIdOf = async (context: Context) => (await context.viewer())?.id ?? null;

const by = async (context: Context, secret: string | undefined) => ({
  userId: await viewerIdOf(context),
  secret,
});

const hintOf = (paymentId: string | undefined) => (paymentId ? { paymentId, signed: false } : undefined);

export const tokenRequestsApi = {
  paymentMode: open.tokenRequests.paymentMode.handler(({ context }) => ({
    ...context.payments.mode,
    currency: 'usd' as const,
  })),

  create: open.tokenRequests.create
    .use(challengesGuests(({ challenge }: { challenge?: SolvedChallenge | undefined }) => challenge))
    .use(limitedByService({ drafts: LIMITS.draftAddressHour }))
    .handler(async ({ input, context }) => {
      const viewer = await context.viewer();
      const { db, address } = context;
      const now = context.now();
      const author = {
        userId: viewer?.id ?? null,
        address,
        actor: actorOf(context, viewer),
        now,
      };
      return createDraft(db, context, author, input, context.limits.drafts);
    }),

  save: open.tokenRequests.save
    .use(limitedByService({ saves: LIMITS.draftSaveMinute }))
    .handler(async ({ input, context }) =>
      saveDraft(context.db, context, await by(context, input.secret), input, context.now(), context.limits.saves),
    ),

  read: open.tokenRequests.read
    .use(limit(perAddress('private-link', LIMITS.privateLinkMinute)))
    .handler(async ({ input, context }) => {
      return readDraft(context.db, context, await by(context, input.secret), input.id);
    }),

  removeImage: open.tokenRequests.removeImage
    .use(limit(perAddress('private-link', LIMITS.privateLinkMinute)))
    .handler(async ({ input, context }) => {
      const removed = await removeDraftImage(context.db, await by(context, input.secret), input, {
        actor: actorOf(context, await context.viewer()),
        jobs: context.jobs,
        now: context.now(),
      });
      return { removed };
    }),

  mine: member.tokenRequests.mine.handler(({ context }) => listOwnRequests(context.db, context, context.me.id)),

  pay: open.tokenRequests.pay
    .use(limitedByService({ pays: LIMITS.payRequestMinute, orders: LIMITS.orderRequestDay }))
    .handler(async ({ input, context }) => {
      const request = await openRequest(context.db, await by(context, input.secret), input.id);
      await consumeRateLimits(context.db, [{ key: `pay:${input.id}`, limit: context.limits.pays }], context.now());
      const resembled = await acceptedResemblance(context.db, request, input.resemblanceAccepted);
      const row = await context.payments.pay({
        resembled,
        requestId: input.id,
        version: input.version,
        plan: input.plan,
        locale: input.locale,
        actor: actorOf(context, await context.viewer()),
        limit: context.limits.orders,
      });
      return presentPayment(row);
    }),

  check: open.tokenRequests.check
    .use(limitedByService({ checks: LIMITS.orderCheckMinute, reads: LIMITS.privateLinkMinute }))
    .handler(async ({ input, context }) => {
      await openRequest(context.db, await by(context, input.secret), input.id);
      const use = input.ask
        ? { key: `order-check:${input.id}`, limit: context.limits.checks }
        : { key: `order-read:${input.id}`, limit: context.limits.reads };
      await consumeRateLimits(context.db, [use], context.now());
      if (!input.ask) return knownPayments(context.db, input.id);
      const answer = await checkOrder(
        context.db,
        context.payments,
        input.id,
        context.now(),
        hintOf(input.providerPaymentId),
      );
      return { ...(await knownPayments(context.db, input.id)), answer };
    }),

  order: open.tokenRequests.order
    .use(limit(perAddress('private-link', LIMITS.privateLinkMinute)))
    .use(limitedByService({ checks: LIMITS.orderCheckMinute }))
    .handler(async ({ input, context }) => {
      const found = await openOrder(context.db, context, input, await viewerIdOf(context));
      if (found && input.check) {
        await consumeRateLimits(
          context.db,
          [{ key: `order-check:${input.id}`, limit: context.limits.checks }],
          context.now(),
        );
        const hint = hintOf(input.providerPaymentId);
        const answer = await checkOrder(context.db, context.payments, input.id, context.now(), hint);
        return readOrder(context.db, context, input.id, answer);
      }
      return readOrder(context.db, context, input.id, answerFrom(found));
    }),

  answerProposal: open.tokenRequests.answerProposal
    .use(limit(perAddress('private-link', LIMITS.privateLinkMinute)))
    .handler(async ({ input, context }) => {
      const found = await openOrder(context.db, context, input, await viewerIdOf(context));
      const { id: requestId, proposalId, answer } = input;
      const by = { actor: actorOf(context, await context.viewer()), now: context.now() };
      await answerProposal(context.db, { requestId, proposalId, answer }, by);
      return readOrder(context.db, context, requestId, answerFrom(found));
    }),

  renew: open.tokenRequests.renew
    .use(limit(perAddress('private-link', LIMITS.privateLinkMinute)))
    .use(limitedByService({ pays: LIMITS.payRequestMinute, orders: LIMITS.orderRequestDay }))
    .handler(async ({ input, context }) => {
      const viewerId = await viewerIdOf(context);
      await openOrder(context.db, context, input, viewerId);
      await consumeRateLimits(context.db, [{ key: `pay:${input.id}`, limit: context.limits.pays }], context.now());
      const actor = actorOf(context, await context.viewer());
      return renewOrder(context.db, context.payments, context, {
        ...input,
        actor,
        viewerId,
        limit: context.limits.orders,
      });
    }),

  replaceLink: open.tokenRequests.replaceLink
    .use(limit(perAddress('private-link', LIMITS.privateLinkMinute)))
    .use(limitedByService({ links: LIMITS.orderLinkDay }))
    .handler(async ({ input, context }) => {
      const viewer = await context.viewer();
      const viewerId = viewer?.id ?? null;
      await openOrder(context.db, context, input, viewerId);
      const use = { key: `order-link:${input.id}`, limit: context.limits.links };
      await consumeRateLimits(context.db, [use], context.now());
      return replaceLink(context.db, context, input, { viewerId, actor: actorOf(context, viewer) });
    }),
};

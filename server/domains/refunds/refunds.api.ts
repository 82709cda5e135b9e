import { LIMITS } from '#contract/limits.ts';
import { openOrderLink } from '#server/domains/payments/orders/order-link.service.ts';
import { limit, limitedByService, perAddress } from '#server/http/api/guarantees.ts';
import { open } from '#server/http/api/procedures.ts';
import { actorOf, type Context } from '#server/http/context.ts';
import { confirmAddress, setAddress } from './address.service.ts';

/** @throws NOT_FOUND for an unknown order and a wrong key alike. @throws ORDER_LINK_ENDED. See openOrderLink. */
const openPage = async (context: Context, ref: { id: string; key: string }) =>
  openOrderLink(context.db, { secret: context.secret, now: context.now() }, ref, (await context.viewer())?.id ?? null);

export const refundsApi = {
  setAddress: open.refunds.setAddress
    .use(limit(perAddress('private-link', LIMITS.privateLinkMinute)))
    .use(limitedByService({ addresses: LIMITS.refundAddressHour }))
    .handler(async ({ input, context }) => {
      await openPage(context, input);
      return setAddress(
        context.db,
        context,
        { id: input.refundId, requestId: input.id, address: input.address },
        { actor: actorOf(context, await context.viewer()), now: context.now(), limit: context.limits.addresses },
      );
    }),
  confirmAddress: open.refunds.confirmAddress
    .use(limit(perAddress('private-link', LIMITS.privateLinkMinute)))
    .handler(async ({ input, context }) => {
      await openPage(context, input);
      return confirmAddress(
        context.db,
        context,
        { id: input.refundId, requestId: input.id, code: input.code, address: input.address },
        { actor: actorOf(context, await context.viewer()), now: context.now() },
      );
    }),
};

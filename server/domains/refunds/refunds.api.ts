import { LIMITS } from '#contract/limits.ts';
import { actorOf, type Context } from '#server/http/context.ts';
import { handsDown, limit, perAddress } from '#server/http/guarantees.ts';
import { open } from '#server/http/procedures.ts';
import { fail } from '#server/lib/fail.ts';
import { pageKeyFits } from '#server/lib/private-pages.ts';
import { confirmAddress, setAddress } from './address.service.ts';

/** @throws NOT_FOUND for a wrong order and a wrong key alike. */
function openPage(context: Context, { id, key }: { id: string; key: string }): void {
  if (!pageKeyFits(context.secret, 'order', id, key)) fail('NOT_FOUND', { what: 'order' });
}

export const refundsApi = {
  setAddress: open.refunds.setAddress
    .use(limit(perAddress('private-link', LIMITS.privateLinkMinute)))
    .use(handsDown({ addresses: LIMITS.refundAddressHour }))
    .handler(async ({ input, context }) => {
      openPage(context, input);
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
      openPage(context, input);
      return confirmAddress(
        context.db,
        context,
        { id: input.refundId, requestId: input.id, code: input.code },
        { actor: actorOf(context, await context.viewer()), now: context.now() },
      );
    }),
};

import { LIMITS } from '#contract/limits.ts';
import { limit, perAddress, perMember } from '#server/http/api/guarantees.ts';
import { member, open } from '#server/http/api/procedures.ts';
import { fail } from '#server/lib/errors/fail.ts';

export const ledgerApi = {
  state: open.ledger.state.handler(({ context }) => context.ledger.state()),
  mine: open.ledger.mine.handler(async ({ input: { day, id }, context }) => {
    const viewer = await context.viewer();
    return viewer ? context.ledger.votesOf(viewer.id, day && id ? { day, id } : null) : [];
  }),
  receipt: member.ledger.receipt
    .use(limit(perMember('ledger-receipt', LIMITS.ledgerReceiptMinute)))
    .use(limit(perAddress('ledger-receipt', LIMITS.ledgerFileAddressMinute)))
    .handler(async ({ input, context }) => {
      const receipt = await context.ledger.receiptOf(context.me.id, input.voteId);
      return receipt === null ? fail('NOT_FOUND', { what: 'receipt' }) : { receipt };
    }),
};

import { member, open } from '#server/http/procedures.ts';
import { fail } from '#server/lib/fail.ts';

export const ledgerApi = {
  state: open.ledger.state.handler(({ context }) => context.ledger.state()),
  mine: open.ledger.mine.handler(async ({ context }) => {
    const viewer = await context.viewer();
    return viewer ? context.ledger.votesOf(viewer.id) : [];
  }),
  receipt: member.ledger.receipt.handler(async ({ input, context }) => {
    const receipt = await context.ledger.receiptOf(context.me.id, input.voteId);
    return receipt === null ? fail('NOT_FOUND', { what: 'receipt' }) : { receipt };
  }),
};

import { LIMITS } from '#contract/limits.ts';
import { passAnonymousWrite } from '#server/domains/token-requests/challenge.service.ts';
import { actorOf, open } from '#server/http/procedures.ts';
import { addressKey } from '#server/lib/address.ts';
import { takeLimits } from '#server/lib/rate-limit.ts';
import { createSubmission, readSubmission, submissionsOpen } from './submissions.service.ts';

export const submissionsApi = {
  state: open.submissions.state.handler(async ({ context }) => ({ open: await submissionsOpen(context.db) })),

  create: open.submissions.create.handler(async ({ input, context }) => {
    const viewer = await context.viewer();
    const { challenge, ...submission } = input;
    const { db, secret, address } = context;
    const now = context.now();
    if (!viewer) await passAnonymousWrite({ db, secret, address, now, solved: challenge });
    const from = { addressKey: addressKey(address), actor: actorOf(context, viewer), now };
    return createSubmission(db, context, from, submission);
  }),

  read: open.submissions.read.handler(async ({ input, context }) => {
    await takeLimits(
      context.db,
      [{ key: `private-link:${addressKey(context.address)}`, limit: LIMITS.privateLinkMinute }],
      context.now(),
    );
    return readSubmission(context.db, context, input.id, input.key);
  }),
};

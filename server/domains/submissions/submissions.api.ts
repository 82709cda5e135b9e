import { LIMITS } from '#contract/limits.ts';
import type { Context } from '#server/http/context.ts';
import { actorOf } from '#server/http/context.ts';
import { open } from '#server/http/procedures.ts';
import { passAnonymousWrite } from '#server/lib/challenge.ts';
import { addressTakes, takeLimits } from '#server/lib/rate-limit.ts';
import { createSubmission, readSubmission, removeFormImage, submissionsOpen } from './submissions.service.ts';

/** Against trying keys, per address. */
const takeLook = (context: Context) =>
  takeLimits(context.db, addressTakes('private-link', context.address, LIMITS.privateLinkMinute), context.now());

export const submissionsApi = {
  state: open.submissions.state.handler(async ({ context }) => ({
    open: await submissionsOpen(context.db),
    supportEmail: context.supportEmail,
  })),

  create: open.submissions.create.handler(async ({ input, context }) => {
    const viewer = await context.viewer();
    const { challenge, attempt, claim, locale, ...submission } = input;
    const { db, secret, address } = context;
    const now = context.now();
    if (!viewer) await passAnonymousWrite({ db, secret, address, now, solved: challenge });
    const from = {
      userId: viewer?.id ?? null,
      address,
      actor: actorOf(context, viewer),
      now,
    };
    return createSubmission(db, context, from, submission, { attempt, claim, locale });
  }),

  removeImage: open.submissions.removeImage.handler(async ({ input, context }) => {
    await takeLook(context);
    const actor = actorOf(context, await context.viewer());
    return context.db.transaction(async (tx) => {
      await context.jobs.enqueue(tx, 'clean-uploads', { deletedOnly: true });
      return { removed: await removeFormImage(tx, actor, input, context.now()) };
    });
  }),

  read: open.submissions.read.handler(async ({ input, context }) => {
    await takeLook(context);
    return readSubmission(context.db, context, input.id, input.key);
  }),
};

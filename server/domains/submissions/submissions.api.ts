import type { SolvedChallenge } from '#contract/fields/challenge.ts';
import { LIMITS } from '#contract/limits.ts';
import { challengesGuests, limit, limitedByService, perAddress } from '#server/http/api/guarantees.ts';
import { open } from '#server/http/api/procedures.ts';
import { actorOf } from '#server/http/context.ts';
import { createSubmission, readSubmission, removeFormImage, submissionsOpen } from './submissions.service.ts';

export const submissionsApi = {
  state: open.submissions.state.handler(async ({ context }) => ({
    open: await submissionsOpen(context.db),
    supportEmail: context.supportEmail,
  })),

  create: open.submissions.create
    .use(challengesGuests(({ challenge }: { challenge?: SolvedChallenge | undefined }) => challenge))
    .use(limitedByService({ requests: LIMITS.submissionAddressHour, mails: LIMITS.submissionMailDay }))
    .handler(async ({ input, context }) => {
      const viewer = await context.viewer();
      const { challenge: _solved, attempt, claim, locale, resemblanceAccepted, ...submission } = input;
      const { db, address } = context;
      const now = context.now();
      const from = {
        userId: viewer?.id ?? null,
        address,
        actor: actorOf(context, viewer),
        now,
      };
      const form = { attempt, claim, locale, resemblanceAccepted };
      return createSubmission(db, context, from, submission, form, context.limits);
    }),

  removeImage: open.submissions.removeImage
    .use(limit(perAddress('private-link', LIMITS.privateLinkMinute)))
    .handler(async ({ input, context }) => {
      const actor = actorOf(context, await context.viewer());
      return context.db.transaction(async (tx) => {
        await context.jobs.enqueue(tx, 'clean-uploads', { deletedOnly: true });
        return { removed: await removeFormImage(tx, actor, input, context.now()) };
      });
    }),

  read: open.submissions.read
    .use(limit(perAddress('private-link', LIMITS.privateLinkMinute)))
    .handler(async ({ input, context }) => {
      return readSubmission(context.db, context, input.id, input.key);
    }),
};

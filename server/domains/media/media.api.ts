import { member } from '#server/http/api/procedures.ts';
import { removeMedia } from './media.service.ts';

export const mediaApi = {
  remove: member.media.remove.handler(({ input, context }) =>
    context.db.transaction(async (tx) => {
      await context.jobs.enqueue(tx, 'clean-uploads', { deletedOnly: true });
      return { removed: await removeMedia(tx, context.actor, { userId: context.me.id }, input.id, context.now()) };
    }),
  ),
};

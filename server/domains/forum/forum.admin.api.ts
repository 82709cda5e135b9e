import { admin } from '#server/http/api/procedures.ts';
import { editorOf } from '#server/records/acting-editor.ts';
import { decideAppeal, readAppeal } from './appeals.service.ts';
import { forumDebug, forumStats, hideTexts, hideTextsAgain, listTexts, restoreTexts } from './moderate.service.ts';

export const forumAdminApi = {
  stats: admin.forum.stats.handler(({ context }) => forumStats(context.db)),
  debug: admin.forum.debug.handler(({ context }) => forumDebug(context.db)),
  list: admin.forum.list.handler(({ input, context }) => listTexts(context.db, input)),
  hide: admin.forum.hide.handler(({ input, context }) => hideTexts(context.db, context.jobs, editorOf(context), input)),
  appeal: admin.forum.appeal.handler(({ input, context }) => readAppeal(context.db, context.me.id, input.id)),
  decideAppeal: admin.forum.decideAppeal.handler(async ({ input, context }) => {
    await decideAppeal(context.db, context.jobs, editorOf(context), input);
    return { ok: true as const };
  }),
  restore: admin.forum.restore.handler(({ input, context }) => restoreTexts(context.db, editorOf(context), input)),
  hideAgain: admin.forum.hideAgain.handler(({ input, context }) =>
    hideTextsAgain(context.db, editorOf(context), input),
  ),
};

import { LIMITS } from '#contract/limits.ts';
import { limit, perMember } from '#server/http/api/guarantees.ts';
import { member, open } from '#server/http/api/procedures.ts';
import { listNotices, setNotice } from './notices.service.ts';
import { mergeSaved, resolveSaved, savedList, setSaved } from './saved.service.ts';

export const savedApi = {
  list: member.saved.list.handler(({ context }) => savedList(context.db, context.me.id)),
  notices: member.saved.notices.handler(({ context }) => listNotices(context.db, context.me.id)),
  setNotice: member.saved.setNotice
    .use(limit(perMember('save', LIMITS.saveAccountMinute)))
    .handler(async ({ input, context }) => {
      await setNotice(context, { ...context.actor, id: context.me.id }, input);
      return { on: input.on };
    }),
  resolve: open.saved.resolve.handler(({ input, context }) => resolveSaved(context.db, input.refs)),
  merge: member.saved.merge
    .use(limit(perMember('saved-merge', LIMITS.savedMergeMinute)))
    .handler(({ input, context }) => mergeSaved(context.db, { ...context.actor, id: context.me.id }, input.refs)),
  set: member.saved.set
    .use(limit(perMember('save', LIMITS.saveAccountMinute)))
    .handler(async ({ input: { saved, ...ref }, context }) => {
      await setSaved(context, { ...context.actor, id: context.me.id }, ref, saved);
      return { saved };
    }),
};

import { LIMITS } from '#contract/limits.ts';
import { limit, perMember } from '#server/http/api/guarantees.ts';
import { member, open } from '#server/http/api/procedures.ts';
import { readPage, setSettings, settingsOf } from './profiles.service.ts';
import { restrict, restrictionsOf } from './restrictions.service.ts';

export const profilesApi = {
  page: open.profiles.page.handler(({ input, context }) => readPage(context.db, input.name)),
  settings: member.profiles.settings.handler(({ context }) => settingsOf(context.db, context.me.id)),
  setSettings: member.profiles.setSettings
    .use(limit(perMember('profile', LIMITS.profileHour)))
    .handler(({ input, context }) =>
      setSettings(context.db, { ...context.actor, id: context.me.id }, input, context.now()),
    ),
  restrictions: member.profiles.restrictions.handler(({ context }) => restrictionsOf(context.db, context.me.id)),
  restrict: member.profiles.restrict
    .use(limit(perMember('restrict', LIMITS.restrictMinute)))
    .handler(async ({ input, context }) => {
      await restrict(context.db, { ...context.actor, id: context.me.id }, input, context.now());
      return { level: input.level };
    }),
};

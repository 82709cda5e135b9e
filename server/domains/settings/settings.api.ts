import { open } from '#server/http/api/procedures.ts';

export const settingsApi = {
  notices: open.settings.notices.handler(({ context }) => ({
    announcement: context.settings.announcement(),
    site: context.settings.site(),
  })),
};

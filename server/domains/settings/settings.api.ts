import { open } from '#server/http/procedures.ts';

export const settingsApi = {
  notices: open.settings.notices.handler(({ context }) => ({ announcement: context.settings.announcement() })),
};

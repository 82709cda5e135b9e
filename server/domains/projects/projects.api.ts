import { open } from '#server/http/api/procedures.ts';
import { listProjects, podium } from './projects.service.ts';

export const projectsApi = {
  podium: open.projects.podium.handler(({ context }) => podium(context.db, context.now())),
  list: open.projects.list.handler(({ input, context }) => listProjects(context.db, input, context.now())),
};

import { open } from '#server/http/api/procedures.ts';
import { listLaunches, listNextProjects } from './next-projects.service.ts';

export const nextProjectsApi = {
  list: open.nextProjects.list.handler(({ input, context }) => listNextProjects(context.db, input, context.now())),
  launches: open.nextProjects.launches.handler(({ context }) => listLaunches(context.db)),
};

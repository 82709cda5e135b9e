import { open } from '#server/http/procedures.ts';
import { listNextProjects } from './next-projects.service.ts';

export const nextProjectsApi = {
  list: open.nextProjects.list.handler(({ input, context }) => listNextProjects(context.db, input, context.now())),
};

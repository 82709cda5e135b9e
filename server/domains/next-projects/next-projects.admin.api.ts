import { admin } from '#server/http/api/procedures.ts';
import { editorOf } from '#server/records/acting-editor.ts';
import {
  createNextProject,
  listAllNextProjects,
  removeNextProject,
  restoreNextProject,
  updateNextProject,
} from './manage.service.ts';

export const nextProjectsAdminApi = {
  list: admin.nextProjects.list.handler(({ input, context }) => listAllNextProjects(context.db, input)),
  create: admin.nextProjects.create.handler(({ input, context }) =>
    createNextProject(context.db, context.media, editorOf(context), input),
  ),
  update: admin.nextProjects.update.handler(({ input, context }) =>
    updateNextProject(context.db, context.media, editorOf(context), input),
  ),
  remove: admin.nextProjects.remove.handler(({ input, context }) =>
    removeNextProject(context.db, editorOf(context), input),
  ),
  restore: admin.nextProjects.restore.handler(({ input, context }) =>
    restoreNextProject(context.db, editorOf(context), input),
  ),
};

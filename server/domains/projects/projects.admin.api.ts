import { admin } from '#server/http/api/procedures.ts';
import { editorOf } from '#server/records/acting-editor.ts';
import {
  createProject,
  listAllProjects,
  removeProject,
  restoreProject,
  setTop3,
  updateProject,
} from './manage.service.ts';

export const projectsAdminApi = {
  list: admin.projects.list.handler(({ input, context }) => listAllProjects(context.db, input)),
  create: admin.projects.create.handler(({ input, context }) =>
    createProject(context.db, context.media, editorOf(context), input),
  ),
  update: admin.projects.update.handler(({ input, context }) =>
    updateProject(context.db, context.media, editorOf(context), input),
  ),
  setTop3: admin.projects.setTop3.handler(({ input, context }) => setTop3(context.db, editorOf(context), input)),
  remove: admin.projects.remove.handler(({ input, context }) => removeProject(context.db, editorOf(context), input)),
  restore: admin.projects.restore.handler(({ input, context }) => restoreProject(context.db, editorOf(context), input)),
};

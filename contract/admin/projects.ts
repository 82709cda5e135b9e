import { z } from 'zod';
import { errors } from '../errors.ts';
import { DEFAULT_ORDER_INDEX } from '../limits.ts';
import { resemblanceAccepted } from '../resemblance.ts';
import { projectForm, projectStatus } from './forms/projects.ts';
import { undoneVersion } from './shared/bulk.ts';
import { adminRead, adminWrite, anyRecord, listInput, pageOf, saving, seenRecord, shelf } from './shared/list.ts';
import { newTokenFields, restoringToken, savingToken, tokenColumns, trashedToken } from './shared/token-fields.ts';

export const adminProject = z.object({
  ...tokenColumns,
  tokenSlug: z.string(),
  tokenAddress: z.string(),
  holdersCount: z.int().nullable(),
  status: projectStatus,
});
export type AdminProject = z.infer<typeof adminProject>;

const { shape } = projectForm;

/** Fields of a new project. */
export const newProject = projectForm.extend({
  ...newTokenFields,
  holdersCount: shape.holdersCount.default(null),
  marketCap: shape.marketCap.default('$0'),
  status: shape.status.default('pending'),
  orderIndex: shape.orderIndex.default(DEFAULT_ORDER_INDEX),
});

const podium = { PODIUM_REFUSED: errors.PODIUM_REFUSED };

export const adminProjects = {
  list: adminRead('/projects', 'Projects of every status, or those in the trash', ['editor'])
    .input(
      listInput(['createdAt', 'tokenName', 'orderIndex', 'updatedAt'], {
        shelf,
        status: projectStatus.optional(),
        top3: z.enum(['yes']).optional(),
      }),
    )
    .output(pageOf(adminProject)),
  create: adminWrite('POST', '/projects', 'Add a project', ['editor'])
    .errors({ ...savingToken, ...podium })
    .input(newProject.extend({ resemblanceAccepted }))
    .output(adminProject),
  /** Omitted fields stay unchanged. */
  update: adminWrite('PUT', '/projects/{id}', 'Change a project', ['editor'])
    .errors({ ...savingToken, ...podium })
    .input(seenRecord.extend({ ...projectForm.partial().shape, resemblanceAccepted }))
    .output(adminProject),
  /** Puts it at the first free place of the Top 3, or removes it from there. Idempotent. */
  setTop3: adminWrite('PUT', '/projects/{id}/top3', 'Put a project into the Top 3, or take it out', ['editor'])
    .errors({ ...saving, ...podium })
    .input(anyRecord.extend({ on: z.boolean(), undoOf: undoneVersion }))
    .output(adminProject),
  /** Moves it to the trash and removes it from the Top 3. */
  remove: adminWrite('DELETE', '/projects/{id}', 'Delete a project', ['editor'])
    .errors(saving)
    .input(seenRecord)
    .output(adminProject),
  restore: adminWrite('POST', '/projects/{id}/restore', 'Take a project out of the trash', ['editor'])
    .errors(restoringToken)
    .input(trashedToken)
    .output(adminProject),
};

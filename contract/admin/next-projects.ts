import { z } from 'zod';
import { errors } from '../errors.ts';
import { resemblanceAccepted } from '../resemblance.ts';
import { nextProjectForm, nextProjectStatus } from './forms/next-projects.ts';
import { adminRead, adminWrite, listInput, pageOf, saving, seenRecord, shelf } from './shared/list.ts';
import { newTokenFields, restoringToken, savingToken, tokenColumns, trashedToken } from './shared/token-fields.ts';

export const adminNextProject = z.object({
  ...tokenColumns,
  tokenAddress: z.string().nullable(),
  launchDate: z.iso.datetime().nullable(),
  countdownEnd: z.iso.datetime().nullable(),
  status: nextProjectStatus,
  isActive: z.boolean(),
  /** Set by the graduation of a voting round, never by hand. */
  isVotingWinner: z.boolean(),
  votingRoundId: z.uuid().nullable(),
  price: z.number(),
});
export type AdminNextProject = z.infer<typeof adminNextProject>;

const { shape } = nextProjectForm;
/** The editor confirms a countdown that has ended already or ends after the launch. */
const countdownAccepted = z.boolean().default(false);
const savingDates = { ...savingToken, COUNTDOWN_DOUBTFUL: errors.COUNTDOWN_DOUBTFUL };

/** Fields of a new NEXT project. */
export const newNextProject = nextProjectForm.extend({
  ...newTokenFields,
  tokenAddress: shape.tokenAddress.default(null),
  launchDate: shape.launchDate.default(null),
  countdownEnd: shape.countdownEnd.default(null),
  status: shape.status.default('published'),
  isActive: shape.isActive.default(true),
  orderIndex: shape.orderIndex.default(0),
  price: shape.price.default(0),
  marketCap: shape.marketCap.default('TBD'),
});

export const adminNextProjects = {
  list: adminRead('/next-projects', 'NEXT projects of every status, or those in the trash', ['editor'])
    .input(
      listInput(['orderIndex', 'createdAt', 'tokenName', 'launchDate'], {
        shelf,
        status: nextProjectStatus.optional(),
      }),
    )
    .output(pageOf(adminNextProject)),
  create: adminWrite('POST', '/next-projects', 'Add a NEXT project', ['editor'])
    .errors(savingDates)
    .input(newNextProject.extend({ countdownAccepted, resemblanceAccepted }))
    .output(adminNextProject),
  /** Omitted fields stay unchanged. Followers are notified of a new date and of the launch. */
  update: adminWrite('PUT', '/next-projects/{id}', 'Change a NEXT project', ['editor'])
    .errors(savingDates)
    .input(seenRecord.extend({ ...nextProjectForm.partial().shape, countdownAccepted, resemblanceAccepted }))
    .output(adminNextProject),
  remove: adminWrite('DELETE', '/next-projects/{id}', 'Delete a NEXT project', ['editor'])
    .errors(saving)
    .input(seenRecord)
    .output(adminNextProject),
  restore: adminWrite('POST', '/next-projects/{id}/restore', 'Take a NEXT project out of the trash', ['editor'])
    .errors(restoringToken)
    .input(trashedToken)
    .output(adminNextProject),
};

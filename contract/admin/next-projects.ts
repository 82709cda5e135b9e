import { z } from 'zod';
import { errors } from '../errors.ts';
import { lineOrNull } from '../fields.ts';
import { REQUEST_MAX } from '../limits.ts';
import { adminRead, adminWrite, anyRecord, listInput, pageOf, saving, seenRecord, shelf } from './list.ts';
import { marketCapOr, newTokenFields, savingImage, tokenColumns, tokenFields } from './token-fields.ts';

export const nextProjectStatus = z.enum(['pending', 'published', 'launched']);
export type NextProjectStatus = z.infer<typeof nextProjectStatus>;

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

/** A moment, or null; a year of five digits is a slip of the keyboard. */
const momentOrNull = z.iso
  .datetime({ offset: true })
  .refine((value) => Date.parse(value) >= 0 && Date.parse(value) < Date.UTC(2200, 0))
  .nullable();

/** What people edit; each may be left out of an update. */
const fields = z.strictObject({
  ...tokenFields,
  tokenAddress: lineOrNull(REQUEST_MAX.address),
  launchDate: momentOrNull,
  countdownEnd: momentOrNull,
  status: nextProjectStatus,
  isActive: z.boolean(),
  price: z.number().min(0).max(1e12),
  marketCap: marketCapOr('TBD'),
});
const { shape } = fields;
/** Somebody looked at a countdown that is over already, or runs past the launch. */
const countdownAccepted = z.boolean().default(false);
const savingDates = { ...savingImage, COUNTDOWN_DOUBTFUL: errors.COUNTDOWN_DOUBTFUL };

/** A NEXT project to be added. */
export const newNextProject = fields.extend({
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
  list: adminRead('/next-projects', 'NEXT projects of every status, or those in the trash')
    .input(
      listInput(['orderIndex', 'createdAt', 'tokenName', 'launchDate'], {
        shelf,
        status: nextProjectStatus.optional(),
      }),
    )
    .output(pageOf(adminNextProject)),
  create: adminWrite('POST', '/next-projects', 'Add a NEXT project')
    .errors(savingDates)
    .input(newNextProject.extend({ countdownAccepted }))
    .output(adminNextProject),
  /** Fields that are left out stay as they are. Members who follow it hear of a new date and of its launch. */
  update: adminWrite('PUT', '/next-projects/{id}', 'Change a NEXT project')
    .errors(savingDates)
    .input(seenRecord.extend({ ...fields.partial().shape, countdownAccepted }))
    .output(adminNextProject),
  remove: adminWrite('DELETE', '/next-projects/{id}', 'Delete a NEXT project')
    .errors(saving)
    .input(seenRecord)
    .output(adminNextProject),
  restore: adminWrite('POST', '/next-projects/{id}/restore', 'Take a NEXT project out of the trash')
    .errors(saving)
    .input(anyRecord)
    .output(adminNextProject),
};

import { z } from 'zod';
import { errors } from '../errors.ts';
import { imageOrNull, lineOrNull, linkOrNull } from '../fields.ts';
import { PLACE_MAX, PROJECT_NAME_MIN, REQUEST_MAX } from '../limits.ts';
import {
  adminRead,
  adminWrite,
  anyRecord,
  listInput,
  pageOf,
  recordColumns,
  saving,
  seenRecord,
  shelf,
} from './list.ts';

export const nextProjectStatus = z.enum(['pending', 'published', 'launched']);
export type NextProjectStatus = z.infer<typeof nextProjectStatus>;

export const adminNextProject = z.object({
  ...recordColumns,
  tokenName: z.string(),
  tokenSymbol: z.string(),
  tokenAddress: z.string().nullable(),
  contractAddress: z.string().nullable(),
  description: z.string().nullable(),
  descriptionFull: z.string().nullable(),
  imageUrl: z.string().nullable(),
  websiteUrl: z.string().nullable(),
  telegramUrl: z.string().nullable(),
  twitterUrl: z.string().nullable(),
  discordUrl: z.string().nullable(),
  launchDate: z.iso.datetime().nullable(),
  countdownEnd: z.iso.datetime().nullable(),
  status: nextProjectStatus,
  isFeatured: z.boolean(),
  isActive: z.boolean(),
  /** Set by the graduation of a voting round, never by hand. */
  isVotingWinner: z.boolean(),
  votingRoundId: z.uuid().nullable(),
  orderIndex: z.int(),
  progressPercentage: z.int(),
  price: z.number(),
  marketCap: z.string(),
  adminNotes: z.string().nullable(),
});
export type AdminNextProject = z.infer<typeof adminNextProject>;

const marketCap = z
  .string()
  .trim()
  .max(REQUEST_MAX.amount)
  .nullable()
  .transform((value) => value || 'TBD');
/** A moment, or null; a year of five digits is a slip of the keyboard. */
const momentOrNull = z.iso
  .datetime({ offset: true })
  .refine((value) => Date.parse(value) >= 0 && Date.parse(value) < Date.UTC(2200, 0))
  .nullable();

/** What people edit; each may be left out of an update. */
const fields = z.strictObject({
  tokenName: z.string().trim().min(PROJECT_NAME_MIN).max(REQUEST_MAX.name),
  tokenSymbol: z.string().trim().min(1).max(REQUEST_MAX.symbol).toUpperCase(),
  tokenAddress: lineOrNull(REQUEST_MAX.address),
  contractAddress: lineOrNull(REQUEST_MAX.address),
  description: lineOrNull(REQUEST_MAX.description),
  descriptionFull: lineOrNull(REQUEST_MAX.description),
  /** An address elsewhere is fetched and kept as our own copy. */
  imageUrl: imageOrNull,
  websiteUrl: linkOrNull,
  telegramUrl: linkOrNull,
  twitterUrl: linkOrNull,
  discordUrl: linkOrNull,
  launchDate: momentOrNull,
  countdownEnd: momentOrNull,
  status: nextProjectStatus,
  isFeatured: z.boolean(),
  isActive: z.boolean(),
  orderIndex: z.int().min(0).max(PLACE_MAX),
  progressPercentage: z.int().min(0).max(100),
  price: z.number().min(0).max(1e12),
  marketCap,
  adminNotes: lineOrNull(REQUEST_MAX.description),
});
const { shape } = fields;

const images = { IMAGE_NOT_FETCHED: errors.IMAGE_NOT_FETCHED };

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
    .errors({ ...saving, ...images })
    .input(
      fields.extend({
        tokenAddress: shape.tokenAddress.default(null),
        contractAddress: shape.contractAddress.default(null),
        description: shape.description.default(null),
        descriptionFull: shape.descriptionFull.default(null),
        imageUrl: shape.imageUrl.default(null),
        websiteUrl: shape.websiteUrl.default(null),
        telegramUrl: shape.telegramUrl.default(null),
        twitterUrl: shape.twitterUrl.default(null),
        discordUrl: shape.discordUrl.default(null),
        launchDate: shape.launchDate.default(null),
        countdownEnd: shape.countdownEnd.default(null),
        status: shape.status.default('published'),
        isFeatured: shape.isFeatured.default(false),
        isActive: shape.isActive.default(true),
        orderIndex: shape.orderIndex.default(0),
        progressPercentage: shape.progressPercentage.default(0),
        price: shape.price.default(0),
        marketCap: shape.marketCap.default('TBD'),
        adminNotes: shape.adminNotes.default(null),
      }),
    )
    .output(adminNextProject),
  /** Fields that are left out stay as they are. Members who follow it hear of a new date and of its launch. */
  update: adminWrite('PUT', '/next-projects/{id}', 'Change a NEXT project')
    .errors({ ...saving, ...images })
    .input(seenRecord.extend(fields.partial().shape))
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

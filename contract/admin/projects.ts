import { z } from 'zod';
import { errors } from '../errors.ts';
import { imageOrNull, lineOrNull, linkOrNull } from '../fields.ts';
import { NO_PLACE, PLACE_MAX, PROJECT_ADDRESS_MIN, PROJECT_NAME_MIN, REQUEST_MAX } from '../limits.ts';
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

export const projectStatus = z.enum(['pending', 'approved', 'rejected', 'published_home', 'published_next']);
export type ProjectStatus = z.infer<typeof projectStatus>;

export const adminProject = z.object({
  ...recordColumns,
  tokenName: z.string(),
  tokenSymbol: z.string(),
  tokenSlug: z.string(),
  tokenAddress: z.string(),
  contractAddress: z.string().nullable(),
  description: z.string().nullable(),
  descriptionFull: z.string().nullable(),
  imageUrl: z.string().nullable(),
  websiteUrl: z.string().nullable(),
  telegramUrl: z.string().nullable(),
  twitterUrl: z.string().nullable(),
  discordUrl: z.string().nullable(),
  holdersCount: z.int().nullable(),
  marketCap: z.string(),
  progressPercentage: z.int(),
  status: projectStatus,
  isFeatured: z.boolean(),
  orderIndex: z.int(),
  adminNotes: z.string().nullable(),
});
export type AdminProject = z.infer<typeof adminProject>;

const marketCap = z
  .string()
  .trim()
  .max(REQUEST_MAX.amount)
  .nullable()
  .transform((value) => value || '$0');

/** What people edit; each may be left out of an update. */
const fields = z.strictObject({
  tokenName: z.string().trim().min(PROJECT_NAME_MIN).max(REQUEST_MAX.name),
  tokenSymbol: z.string().trim().min(1).max(REQUEST_MAX.symbol).toUpperCase(),
  tokenAddress: z.string().trim().min(PROJECT_ADDRESS_MIN).max(REQUEST_MAX.address),
  /** Empty: the token's address. */
  contractAddress: lineOrNull(REQUEST_MAX.address),
  description: lineOrNull(REQUEST_MAX.description),
  descriptionFull: lineOrNull(REQUEST_MAX.description),
  /** An address elsewhere is fetched and kept as our own copy. */
  imageUrl: imageOrNull,
  websiteUrl: linkOrNull,
  telegramUrl: linkOrNull,
  twitterUrl: linkOrNull,
  discordUrl: linkOrNull,
  holdersCount: z.int().min(0).max(2_147_483_647).nullable(),
  marketCap,
  progressPercentage: z.int().min(0).max(100),
  status: projectStatus,
  isFeatured: z.boolean(),
  /** 1 to 3 are podium places; they need the status published_home. */
  orderIndex: z.int().min(0).max(PLACE_MAX),
  adminNotes: lineOrNull(REQUEST_MAX.description),
});
const { shape } = fields;

const images = { IMAGE_NOT_FETCHED: errors.IMAGE_NOT_FETCHED };
const podium = { PODIUM_REFUSED: errors.PODIUM_REFUSED };

export const adminProjects = {
  list: adminRead('/projects', 'Projects of every status, or those in the trash')
    .input(
      listInput(['createdAt', 'tokenName', 'orderIndex', 'updatedAt'], {
        shelf,
        status: projectStatus.optional(),
        top3: z.enum(['yes']).optional(),
      }),
    )
    .output(pageOf(adminProject)),
  create: adminWrite('POST', '/projects', 'Add a project')
    .errors({ ...saving, ...images, ...podium })
    .input(
      fields.extend({
        contractAddress: shape.contractAddress.default(null),
        description: shape.description.default(null),
        descriptionFull: shape.descriptionFull.default(null),
        imageUrl: shape.imageUrl.default(null),
        websiteUrl: shape.websiteUrl.default(null),
        telegramUrl: shape.telegramUrl.default(null),
        twitterUrl: shape.twitterUrl.default(null),
        discordUrl: shape.discordUrl.default(null),
        holdersCount: shape.holdersCount.default(null),
        marketCap: shape.marketCap.default('$0'),
        progressPercentage: shape.progressPercentage.default(0),
        status: shape.status.default('pending'),
        isFeatured: shape.isFeatured.default(false),
        orderIndex: shape.orderIndex.default(NO_PLACE),
        adminNotes: shape.adminNotes.default(null),
      }),
    )
    .output(adminProject),
  /** Fields that are left out stay as they are. */
  update: adminWrite('PUT', '/projects/{id}', 'Change a project')
    .errors({ ...saving, ...images, ...podium })
    .input(seenRecord.extend(fields.partial().shape))
    .output(adminProject),
  /** Into the Top 3 at the first free place, or out of it. Saying it twice is fine. */
  setTop3: adminWrite('PUT', '/projects/{id}/top3', 'Put a project into the Top 3, or take it out')
    .errors({ ...saving, ...podium })
    .input(anyRecord.extend({ on: z.boolean() }))
    .output(adminProject),
  /** Into the trash, and out of the Top 3. */
  remove: adminWrite('DELETE', '/projects/{id}', 'Delete a project')
    .errors(saving)
    .input(seenRecord)
    .output(adminProject),
  restore: adminWrite('POST', '/projects/{id}/restore', 'Take a project out of the trash')
    .errors(saving)
    .input(anyRecord)
    .output(adminProject),
};

import { z } from 'zod';
import { errors } from '../errors.ts';
import { imageOrNull, lineOrNull, linkOrNull, ticker } from '../fields.ts';
import { PLACE_MAX, PROJECT_NAME_MIN, REQUEST_MAX } from '../limits.ts';
import { eachLink } from '../links.ts';
import { marketNetwork } from '../market.ts';
import { recordColumns, saving } from './list.ts';

/** What the back office reads of projects on home and of NEXT projects alike. */
export const tokenColumns = {
  ...recordColumns,
  tokenName: z.string(),
  tokenSymbol: z.string(),
  contractAddress: z.string().nullable(),
  network: marketNetwork.nullable(),
  description: z.string().nullable(),
  descriptionFull: z.string().nullable(),
  imageUrl: z.string().nullable(),
  ...eachLink(() => z.string().nullable()),
  marketCap: z.string(),
  progressPercentage: z.int(),
  isFeatured: z.boolean(),
  orderIndex: z.int(),
  adminNotes: z.string().nullable(),
};

/** What people edit of both. */
export const tokenFields = {
  tokenName: z.string().trim().min(PROJECT_NAME_MIN).max(REQUEST_MAX.name),
  tokenSymbol: ticker(REQUEST_MAX.symbol).toUpperCase(),
  contractAddress: lineOrNull(REQUEST_MAX.address),
  /** Of the address; null: nobody said. Addresses of Solana are known by their form. */
  network: marketNetwork.nullable(),
  description: lineOrNull(REQUEST_MAX.description),
  descriptionFull: lineOrNull(REQUEST_MAX.description),
  /** An address elsewhere is fetched and kept as our own copy. */
  imageUrl: imageOrNull,
  ...eachLink(() => linkOrNull),
  progressPercentage: z.int().min(0).max(100),
  isFeatured: z.boolean(),
  /** On home 1 to 3 are podium places; they need the status published_home. */
  orderIndex: z.int().min(0).max(PLACE_MAX),
  adminNotes: lineOrNull(REQUEST_MAX.description),
};

/** The same for a new one, where all but name and symbol may be left out. */
export const newTokenFields = {
  ...tokenFields,
  contractAddress: tokenFields.contractAddress.default(null),
  network: tokenFields.network.default(null),
  description: tokenFields.description.default(null),
  descriptionFull: tokenFields.descriptionFull.default(null),
  imageUrl: tokenFields.imageUrl.default(null),
  ...eachLink(() => linkOrNull.default(null)),
  progressPercentage: tokenFields.progressPercentage.default(0),
  isFeatured: tokenFields.isFeatured.default(false),
  adminNotes: tokenFields.adminNotes.default(null),
};

/** A market cap as it is shown; nothing means `usual`. */
export const marketCapOr = (usual: string) =>
  z
    .string()
    .trim()
    .max(REQUEST_MAX.amount)
    .nullable()
    .transform((value) => value || usual);

/** What saving a record with an image can meet. */
export const savingImage = { ...saving, IMAGE_NOT_FETCHED: errors.IMAGE_NOT_FETCHED };

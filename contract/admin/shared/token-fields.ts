import { z } from 'zod';
import { errors } from '../../errors.ts';
import { each } from '../../fields/each.ts';
import { eachLink } from '../../fields/links.ts';
import { eachProjectText, PUBLIC_TEXTS, TEAM_TEXTS } from '../../fields/project-texts.ts';
import { marketNetwork } from '../../fields/schemas.ts';
import { resemblanceAccepted } from '../../resemblance.ts';
import { tokenFields } from '../forms/token.ts';
import { trashedRecord } from './bulk.ts';
import { recordColumns, saving } from './list.ts';

/** Columns shared by projects on home and NEXT projects. */
export const tokenColumns = {
  ...recordColumns,
  tokenName: z.string(),
  tokenSymbol: z.string(),
  contractAddress: z.string().nullable(),
  network: marketNetwork.nullable(),
  ...each(PUBLIC_TEXTS, () => z.string().nullable()),
  imageUrl: z.string().nullable(),
  ...eachLink(() => z.string().nullable()),
  marketCap: z.string(),
  progressPercentage: z.int(),
  isFeatured: z.boolean(),
  orderIndex: z.int(),
  ...each(TEAM_TEXTS, () => z.string().nullable()),
};

/** The same for a new record, where everything except name and symbol is optional. */
export const newTokenFields = {
  ...tokenFields,
  contractAddress: tokenFields.contractAddress.default(null),
  network: tokenFields.network.default(null),
  ...eachProjectText((name) => tokenFields[name].default(null)),
  imageUrl: tokenFields.imageUrl.default(null),
  ...eachLink((link) => tokenFields[link].default(null)),
  progressPercentage: tokenFields.progressPercentage.default(0),
  isFeatured: tokenFields.isFeatured.default(false),
};

/** Errors of saving a record with an image. */
export const savingImage = { ...saving, IMAGE_NOT_FETCHED: errors.IMAGE_NOT_FETCHED };
/** Additional errors of saving a token. */
export const savingToken = { ...savingImage, RESEMBLES: errors.RESEMBLES };
/** Errors of restoring a token from the trash: one like it may have been created since. */
export const restoringToken = { ...saving, RESEMBLES: errors.RESEMBLES };
/** A token in the trash that is to be restored. */
export const trashedToken = trashedRecord.extend({ resemblanceAccepted });

// Fields shared by the forms of projects on home and of NEXT projects.
import { z } from 'zod';
import { eachLink } from '../../fields/links.ts';
import { eachProjectText, textField } from '../../fields/project-texts.ts';
import {
  imageOrNull,
  lineOrNull,
  linkOrNull,
  marketNetwork,
  nameOf,
  ticker,
  upperTicker,
} from '../../fields/schemas.ts';
import { ORDER_INDEX_MAX, PROJECT_NAME_MIN, REQUEST_MAX } from '../../limits.ts';

/** Editable fields of both. */
export const tokenFields = {
  tokenName: nameOf(PROJECT_NAME_MIN, REQUEST_MAX.name),
  tokenSymbol: ticker(REQUEST_MAX.symbol).overwrite((symbol) => upperTicker(symbol, REQUEST_MAX.symbol)),
  contractAddress: lineOrNull(REQUEST_MAX.address),
  /** Network of the contract address; null when not provided. Solana addresses are recognised by their form. */
  network: marketNetwork.nullable(),
  ...eachProjectText((name) => lineOrNull(textField(name).max)),
  /** An external address is downloaded and stored as our own copy. */
  imageUrl: imageOrNull,
  ...eachLink(() => linkOrNull),
  progressPercentage: z.int().min(0).max(100),
  isFeatured: z.boolean(),
  /** On home, 1 to 3 are podium places and require the status published_home. */
  orderIndex: z.int().min(0).max(ORDER_INDEX_MAX),
};

/** Networks offered by the form. */
export const MARKET_NETWORKS = marketNetwork.options;

/** A market cap as displayed; an empty value becomes `defaultText`. */
export const marketCapOr = (defaultText: string) =>
  z
    .string()
    .trim()
    .max(REQUEST_MAX.amount)
    .nullable()
    .transform((value) => value || defaultText);

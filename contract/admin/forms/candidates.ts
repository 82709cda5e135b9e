import { z } from 'zod';
import { eachLink } from '../../fields/links.ts';
import { imageOrNull, lineOrNull, linkOrNull, marketNetwork, nameOf, ticker } from '../../fields/schemas.ts';
import { CANDIDATE_MAX } from '../../limits.ts';

/** The column is numeric and accepts any size, so the form limits it. */
const figure = z.number().min(0).max(1e30).nullable();

/** Fields of a new candidate; all others are edited after its creation. */
export const newCandidateForm = z.strictObject({
  tokenName: nameOf(1, CANDIDATE_MAX.name),
  /** Stored in upper case. */
  tokenSymbol: ticker(CANDIDATE_MAX.symbol),
  description: lineOrNull(CANDIDATE_MAX.description),
  /** An external address is downloaded and stored as our own copy. */
  imageUrl: imageOrNull,
  /** Position in the back office and among candidates with equal totals; ascending. */
  orderIndex: z.int().min(-1_000_000).max(1_000_000),
});

/** Market figures, entered by admins. */
const figures = {
  price: figure,
  volume24h: figure,
  marketCap: figure,
  swapsCount: z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullable(),
  maxSupply: figure,
  tokensInSwap: figure,
  holdersCount: z.int().min(0).max(2_147_483_647).nullable(),
  tokensWithHolders: figure,
  solInLiquidity: figure,
  tokensInSolPool: figure,
  warInLiquidity: figure,
  tokensInWarPool: figure,
  lockedAmount: figure,
  lockedValue: figure,
  burntPercentage: z.number().min(0).max(100).nullable(),
};

export type CandidateFigure = keyof typeof figures;
/** In the order of the form. */
export const CANDIDATE_FIGURES = Object.keys(figures) as CandidateFigure[];

/** Editable fields of a candidate. */
export const candidateForm = newCandidateForm.extend({
  isActive: z.boolean(),
  descriptionFull: lineOrNull(CANDIDATE_MAX.descriptionFull),
  contractAddress: lineOrNull(CANDIDATE_MAX.address),
  /** Network of the contract address; null when not provided. Solana addresses are recognised by their form. */
  network: marketNetwork.nullable(),
  ...eachLink(() => linkOrNull),
  adminNotes: lineOrNull(CANDIDATE_MAX.notes),
  ...figures,
});

// The fields of a token request. Browsers run this file too.

import { EMAIL_MAX, REQUEST_MAX } from '../limits.ts';
import { each } from './each.ts';
import { eachWizardLink, WIZARD_LINKS } from './links.ts';

const line = { max: REQUEST_MAX.line };
const link = { max: REQUEST_MAX.link };
const amount = { max: REQUEST_MAX.amount };

/**
 * All fields, in the order in which differences are shown: texts with their maximum length and the part of step 1 that requires
 * them; all others with their initial value.
 */
const FIELDS = {
  uploadToken: line,
  tokenName: { max: REQUEST_MAX.name, neededFor: 'token' },
  tokenSymbol: { max: REQUEST_MAX.symbol, neededFor: 'token' },
  description: { max: REQUEST_MAX.description, neededFor: 'token' },
  imageUrl: link,
  creatorFeeShare: { first: false },
  mercadoBlockExplorer: link,
  hostNetwork: line,
  smartContractWritten: { first: null },
  initialSaleLength: line,
  distribucionTokens: amount,
  productorToken: amount,
  porcentajeMarketing: amount,
  porcentajePartnersInversores: amount,
  ...eachWizardLink(() => link),
  twitter: line,
  telegram: line,
  linkedin: line,
  discord: line,
  website: link,
  supportChannel: line,
  socialDescription: { max: REQUEST_MAX.description },
  ownerWalletAddress: { max: REQUEST_MAX.address, neededFor: 'creator' },
  selectedNetwork: { max: REQUEST_MAX.network, neededFor: 'creator' },
  petitionerEmail: { max: EMAIL_MAX, neededFor: 'creator' },
  petitionerTelegram: { max: REQUEST_MAX.line, neededFor: 'creator' },
  basicPromo: { first: false },
  advancedPromo: { first: false },
  maxVisibility: { first: false },
  selectedPlan: { first: 'entry' },
} as const;

type Fields = typeof FIELDS;
export type DraftText = { [Name in keyof Fields]: Fields[Name] extends { max: number } ? Name : never }[keyof Fields];

const entries = Object.entries(FIELDS) as [keyof Fields, { max?: number; first?: unknown; neededFor?: string }][];
const isText = (name: keyof Fields): name is DraftText => 'max' in FIELDS[name];
const texts = entries.map(([name]) => name).filter(isText);

/** Initial values of the form. */
export const FIRST_VALUES: Readonly<Record<keyof Fields, unknown>> = Object.fromEntries(
  entries.map(([name, field]) => [name, isText(name) ? '' : field.first]),
) as Record<keyof Fields, unknown>;
/** Maximum length of a text, in characters. */
export const draftMax = (name: DraftText): number => FIELDS[name].max;
/** The same value or function for each text. */
export const eachDraftText = <Value>(make: (name: DraftText) => Value): Record<DraftText, Value> => each(texts, make);
/** Required texts of step 1, in the order of the screen. */
export const neededFor = (part: 'token' | 'creator'): readonly DraftText[] =>
  texts.filter((name) => (FIELDS[name] as { neededFor?: string }).neededFor === part);
/** Texts that contain a link only. */
export const DRAFT_LINKS = ['mercadoBlockExplorer', ...WIZARD_LINKS, 'website'] as const;

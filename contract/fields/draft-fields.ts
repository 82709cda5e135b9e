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
  tokenName: { max: REQUEST_MAX.name, requiredFor: 'token' },
  tokenSymbol: { max: REQUEST_MAX.symbol, requiredFor: 'token' },
  description: { max: REQUEST_MAX.description, requiredFor: 'token' },
  imageUrl: link,
  creatorFeeShare: { initial: false },
  mercadoBlockExplorer: link,
  hostNetwork: line,
  smartContractWritten: { initial: null },
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
  ownerWalletAddress: { max: REQUEST_MAX.address, requiredFor: 'creator' },
  selectedNetwork: { max: REQUEST_MAX.network, requiredFor: 'creator' },
  petitionerEmail: { max: EMAIL_MAX, requiredFor: 'creator' },
  petitionerTelegram: { max: REQUEST_MAX.line, requiredFor: 'creator' },
  basicPromo: { initial: false },
  advancedPromo: { initial: false },
  maxVisibility: { initial: false },
  selectedPlan: { initial: 'entry' },
} as const;

type Fields = typeof FIELDS;
export type DraftText = { [Name in keyof Fields]: Fields[Name] extends { max: number } ? Name : never }[keyof Fields];

const entries = Object.entries(FIELDS) as [keyof Fields, { max?: number; initial?: unknown; requiredFor?: string }][];
const isText = (name: keyof Fields): name is DraftText => 'max' in FIELDS[name];
const texts = entries.map(([name]) => name).filter(isText);

/** Initial values of the form. */
export const INITIAL_VALUES: Readonly<Record<keyof Fields, unknown>> = Object.fromEntries(
  entries.map(([name, field]) => [name, isText(name) ? '' : field.initial]),
) as Record<keyof Fields, unknown>;
/** Maximum length of a text, in characters. */
export const draftMax = (name: DraftText): number => FIELDS[name].max;
/** The same value or function for each text. */
export const eachDraftText = <Value>(make: (name: DraftText) => Value): Record<DraftText, Value> => each(texts, make);
/** Required texts of step 1, in the order of the screen. */
export const requiredFor = (part: 'token' | 'creator'): readonly DraftText[] =>
  texts.filter((name) => (FIELDS[name] as { requiredFor?: string }).requiredFor === part);
/** Texts that contain a link only. */
export const DRAFT_LINKS = ['mercadoBlockExplorer', ...WIZARD_LINKS, 'website'] as const;

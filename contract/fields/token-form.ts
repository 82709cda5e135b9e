// The form of a token request and its requirements for a payment. Browsers run this file too.

import type { DraftData } from '../domains/token-requests.ts';
import {
  EMAIL_FORM,
  EMAIL_MAX,
  EVM_DECIMALS,
  REQUEST_MAX,
  SOLANA_DECIMALS,
  TICKER_FORM,
  TOKEN_NAME_BYTES,
  TOKEN_SYMBOL_BYTES,
  TOKEN_SYMBOL_MAX,
} from '../limits.ts';
import { requestNetworkOf, type TokenNetwork } from '../networks.ts';
import { READABLE } from '../text/clean-text.ts';
import { INITIAL_VALUES, requiredFor } from './draft-fields.ts';
import { type Checksum, checkWallet } from './wallets.ts';

/** Number of steps of the wizard; the last one is the payment. */
export const WIZARD_STEPS = 5;

export const EMPTY_DRAFT = INITIAL_VALUES as DraftData;

/** True when a trimmed text is a valid ticker. */
export const isTicker = (text: string): boolean => TICKER_FORM.test(text);

export const isEmail = (value: string): boolean => value.length <= EMAIL_MAX && EMAIL_FORM.test(value);

/**
 * The first missing or invalid field for a payment, in the order of the wizard: the token's fields and the form of its ticker, the
 * creator's fields and e-mail, the network and its wallet; null when there is none.
 *
 * @param checksum as for checkWallet.
 */
export function missingFor(
  data: DraftData,
  networksOnSale: readonly string[],
  checksum: Checksum | null,
): 'token' | 'symbol' | 'creator' | 'email' | 'network' | 'wallet' | null {
  const isMissing = (name: keyof DraftData) => !READABLE.test(String(data[name]));
  if (requiredFor('token').some(isMissing)) return 'token';
  if (!isTicker(data.tokenSymbol.trim())) return 'symbol';
  if (requiredFor('creator').some(isMissing)) return 'creator';
  if (!isEmail(data.petitionerEmail)) return 'email';
  if (!networksOnSale.includes(data.selectedNetwork)) return 'network';
  if (checkWallet(data.selectedNetwork, data.ownerWalletAddress, checksum) === 'invalid') return 'wallet';
  return null;
}

/** The token data that the payer agreed to by paying. */
export const AGREED_FIELDS = ['network', 'ownerWallet', 'tokenName', 'tokenSymbol'] as const;
export type AgreedField = (typeof AGREED_FIELDS)[number];

export interface TokenInput {
  requestId: string;
  tokenName: string;
  tokenSymbol: string;
  network: TokenNetwork;
  totalSupply: string;
  ownerWallet: string;
  description: string;
  /** The ticker, typed again as confirmation. */
  confirmation: string;
  /** An admin accepted a name or symbol that resembles another one. */
  lookAlikeAccepted: boolean;
}
/** Validation errors of a field of the creation; keys of the catalogue. */
export type CreationError =
  | 'required'
  | 'idInvalid'
  | 'unprintable'
  | 'nameLong'
  | 'symbolLong'
  | 'symbolBytes'
  | 'supplyWhole'
  | 'supplyTooLarge'
  | 'walletInvalid'
  | 'descriptionLong'
  | 'confirmationDiffers';

const bytesOf = (text: string) => new TextEncoder().encode(text).length;
/** Letters, marks, digits, punctuation and symbols; names can also contain spaces between them. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]+$/u;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Maximum supply in whole tokens: Solana counts in 64 bits with 6 decimals; on other networks the limit is the exact range of numbers. */
export const maxSupplyOf = (network: TokenNetwork): bigint =>
  network === 'solana' ? (2n ** 64n - 1n) / 10n ** BigInt(SOLANA_DECIMALS) : BigInt(Number.MAX_SAFE_INTEGER);

/** Validation errors by field; shared by the form and the server. Texts are trimmed already. */
export function creationErrors(
  input: TokenInput,
  checksum: Checksum | null,
): Partial<Record<keyof TokenInput, CreationError>> {
  const { requestId, tokenName, tokenSymbol, network, totalSupply, ownerWallet, description, confirmation } = input;
  const fieldErrors: Partial<Record<keyof TokenInput, CreationError>> = {};
  if (!requestId) fieldErrors.requestId = 'required';
  else if (!UUID.test(requestId)) fieldErrors.requestId = 'idInvalid';
  if (!tokenName) fieldErrors.tokenName = 'required';
  else if (!PRINTABLE.test(tokenName.replaceAll(' ', ''))) fieldErrors.tokenName = 'unprintable';
  else if (bytesOf(tokenName) > TOKEN_NAME_BYTES) fieldErrors.tokenName = 'nameLong';
  if (!tokenSymbol) fieldErrors.tokenSymbol = 'required';
  else if (!PRINTABLE.test(tokenSymbol)) fieldErrors.tokenSymbol = 'unprintable';
  else if ([...tokenSymbol].length > TOKEN_SYMBOL_MAX) fieldErrors.tokenSymbol = 'symbolLong';
  else if (bytesOf(tokenSymbol) > TOKEN_SYMBOL_BYTES) fieldErrors.tokenSymbol = 'symbolBytes';
  if (!/^\d+$/.test(totalSupply) || /^0+$/.test(totalSupply)) fieldErrors.totalSupply = 'supplyWhole';
  else if (BigInt(totalSupply) > maxSupplyOf(network)) fieldErrors.totalSupply = 'supplyTooLarge';
  if (!ownerWallet) fieldErrors.ownerWallet = 'required';
  else if (checkWallet(requestNetworkOf(network), ownerWallet, checksum) === 'invalid')
    fieldErrors.ownerWallet = 'walletInvalid';
  if (description.length > REQUEST_MAX.description) fieldErrors.description = 'descriptionLong';
  if (confirmation !== tokenSymbol) fieldErrors.confirmation = 'confirmationDiffers';
  return fieldErrors;
}

/** Decimals of a token: the convention of wallets and exchanges on each network. */
export const decimalsOn = (network: TokenNetwork): number => (network === 'solana' ? SOLANA_DECIMALS : EVM_DECIMALS);

/** Cyrillic and Greek letters that look like Latin ones. */
const LOOK_ALIKES = /[АВЕЅЗІЈКМНОРСТУХЬаеорсухіјѕԁԛԝһҮүӀΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορτυχ]/u;
const SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
];

/**
 * True when a name can be mistaken for another one: letters of several alphabets in one text, a text all of whose letters look
 * Latin, or compatibility forms of letters (full-width, mathematical). Only a warning: legitimate names can match too.
 */
export function isConfusable(text: string): boolean {
  const plain = text.normalize('NFC');
  if (plain.normalize('NFKC') !== plain) return true;
  if (SCRIPTS.filter((script) => script.test(plain)).length > 1) return true;
  const characters = [...plain].filter((sign) => /\p{L}/u.test(sign));
  return characters.length > 0 && characters.every((sign) => LOOK_ALIKES.test(sign));
}

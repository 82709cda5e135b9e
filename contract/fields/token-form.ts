// The form of a token request and what a payment needs of it. Browsers run this file too.

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
import { FIRST_VALUES, neededFor } from './draft-fields.ts';
import { type Checksum, checkWallet } from './wallets.ts';

export const EMPTY_DRAFT = FIRST_VALUES as DraftData;

/** Whether a trimmed text can be a ticker. */
export const isTicker = (text: string): boolean => TICKER_FORM.test(text);

export const isEmail = (value: string): boolean => value.length <= EMAIL_MAX && EMAIL_FORM.test(value);

/**
 * The first thing that is missing or wrong for a payment, in the order of the wizard's messages A (with the ticker's form
 * after it), B, C; null when nothing is.
 *
 * @param checksum as for checkWallet.
 */
export function missingFor(
  data: DraftData,
  networksOnSale: readonly string[],
  checksum: Checksum | null,
): 'token' | 'symbol' | 'creator' | 'email' | 'network' | 'wallet' | null {
  const isMissing = (name: keyof DraftData) => !data[name];
  if (neededFor('token').some(isMissing)) return 'token';
  if (!isTicker(data.tokenSymbol.trim())) return 'symbol';
  if (neededFor('creator').some(isMissing)) return 'creator';
  if (!isEmail(data.petitionerEmail)) return 'email';
  if (!networksOnSale.includes(data.selectedNetwork)) return 'network';
  if (checkWallet(data.selectedNetwork, data.ownerWalletAddress, checksum) === 'invalid') return 'wallet';
  return null;
}

/** Networks on which tokens can be made, as the back office and the signer name them. */
export const TOKEN_NETWORKS = ['solana', 'ethereum', 'binance', 'polygon'] as const;
export type TokenNetwork = (typeof TOKEN_NETWORKS)[number];

/** What a request calls 'bnb' is made on 'binance' (AMB-55); null where the product makes no tokens. */
export const creatableOn = (network: string): TokenNetwork | null =>
  network === 'bnb' ? 'binance' : (TOKEN_NETWORKS.find((one) => one === network && one !== 'binance') ?? null);

/** The same network as wallets and requests know it. */
export const requestNetworkOf = (network: TokenNetwork): string => (network === 'binance' ? 'bnb' : network);

/** What a request says of its token, and its payer agreed to by paying. */
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
  /** The ticker once more, typed by hand. */
  confirmation: string;
  /** Somebody looked at a name or symbol that could be taken for another one. */
  lookAlikeAccepted: boolean;
}
/** What is wrong with a field of the creation; keys of the catalogue. */
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
/** Letters, marks, digits, punctuation and signs; in names also blanks between them. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]+$/u;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Most whole tokens: Solana counts in 64 bits with 6 decimals, everything else as far as numbers are exact. */
export const maxSupplyOf = (network: TokenNetwork): bigint =>
  network === 'solana' ? (2n ** 64n - 1n) / 10n ** BigInt(SOLANA_DECIMALS) : BigInt(Number.MAX_SAFE_INTEGER);

/** Why each field can't go onto the chain as it is; the form and the server ask the same. Texts are trimmed already. */
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

/** Decimals of a token: what wallets and exchanges expect on each network. */
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
 * Whether a name can be taken for another one: letters of several alphabets in one text, a text all of whose letters also
 * look Latin, or letters in disguise (full-width, mathematical). A warning: honest names can look like this too.
 */
export function isConfusable(text: string): boolean {
  const plain = text.normalize('NFC');
  if (plain.normalize('NFKC') !== plain) return true;
  if (SCRIPTS.filter((script) => script.test(plain)).length > 1) return true;
  const characters = [...plain].filter((sign) => /\p{L}/u.test(sign));
  return characters.length > 0 && characters.every((sign) => LOOK_ALIKES.test(sign));
}

// The token on Solana: a Token-2022 mint with its own metadata and no other extension.

import { type Address, type Instruction, isAddress, type TransactionSigner, unwrapOption } from '@solana/kit';
import { getSetComputeUnitLimitInstruction, getSetComputeUnitPriceInstruction } from '@solana-program/compute-budget';
import {
  getAllocateInstruction,
  getAssignInstruction,
  getCreateAccountInstruction,
  getTransferSolInstruction,
} from '@solana-program/system';
import {
  AuthorityType,
  extension,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMetadataPointerInstruction,
  getInitializeMint2Instruction,
  getInitializeTokenMetadataInstruction,
  getMintDecoder,
  getMintSize,
  getMintToCheckedInstruction,
  getSetAuthorityInstruction,
  getTokenDecoder,
  getUpdateTokenMetadataUpdateAuthorityInstruction,
  TOKEN_2022_PROGRAM_ADDRESS,
} from '@solana-program/token-2022';
import { type ChainDifference, ChainError, type TokenOrder } from './port.ts';

export const DECIMALS = 6;
const UNIT = 10n ** BigInt(DECIMALS);
/** Balances are 64-bit integers. */
const MAX_SUPPLY = (2n ** 64n - 1n) / UNIT;
/** Bytes, not characters: wallets and explorers truncate or refuse longer texts. */
const MAX_BYTES = { name: 32, symbol: 10, metadata: 200 };
/** About 32,000 are used; deriving the owner's token account can take some thousands more. */
export const COMPUTE_UNITS = 120_000;
/** Size of a Token-2022 token account with an immutable owner. Bytes. */
export const TOKEN_ACCOUNT_BYTES = 170;

/** Addresses without a known key: assets they own are lost. */
const KEYLESS_OWNERS = new Set(['11111111111111111111111111111111', '1nc1nerator11111111111111111111111111111111']);

/** Whole tokens in base units. */
export const baseUnits = (supply: bigint): bigint => supply * UNIT;

/** Throws for an order that cannot become a token, independent of the chain's state. */
export function checkOrder(order: TokenOrder): void {
  checkText('name_invalid', 'name', order.name, MAX_BYTES.name);
  checkText('symbol_invalid', 'symbol', order.symbol, MAX_BYTES.symbol);
  checkText('metadata_invalid', 'metadata address', order.metadataUrl, MAX_BYTES.metadata);
  if (!/^https?:$/.test(URL.parse(order.metadataUrl)?.protocol ?? ''))
    throw new ChainError('metadata_invalid', 'The metadata address is not an http(s) address');
  if (order.supply < 1n || order.supply > MAX_SUPPLY)
    throw new ChainError('supply_invalid', `The supply is not between 1 and ${MAX_SUPPLY}`);
  if (!isAddress(order.owner)) throw new ChainError('owner_invalid', 'The owner is not a Solana address');
  if (KEYLESS_OWNERS.has(order.owner))
    throw new ChainError('owner_invalid', 'The owner is an address without a known private key');
}

function checkText(
  problem: 'name_invalid' | 'symbol_invalid' | 'metadata_invalid',
  what: string,
  text: string,
  max: number,
): void {
  const bytes = Buffer.byteLength(text);
  if (bytes === 0 || bytes > max) throw new ChainError(problem, `The ${what} has ${bytes} bytes, not 1 to ${max}`);
  // A lone surrogate would read back differently; control characters break displays.
  if (!text.isWellFormed() || /\p{Cc}/u.test(text))
    throw new ChainError(problem, `The ${what} contains characters that can't be stored`);
}

const pointerOf = (mint: Address) => extension('MetadataPointer', { authority: null, metadataAddress: mint });

/** Size of the mint's account in bytes when it is created, and including the metadata. */
export function mintBytes(mint: Address, order: TokenOrder): { created: number; final: number } {
  const pointer = pointerOf(mint);
  const metadata = extension('TokenMetadata', {
    updateAuthority: null,
    mint,
    name: order.name,
    symbol: order.symbol,
    uri: order.metadataUrl,
    additionalMetadata: new Map(),
  });
  const size = getMintSize([pointer, metadata]);
  // A mint with the size of a multisig account (355 bytes) would be mistaken for one, so the program pads it;
  // getMintSize does not.
  return { created: getMintSize([pointer]), final: size === 355 ? 357 : size };
}

/** Size with the longest name, symbol and address. */
export const LONGEST_MINT_BYTES = mintBytes(TOKEN_2022_PROGRAM_ADDRESS, {
  requestId: '',
  name: 'n'.repeat(MAX_BYTES.name),
  symbol: 's'.repeat(MAX_BYTES.symbol),
  supply: 1n,
  owner: '',
  metadataUrl: 'u'.repeat(MAX_BYTES.metadata),
}).final;

export interface Creation {
  order: TokenOrder;
  payer: TransactionSigner;
  mint: TransactionSigner;
  /** The owner's token account. */
  account: Address;
  /** Lamports that the mint must hold permanently. */
  rent: bigint;
  /** Lamports that are already on the mint's address. */
  found: bigint;
  /** Micro-lamports per compute unit. */
  price: bigint;
}

/** All instructions of a token in one transaction: if the mint exists, all of them were executed. */
export function creationInstructions({ order, payer, mint, account, rent, found, price }: Creation): Instruction[] {
  const programAddress = TOKEN_2022_PROGRAM_ADDRESS;
  const space = mintBytes(mint.address, order).created;
  // An account with lamports cannot be created: otherwise a small transfer would make the order impossible.
  const open =
    found === 0n
      ? [getCreateAccountInstruction({ payer, newAccount: mint, lamports: rent, space, programAddress })]
      : [
          ...(found < rent
            ? [getTransferSolInstruction({ source: payer, destination: mint.address, amount: rent - found })]
            : []),
          getAllocateInstruction({ newAccount: mint, space }),
          getAssignInstruction({ account: mint, programAddress }),
        ];
  return [
    getSetComputeUnitLimitInstruction({ units: COMPUTE_UNITS }),
    getSetComputeUnitPriceInstruction({ microLamports: price }),
    ...open,
    getInitializeMetadataPointerInstruction({
      mint: mint.address,
      authority: null,
      metadataAddress: mint.address,
    }),
    getInitializeMint2Instruction({
      mint: mint.address,
      decimals: DECIMALS,
      mintAuthority: payer.address,
      freezeAuthority: null,
    }),
    // The program requires an initial update authority; the last instruction removes it.
    getInitializeTokenMetadataInstruction({
      metadata: mint.address,
      updateAuthority: payer.address,
      mint: mint.address,
      mintAuthority: payer,
      name: order.name,
      symbol: order.symbol,
      uri: order.metadataUrl,
    }),
    getCreateAssociatedTokenIdempotentInstruction({
      payer,
      ata: account,
      owner: order.owner as Address,
      mint: mint.address,
      tokenProgram: programAddress,
    }),
    getMintToCheckedInstruction({
      mint: mint.address,
      token: account,
      mintAuthority: payer,
      amount: baseUnits(order.supply),
      decimals: DECIMALS,
    }),
    getSetAuthorityInstruction({
      owned: mint.address,
      owner: payer,
      authorityType: AuthorityType.MintTokens,
      newAuthority: null,
    }),
    getUpdateTokenMetadataUpdateAuthorityInstruction({
      metadata: mint.address,
      updateAuthority: payer,
      newUpdateAuthority: null,
    }),
  ];
}

/** Error for a mint that differs from its order. @param what the differing property, in English. @param differs its code. */
export const mismatch = (what: string, differs?: ChainDifference): ChainError =>
  new ChainError(
    'mismatch',
    `The mint at the planned address has another ${what} than ordered`,
    differs ? { differs } : {},
  );

/**
 * Compares a mint with its order and returns its current supply. A lower supply is not a difference: holders can burn
 * tokens.
 */
export function readMint(bytes: Uint8Array, mint: Address, order: TokenOrder): { supply: bigint } {
  const { decimals, supply, isInitialized, mintAuthority, freezeAuthority, extensions } = decoded(
    () => getMintDecoder().decode(bytes),
    'form',
  );
  const [pointer, metadata, ...others] = [...(unwrapOption(extensions) ?? [])].sort((a, b) =>
    a.__kind.localeCompare(b.__kind),
  );
  if (!isInitialized || pointer?.__kind !== 'MetadataPointer' || metadata?.__kind !== 'TokenMetadata' || others.length)
    throw mismatch('set of extensions', 'metadata');
  if (decimals !== DECIMALS) throw mismatch('number of decimals', 'decimals');
  if (supply > baseUnits(order.supply)) throw mismatch('supply', 'supply');
  if (unwrapOption(mintAuthority) !== null) throw mismatch('mint authority', 'mint_authority');
  if (unwrapOption(freezeAuthority) !== null) throw mismatch('freeze authority', 'freeze_authority');
  if (unwrapOption(pointer.authority) !== null || unwrapOption(pointer.metadataAddress) !== mint)
    throw mismatch('place of metadata', 'metadata');
  if (unwrapOption(metadata.updateAuthority) !== null) throw mismatch('metadata authority', 'metadata_authority');
  if (metadata.name !== order.name) throw mismatch('name', 'name');
  if (metadata.symbol !== order.symbol) throw mismatch('symbol', 'symbol');
  if (metadata.mint !== mint || metadata.uri !== order.metadataUrl || metadata.additionalMetadata.size > 0)
    throw mismatch('metadata', 'metadata');
  return { supply };
}

/** Balance of the owner's token account; null if it belongs to another owner or mint. */
export function readHolding(bytes: Uint8Array, mint: Address, owner: string): bigint | null {
  const holding = decoded(() => getTokenDecoder().decode(bytes), "owner's account");
  return holding.mint === mint && holding.owner === owner ? holding.amount : null;
}

function decoded<T>(decode: () => T, what: string): T {
  try {
    return decode();
  } catch {
    throw mismatch(what, 'code');
  }
}

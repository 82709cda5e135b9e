// What a token is on Solana: a Token-2022 mint that carries its own metadata, and nothing else.

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
/** Balances are counted in 64 bits. */
const MAX_SUPPLY = (2n ** 64n - 1n) / UNIT;
/** Bytes, not letters: wallets and explorers cut or refuse what is longer. */
const MAX_BYTES = { name: 32, symbol: 10, metadata: 200 };
/** About 32,000 are used; finding the owner's token account may take some thousands more. */
export const COMPUTE_UNITS = 120_000;
/** A token account of Token-2022 that can't change hands. Bytes. */
export const TOKEN_ACCOUNT_BYTES = 170;

/** Nobody holds the keys of these: what they own is lost. */
const KEYLESS_OWNERS = new Set(['11111111111111111111111111111111', '1nc1nerator11111111111111111111111111111111']);

/** Whole tokens in base units. */
export const baseUnits = (supply: bigint): bigint => supply * UNIT;

/** Throws for what can't become a token here, whatever the chain says. */
export function checkOrder(order: TokenOrder): void {
  checkText('name_invalid', 'name', order.name, MAX_BYTES.name);
  checkText('symbol_invalid', 'symbol', order.symbol, MAX_BYTES.symbol);
  checkText('metadata_invalid', 'metadata address', order.metadataUrl, MAX_BYTES.metadata);
  if (!/^https?:$/.test(URL.parse(order.metadataUrl)?.protocol ?? ''))
    throw new ChainError('metadata_invalid', 'The metadata address is no http address');
  if (order.supply < 1n || order.supply > MAX_SUPPLY)
    throw new ChainError('supply_invalid', `The supply is not between 1 and ${MAX_SUPPLY}`);
  if (!isAddress(order.owner)) throw new ChainError('owner_invalid', 'The owner is no Solana address');
  if (KEYLESS_OWNERS.has(order.owner)) throw new ChainError('owner_invalid', 'Nobody holds the key of that owner');
}

function checkText(
  problem: 'name_invalid' | 'symbol_invalid' | 'metadata_invalid',
  what: string,
  text: string,
  most: number,
): void {
  const bytes = Buffer.byteLength(text);
  if (bytes === 0 || bytes > most) throw new ChainError(problem, `The ${what} has ${bytes} bytes, not 1 to ${most}`);
  // Both would read back as something else.
  if (!text.isWellFormed() || /\p{Cc}/u.test(text))
    throw new ChainError(problem, `The ${what} holds signs that can't be stored`);
}

const pointerOf = (mint: Address) => extension('MetadataPointer', { authority: null, metadataAddress: mint });

/** Bytes of the mint's account when it is created, and once the metadata is in it. */
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
  // A mint as long as a multisig account (355) would be taken for one, so the program pads it; getMintSize doesn't know.
  return { created: getMintSize([pointer]), final: size === 355 ? 357 : size };
}

/** What the longest name, symbol and address need. */
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
  /** Lamports that the mint must hold for good. */
  rent: bigint;
  /** Lamports that somebody sent to the mint's address already. */
  found: bigint;
  /** Micro-lamports for a compute unit. */
  price: bigint;
}

/** The whole life of the mint in one transaction: that it exists means that all of this was done. */
export function creationInstructions({ order, payer, mint, account, rent, found, price }: Creation): Instruction[] {
  const programAddress = TOKEN_2022_PROGRAM_ADDRESS;
  const space = mintBytes(mint.address, order).created;
  // An address with money on it can't be created any more: dust would make the order impossible for ever.
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
    // The program wants somebody as first update authority; the last instruction takes it away again.
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

export const mismatch = (what: string, differs?: ChainDifference): ChainError =>
  new ChainError(
    'mismatch',
    `What stands at the planned address has another ${what} than was ordered`,
    differs ? { differs } : {},
  );

/**
 * Compares a mint with the order and says what is in it now. Less supply than ordered is no difference: whoever holds
 * tokens may burn them.
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

/** What the owner's token account holds; null when it is somebody else's. */
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

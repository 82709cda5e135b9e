import type { Address } from '@solana/kit';
import { findAssociatedTokenPda, TOKEN_2022_PROGRAM_ADDRESS } from '@solana-program/token-2022';
import { ChainError, type Plan, type TokenOrder } from './port.ts';
import type { Commitment, solanaNode } from './solana-node.ts';
import { baseUnits, DECIMALS, mismatch, readHolding, readMint } from './solana-token.ts';

/** One node, and the commitment that a token needs before it counts. */
export interface SolanaReader {
  node: ReturnType<typeof solanaNode>;
  settling: Commitment;
}

/** The associated token account of an owner for one mint. */
export const accountFor = async (mint: Address, owner: string): Promise<Address> =>
  (await findAssociatedTokenPda({ owner: owner as Address, mint, tokenProgram: TOKEN_2022_PROGRAM_ADDRESS }))[0];

/** The transaction that transferred the supply to the owner; null if the node no longer has it. */
async function creationOf(reader: SolanaReader, mint: string, owner: string, transaction: string | null) {
  const { node } = reader;
  return (transaction && (await madeBy(transaction))) || firstOf(await node.history(mint));

  async function firstOf(signatures: string[]) {
    for (const signature of signatures) {
      const made = await madeBy(signature);
      if (made) return made;
    }
    return null;
  }

  async function madeBy(signature: string) {
    const found = await node.transaction(signature);
    const balances = found?.balances.filter((one) => one.mint === mint) ?? [];
    if (!found || balances.length === 0) return null;
    const received = balances
      .filter((one) => one.owner === owner)
      .reduce((sum, one) => sum + BigInt(one.uiTokenAmount.amount), 0n);
    return { transaction: signature, block: String(found.slot), at: found.at, received };
  }
}

/**
 * Compares the token on the chain with its order. The caller has to check the chain before.
 *
 * @returns the facts that were read.
 * @throws ChainError when they differ, or while the token is not visible.
 */
export async function read(reader: SolanaReader, plan: Plan, order: TokenOrder, transaction: string | null) {
  const { node, settling } = reader;
  const mint = plan.address as Address;
  const { value: found } = await node.account(mint, settling);
  if (!found) throw new ChainError('unreachable', 'The node does not have the token yet');
  if (found.owner !== TOKEN_2022_PROGRAM_ADDRESS) throw mismatch('program', 'code');
  const { supply } = readMint(found.data, mint, order);
  const made = await creationOf(reader, mint, order.owner, transaction);
  const { value: holding } = await node.account(await accountFor(mint, order.owner), settling);
  const ordered = baseUnits(order.supply);
  // Owners can transfer tokens at once; then only the creation itself shows what they received.
  const held = holding && holding.owner === TOKEN_2022_PROGRAM_ADDRESS && readHolding(holding.data, mint, order.owner);
  const received = made?.received ?? (held === ordered ? held : null);
  if (received === null)
    throw new ChainError('unreachable', 'The node does not report the amount that the owner received');
  if (received !== ordered) throw mismatch('receiver');
  return {
    name: order.name,
    symbol: order.symbol,
    decimals: DECIMALS,
    supply: String(supply),
    ownerReceived: String(received),
    mintAuthority: null,
    freezeAuthority: null,
    metadataLocked: true,
    transaction: made?.transaction ?? transaction,
    block: made?.block ?? null,
    at: made?.at ?? null,
  };
}

/**
 * Checks a mint again: its program, supply, authorities and metadata. The caller has to check the chain before.
 *
 * @throws ChainError when they differ, or while the token is not visible.
 */
export async function recheck(reader: SolanaReader, plan: Plan, order: TokenOrder, since: string | null) {
  const mint = plan.address as Address;
  const { context, value: found } = await reader.node.account(mint, reader.settling);
  if (!found) {
    if (since === null || context.slot < BigInt(since))
      throw new ChainError('unreachable', 'The node does not have the token yet');
    throw mismatch('place: there is nothing', 'gone');
  }
  if (found.owner !== TOKEN_2022_PROGRAM_ADDRESS) throw mismatch('program', 'code');
  const { supply } = readMint(found.data, mint, order);
  return { supply: String(supply), block: String(context.slot) };
}

// The keys that pay for tokens, whoever keeps them. An adapter of a chain knows nothing but these two interfaces.
import type { TransactionPartialSigner } from '@solana/kit';
import type { Address, Hex, Signature } from 'viem';

/** A key of secp256k1, by the address that follows from it. */
export interface EvmKey {
  readonly address: Address;
  /**
   * Whether it can sign now, as the key of that address.
   *
   * @throws ChainError 'key_unavailable' when who keeps it does not answer or refuses, 'wrong_key' when it is another one.
   */
  check(): Promise<void>;
  /**
   * Signs 32 bytes as they are. Of the two signatures that a curve has for it, the one with the lower `s`, which chains take.
   *
   * @throws ChainError as `check` does; then nothing came back that could be sent.
   */
  sign(hash: Hex): Promise<Signature>;
}

/** A key of Ed25519, by its address. */
export interface SolanaKey {
  /** Signs transactions; throws what `check` throws. */
  readonly signer: TransactionPartialSigner;
  /** As of {@link EvmKey}. */
  check(): Promise<void>;
}

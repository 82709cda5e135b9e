// The keys that pay for tokens, independent of where they are stored. Chain adapters depend on these two interfaces only.
import type { TransactionPartialSigner } from '@solana/kit';
import type { Address, Hex, Signature } from 'viem';

/** A secp256k1 key, identified by its address. */
export interface EvmKey {
  readonly address: Address;
  /**
   * Checks that it can sign now, as the key of that address.
   *
   * @throws ChainError 'key_unavailable' when the key service does not respond or refuses, 'wrong_key' when it has another key.
   */
  check(): Promise<void>;
  /**
   * Signs 32 bytes as they are. Returns the signature with the lower `s`, which chains accept.
   *
   * @throws ChainError as `check` does; then nothing was returned that could be sent.
   */
  sign(hash: Hex): Promise<Signature>;
}

/** An Ed25519 key, identified by its address. */
export interface SolanaKey {
  /** Signs transactions; throws the errors of `check`. */
  readonly signer: TransactionPartialSigner;
  /** As of {@link EvmKey}. */
  check(): Promise<void>;
}

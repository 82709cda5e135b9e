// Configuration of the tests' signers: files of keys, variables of the workers, and owners of the tokens.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { COMPLETE } from '#tests/support/payments/complete-draft.ts';

/** Writes files of keys into a folder, and returns their paths. @param mode file mode. */
export const keyFilesIn =
  (folder: string) =>
  async (name: string, text: string, mode = 0o600): Promise<string> => {
    const where = path.join(folder, name);
    await writeFile(where, text, { mode });
    return where;
  };

/** Owners of the tokens. */
export const WALLETS: Record<string, string> = {
  solana: '4Nd1mYQFk8xq6w1J9nRzJ4qgJd6vY2m3t9pS5rW8aBcD',
  ethereum: COMPLETE.ownerWalletAddress ?? '',
};

/** @param keys paths of the files. @param genesis of the Solana chain. */
export function workerSettings(
  evm: { url: string },
  sol: { url: string },
  genesis: string,
  keys: { evm: string; solana: string; seed: string },
): Record<'ethereum' | 'solana', Record<string, string>> {
  return {
    ethereum: {
      SIGNER_ETHEREUM_RPC_URL: evm.url,
      SIGNER_ETHEREUM_KEY_FILE: keys.evm,
      SIGNER_ETHEREUM_CHAIN_ID: '31337',
      SIGNER_ETHEREUM_CONFIRMATIONS: '1',
      SIGNER_ETHEREUM_EXPLORER_URL: 'https://explorer.test',
      SIGNER_ETHEREUM_DAILY_CAP: '100',
    },
    solana: {
      SIGNER_SOLANA_RPC_URL: sol.url,
      SIGNER_SOLANA_KEY_FILE: keys.solana,
      SIGNER_MINT_SEED_FILE: keys.seed,
      SIGNER_SOLANA_GENESIS: genesis,
      SIGNER_SOLANA_COMMITMENT: 'confirmed',
      SIGNER_SOLANA_EXPLORER_URL: 'https://explorer.test/?cluster=local',
      SIGNER_SOLANA_DAILY_CAP: '100',
    },
  };
}

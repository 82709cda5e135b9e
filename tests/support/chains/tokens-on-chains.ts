// Tokens on local chains: which exist, and their names.
import { expect } from 'vitest';
import type { TokenNetwork } from '#contract/networks.ts';
import type { Anvil, SurfnetChain } from './chains.ts';

const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';

interface Mint {
  supply: string;
  mintAuthority: string | null;
  extensions: { extension: string; state: { name?: string } }[];
}

export function tokensOnChains(evm: Anvil, sol: SurfnetChain) {
  /** Every ERC-20 token of the chain, found by its first transfer. */
  const evmTokens = async () => {
    const logs = await evm.rpc<{ address: string }[]>('eth_getLogs', {
      fromBlock: '0x0',
      topics: ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', `0x${'0'.repeat(64)}`],
    });
    return logs.map(({ address }) => address.toLowerCase()).toSorted();
  };
  /** Every mint of Token-2022. */
  const solanaTokens = async () => {
    const found = await sol.rpc<{ pubkey: string; account: { data: { parsed?: { type?: string } } } }[]>(
      'getProgramAccounts',
      TOKEN_2022,
      { encoding: 'jsonParsed' },
    );
    return found
      .filter(({ account }) => account.data.parsed?.type === 'mint')
      .map(({ pubkey }) => pubkey)
      .toSorted();
  };
  /** Data of a token on the chain: name and total supply. */
  const nameOn = async (network: TokenNetwork, address: string): Promise<string> => {
    if (network !== 'solana') {
      const answer = await evm.rpc<string>('eth_call', { to: address, data: '0x06fdde03' }, 'latest');
      const bytes = Buffer.from(answer.slice(2), 'hex');
      return bytes.subarray(64, 64 + bytes.readUInt8(63)).toString();
    }
    const { value } = await sol.rpc<{ value: { data: { parsed: { info: Mint } } } }>('getAccountInfo', address, {
      encoding: 'jsonParsed',
    });
    const { extensions, supply, mintAuthority } = value.data.parsed.info;
    expect([supply, mintAuthority]).toEqual(['1000000000000', null]);
    return extensions.find(({ extension }) => extension === 'tokenMetadata')?.state.name ?? '';
  };
  return {
    /** Addresses in order, so that lists can be compared. */
    tokensOf: (network: 'ethereum' | 'solana') => (network === 'solana' ? solanaTokens() : evmTokens()),
    nameOn,
  };
}

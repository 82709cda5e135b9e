// Wallets in the browser: detected and called only once somebody wants to sign. Loaded separately, never with a page.
import { EVM_CHAIN_IDS, NETWORKS, type Network } from '#contract/networks.ts';

/** A wallet that can sign. */
export interface BrowserWallet {
  id: string;
  name: string;
  /** The chain that it is connected to; null for an unsupported one. */
  network: () => Promise<Network | null>;
  /** Requests an address from its owner. @throws when the owner declines. */
  connect: () => Promise<string>;
  /** Requests a signature of a text. @returns '0x' and hexadecimal digits. @throws when the owner declines. */
  sign: (message: string, address: string) => Promise<string>;
}

/** Provider that EVM wallets inject into pages (EIP-1193). */
interface Eip1193 {
  request: (call: { method: string; params?: unknown[] }) => Promise<unknown>;
}
interface Announced extends Event {
  detail?: { info?: { uuid?: string; name?: string }; provider?: Eip1193 };
}

/** Time for wallets to announce themselves. Milliseconds. */
const ANNOUNCE_TIMEOUT_MS = 300;
const announced = () => new Promise((resolve) => setTimeout(resolve, ANNOUNCE_TIMEOUT_MS));

const hexOf = (bytes: Uint8Array): string =>
  `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
const utf8 = (text: string) => new TextEncoder().encode(text);

/** @param chainId as in EIP-155. @returns null for a network that is not ours. */
const evmNetworkOf = (chainId: number): Network | null =>
  NETWORKS.find((network) => network !== 'solana' && EVM_CHAIN_IDS[network] === chainId) ?? null;

/** A wallet of an EVM chain. */
function evmWallet(id: string, name: string, provider: Eip1193): BrowserWallet {
  return {
    id,
    name,
    async connect() {
      const accounts = await provider.request({ method: 'eth_requestAccounts' });
      const first = Array.isArray(accounts) ? accounts[0] : undefined;
      if (typeof first !== 'string') throw new Error('no account');
      return first;
    },
    async network() {
      const chain = await provider.request({ method: 'eth_chainId' });
      return evmNetworkOf(Number(chain));
    },
    async sign(message, address) {
      const signature = await provider.request({ method: 'personal_sign', params: [hexOf(utf8(message)), address] });
      if (typeof signature !== 'string') throw new Error('no signature');
      return signature;
    },
  };
}

/** Wallets that announce themselves (EIP-6963), else the injected one. */
async function evmWallets(): Promise<BrowserWallet[]> {
  const found = new Map<string, BrowserWallet>();
  const onAnnounced = (event: Event) => {
    const { info, provider } = (event as Announced).detail ?? {};
    if (info?.uuid && info.name && provider) found.set(info.uuid, evmWallet(info.uuid, info.name, provider));
  };
  window.addEventListener('eip6963:announceProvider', onAnnounced);
  window.dispatchEvent(new Event('eip6963:requestProvider'));
  await announced();
  window.removeEventListener('eip6963:announceProvider', onAnnounced);
  const { ethereum } = window as { ethereum?: Eip1193 };
  if (found.size === 0 && ethereum) found.set('page', evmWallet('page', 'Wallet', ethereum));
  return [...found.values()];
}

/** The used part of a wallet of the Wallet Standard. */
interface StandardWallet {
  name: string;
  features: {
    'standard:connect'?: { connect: () => Promise<{ accounts: readonly StandardAccount[] }> };
    'solana:signMessage'?: {
      signMessage: (input: {
        account: StandardAccount;
        message: Uint8Array;
      }) => Promise<readonly { signature: Uint8Array }[]>;
    };
  };
}
interface StandardAccount {
  address: string;
  chains: readonly string[];
}

/** Solana wallets that register themselves (Wallet Standard). */
async function solanaWallets(): Promise<BrowserWallet[]> {
  const found: StandardWallet[] = [];
  const api = {
    register: (...wallets: StandardWallet[]) => {
      found.push(...wallets);
      return () => {};
    },
  };
  const onAnnounced = (event: Event) => (event as CustomEvent<(to: typeof api) => void>).detail?.(api);
  window.addEventListener('wallet-standard:register-wallet', onAnnounced);
  window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }));
  await announced();
  window.removeEventListener('wallet-standard:register-wallet', onAnnounced);
  const standard = [...new Set(found)].flatMap((wallet, i) => {
    const { 'standard:connect': connecting, 'solana:signMessage': signing } = wallet.features;
    if (!connecting || !signing) return [];
    let account: StandardAccount | undefined;
    return {
      id: `${i}`,
      name: wallet.name,
      network: async () => 'solana' as const,
      async connect() {
        const { accounts } = await connecting.connect();
        account = accounts.find(({ chains }) => chains.some((chain) => chain.startsWith('solana:')));
        if (!account) throw new Error('no account');
        return account.address;
      },
      async sign(message: string) {
        if (!account) throw new Error('not connected');
        const [signed] = await signing.signMessage({ account, message: utf8(message) });
        if (!signed) throw new Error('no signature');
        return hexOf(signed.signature);
      },
    };
  });
  const { solana } = window as { solana?: PageSolana };
  return standard.length === 0 && solana ? [pageSolana(solana)] : standard;
}

/** Provider that Solana wallets inject when they do not register themselves. */
interface PageSolana {
  connect: () => Promise<{ publicKey: { toString(): string } }>;
  signMessage: (message: Uint8Array, display: 'utf8') => Promise<{ signature: Uint8Array }>;
}
const pageSolana = (provider: PageSolana): BrowserWallet => ({
  id: 'page-solana',
  name: 'Solana',
  network: async () => 'solana',
  connect: async () => (await provider.connect()).publicKey.toString(),
  sign: async (message) => hexOf((await provider.signMessage(utf8(message), 'utf8')).signature),
});

/** Wallets in this browser that can sign for a network. */
export const findWallets = (network: string): Promise<BrowserWallet[]> =>
  network === 'solana' ? solanaWallets() : evmWallets();

/** All wallets in this browser, of both families. */
export async function findAllWallets(): Promise<BrowserWallet[]> {
  const [evm, solana] = await Promise.all([evmWallets(), solanaWallets()]);
  const named = (family: string) => (wallet: BrowserWallet) => ({ ...wallet, id: `${family}:${wallet.id}` });
  return [...evm.map(named('evm')), ...solana.map(named('solana'))];
}

/**
 * Why a wallet did not sign. 'declined': its owner declined; 'pending': an earlier request waits for a response; 'network': it is
 * connected to an unsupported chain; 'failed': anything else.
 */
export class WalletFailure extends Error {
  override readonly name = 'WalletFailure';
  readonly why: 'declined' | 'pending' | 'network' | 'failed';
  constructor(why: WalletFailure['why'], cause?: unknown) {
    super(`the wallet did not sign: ${why}`, { cause });
    this.why = why;
  }
}

/** By EIP-1193 and JSON-RPC; Solana wallets use the same codes, or a message. */
function failureOf(error: unknown): WalletFailure {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (code === 4001 || /reject|declin|den(y|ied)|cancel/i.test(String(message)))
    return new WalletFailure('declined', error);
  return new WalletFailure(code === -32002 ? 'pending' : 'failed', error);
}
const withWalletFailure = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error) => Promise.reject(failureOf(error)));

/**
 * Lets a wallet sign the text that the server creates for it.
 * @param requestMessage requests that text from the server.
 * @throws WalletFailure, and what `requestMessage` throws.
 */
export async function signWith(
  wallet: BrowserWallet,
  requestMessage: (about: { network: Network; address: string }) => Promise<{ nonce: string; message: string }>,
): Promise<{ nonce: string; signature: string }> {
  const address = await withWalletFailure(wallet.connect());
  const network = await withWalletFailure(wallet.network());
  if (!network) throw new WalletFailure('network');
  const { nonce, message } = await requestMessage({ network, address });
  return { nonce, signature: await withWalletFailure(wallet.sign(message, address)) };
}

// Wallets with a real key of their own in a page, as extensions put them there.
import type { Page } from '@playwright/test';
import { evmWallet, solanaWallet, type TestWallet } from '#tests/support/chains/wallets.ts';

/** Scripts that this page loaded and that communicate with wallets, whatever the names of their files. */
export function walletScripts(page: Page): () => Promise<string[]> {
  const looked: Promise<string | null>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return;
    const text = response.text().catch(() => '');
    looked.push(text.then((code) => (code.includes('eip6963:requestProvider') ? response.url() : null)));
  });
  return async () => (await Promise.all(looked)).filter((url) => url !== null);
}

interface PlacedWallet extends TestWallet {
  /** Sets how the wallet of this page answers from now on. */
  set: (state: { declines?: boolean; chain?: number }) => Promise<void>;
}

async function place(page: Page, wallet: TestWallet, script: (address: string) => void): Promise<PlacedWallet> {
  await page.exposeFunction('signWithTestKey', (message: string) => wallet.sign(message));
  await page.addInitScript(script, wallet.address);
  const set: PlacedWallet['set'] = (state) =>
    page.evaluate((next) => void Object.assign((window as never as { testWallet: object }).testWallet, next), state);
  return { ...wallet, set };
}

/** One of Ethereum and the like that announces itself (EIP-6963). */
export const withEvmWallet = (page: Page): Promise<PlacedWallet> =>
  place(page, evmWallet(), (address) => {
    const state = { declines: false, chain: 1 };
    const there = Object.assign(window as never as Record<string, unknown>, { testWallet: state });
    const provider = {
      async request({ method, params }: { method: string; params?: string[] }) {
        // Wallets write addresses without their checksum.
        if (method === 'eth_requestAccounts') return [address.toLowerCase()];
        if (method === 'eth_chainId') return `0x${state.chain.toString(16)}`;
        if (method !== 'personal_sign') throw new Error(`no ${method}`);
        if (state.declines) throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
        const bytes = (params?.[0] ?? '').slice(2).match(/../g) ?? [];
        const text = new TextDecoder().decode(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)));
        return (there['signWithTestKey'] as (text: string) => Promise<string>)(text);
      },
    };
    window.addEventListener('eip6963:requestProvider', () => {
      const detail = { info: { uuid: 'test', name: 'Cartera de prueba' }, provider };
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
    });
  });

/** One of Solana that registers itself (Wallet Standard). */
export const withSolanaWallet = (page: Page): Promise<PlacedWallet> =>
  place(page, solanaWallet(), (address) => {
    const state = { declines: false };
    const there = Object.assign(window as never as Record<string, unknown>, { testWallet: state });
    const account = { address, chains: ['solana:mainnet'] };
    const wallet = {
      name: 'Sol de prueba',
      features: {
        'standard:connect': { connect: async () => ({ accounts: [account] }) },
        'solana:signMessage': {
          async signMessage({ message }: { message: Uint8Array }) {
            if (state.declines) throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
            const sign = there['signWithTestKey'] as (text: string) => Promise<string>;
            const bytes = (await sign(new TextDecoder().decode(message))).slice(2).match(/../g) ?? [];
            return [{ signature: Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)) }];
          },
        },
      },
    };
    window.addEventListener('wallet-standard:app-ready', (event) => {
      (event as CustomEvent<{ register: (one: unknown) => void }>).detail.register(wallet);
    });
  });

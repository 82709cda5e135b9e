// Real local chains for tests: anvil (EVM) and Surfnet (Solana), from packages that exist for some platforms only. Where one
// is missing, tests that need it are skipped with the reason:
//   describe.skipIf(!anvil.available)(`Tokens on EVM chains${anvil.note}`, …)
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';

const require = createRequire(import.meta.url);
const ANVIL_PACKAGE = '@foundry-rs/anvil-linux-amd64';
const SURFNET_PACKAGE = '@solana/surfpool-linux-x64-gnu';

/** Shows whether a local chain can run on this machine. */
export interface Availability {
  available: boolean;
  /** Suffix of a test's title: empty, or the reason why it is skipped. */
  note: string;
}

/** Keys of the accounts that anvil gives 10,000 coins; worthless anywhere else, as everybody knows them. */
export const ANVIL_KEYS = [
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
] as const;
/** Addresses of {@link ANVIL_KEYS}. */
export const ANVIL_ACCOUNTS = [
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
] as const;

export const anvil: Availability = availability(anvilBinary() !== undefined, ANVIL_PACKAGE);
export const surfnet: Availability = availability(surfnetLibrary() !== undefined, SURFNET_PACKAGE);

function availability(available: boolean, wanted: string): Availability {
  return { available, note: available ? '' : ` [skipped: ${wanted} is not installed on this platform]` };
}

/** The binary itself: one process to end, and faster than the package's launcher. */
function anvilBinary(): string | undefined {
  try {
    const binary = path.join(path.dirname(require.resolve(`${ANVIL_PACKAGE}/package.json`)), 'bin', 'anvil');
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}

// Chains end with the test process, whatever ends it in an orderly way.
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** When blocks are made: for each transaction, at an interval in seconds, or only by `mine`. */
export type Mining = 'at once' | 'by hand' | { seconds: number };

/**
 * A local EVM chain on a free port of loopback, with the deterministic deployment proxy and {@link ANVIL_KEYS}.
 *
 * @param options.args more of anvil's arguments, e.g. `--disable-default-create2-deployer`.
 */
export async function startAnvil(options: { chainId?: number; mining?: Mining; args?: readonly string[] } = {}) {
  const binary = anvilBinary();
  if (!binary) throw new Error(`${ANVIL_PACKAGE} is not installed`);
  const mining = options.mining ?? 'at once';
  const child = spawn(
    binary,
    [
      ...['--host', '127.0.0.1', '--port', '0', '--chain-id', String(options.chainId ?? 31337)],
      ...(mining === 'by hand' ? ['--no-mining'] : []),
      ...(typeof mining === 'object' ? ['--block-time', String(mining.seconds)] : []),
      ...(options.args ?? []),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  running.add(child);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  void ended.then(() => running.delete(child));
  const url = await new Promise<string>((resolve, reject) => {
    const output: string[] = [];
    child.once('error', reject);
    // Read to the end: a full pipe would stop the chain.
    child.stderr.on('data', (text) => output.push(String(text)));
    createInterface(child.stdout).on('line', (line) => {
      const at = /^Listening on (127\.0\.0\.1:\d+)/.exec(line);
      if (at) resolve(`http://${at[1]}`);
    });
    void ended.then(() => reject(new Error(`anvil ended while it started: ${output.join('')}`)));
  });

  /** Calls the chain directly. @throws the chain's error. */
  async function rpc<T = unknown>(method: string, ...params: unknown[]): Promise<T> {
    return callNode<T>(url, method, params);
  }

  return {
    url,
    rpc,
    mine: (blocks = 1) => rpc('anvil_mine', `0x${blocks.toString(16)}`),
    /** Removes a pending transaction from the pool, as nodes do without notice. */
    drop: (hash: string) => rpc('anvil_dropTransaction', hash),
    /** @param wei balance of the address from now on. */
    setBalance: (address: string, wei: bigint) => rpc('anvil_setBalance', address, `0x${wei.toString(16)}`),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
export type Anvil = Awaited<ReturnType<typeof startAnvil>>;

/** What the package's library exports, as far as tests use it; it brings no types. */
interface SurfnetHandle {
  rpcUrl: string;
  wsUrl: string;
  /** Address of an account with 10 SOL. */
  payer: string;
  /** 64 bytes: secret and public key of the payer. */
  payerSecretKey: ArrayLike<number>;
  fundSol(address: string, lamports: number): void;
  /** Removes and returns the events since the last call. */
  drainEvents(): unknown[];
  stop(): void;
}
interface SurfnetLibrary {
  Surfnet: { startWithConfig(config: object): SurfnetHandle };
}

function surfnetLibrary(): SurfnetLibrary | undefined {
  try {
    return require(SURFNET_PACKAGE) as SurfnetLibrary;
  } catch {
    return undefined;
  }
}

/**
 * A local Solana chain inside this process, offline. It executes each transaction immediately; delays are added by
 * rpc-proxy.ts. All chains of a process have the same genesis.
 * @param options.mode 'clock' makes a block each slot: a blockhash expires after 150, and a transaction is final after
 *   32; 'transaction' makes one only for a transaction, so neither happens.
 */
export function startSurfnet(options: { mode?: 'transaction' | 'clock'; slotTimeMs?: number } = {}) {
  const library = surfnetLibrary();
  if (!library) throw new Error(`${SURFNET_PACKAGE} is not installed`);
  const net = library.Surfnet.startWithConfig({
    offline: true,
    blockProductionMode: options.mode ?? 'transaction',
    ...(options.slotTimeMs ? { slotTimeMs: options.slotTimeMs } : {}),
  });
  const { rpcUrl: url, payer } = net;
  // Its buffer holds a thousand events, one for each block, and it stops when they are not read.
  const drain = setInterval(() => net.drainEvents(), 250).unref();
  return {
    url,
    payer,
    payerSecretKey: Uint8Array.from(net.payerSecretKey),
    rpc: <T = unknown>(method: string, ...params: unknown[]): Promise<T> => callNode<T>(url, method, params),
    /** @param lamports what the address holds from now on. */
    fund: (address: string, lamports: number) => net.fundSol(address, lamports),
    stop: () => {
      clearInterval(drain);
      net.stop();
    },
  };
}
export type SurfnetChain = ReturnType<typeof startSurfnet>;

async function callNode<T>(url: string, method: string, params: readonly unknown[]): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const answer = (await response.json()) as { result?: T; error?: { message: string } };
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result as T;
}

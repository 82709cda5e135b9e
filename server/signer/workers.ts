import { createHash } from 'node:crypto';
import pg from 'pg';
import { chainIdOf, type TokenNetwork } from '#contract/networks.ts';
import { SERVER_KEEPALIVE } from '#server/db/advisory-lock.ts';
import { tryAdvisoryLock } from '#server/db/server.sql.ts';
import { CREATIONS_CHANNEL } from '#server/domains/token-creation/creations.service.ts';
import type { TokenCreator } from '#server/domains/token-creation/token-creator.service.ts';
import { evmChain } from '#server/providers/chains/evm.ts';
import type { KeyService } from '#server/providers/chains/keys/kms.ts';
import { type Chain, ChainError, type Probe } from '#server/providers/chains/port.ts';
import { SOLANA_MAINNET, solanaChain } from '#server/providers/chains/solana.ts';
import type { KeySettings, WorkerSettings } from './env.ts';

const EXPLORERS: Record<TokenNetwork, string> = {
  solana: 'https://explorer.solana.com',
  ethereum: 'https://etherscan.io',
  binance: 'https://bscscan.com',
  polygon: 'https://polygonscan.com',
};

/**
 * Opens the chain of one network. A key in the key service is checked: one with another address is refused; a service
 * that does not answer is checked again with each heartbeat, and nothing is signed before.
 *
 * @param kms the key service; null if none is configured.
 * @param warn receives the error when it does not answer.
 * @throws RangeError for an invalid key, address or number; its message contains no key.
 */
export async function openChain(
  worker: WorkerSettings,
  kms: KeyService | null,
  warn: (why: ChainError) => void,
): Promise<Chain> {
  const { RPC_URL: rpcUrl } = worker;
  if (worker.network === 'solana') {
    const key = await openKey(worker.key, kms?.solana, warn);
    const genesis = worker.GENESIS ?? SOLANA_MAINNET;
    const explorer = explorerOf(worker, genesis === SOLANA_MAINNET);
    return solanaChain({ rpcUrl, key, mintSeed: worker.mintSeed, genesis, commitment: worker.COMMITMENT, explorer });
  }
  const key = await openKey(worker.key, kms?.evm, warn);
  const { network, CONFIRMATIONS: confirmations, MAX_FEE_GWEI: gwei } = worker;
  const maxFee = gwei === undefined ? undefined : BigInt(Math.round(gwei * 1e9));
  const chainId = worker.CHAIN_ID ?? chainIdOf(network);
  const explorer = explorerOf(worker, chainId === chainIdOf(network));
  return evmChain({ network, chainId, rpcUrl, key, confirmations, maxFee, explorer });
}

/** The key in the form that the chain's adapter takes. @throws RangeError for a key other than the configured one. */
async function openKey<K extends { check(): Promise<void> }>(
  settings: KeySettings,
  open: ((keyId: string, address: string) => K) | undefined,
  warn: (why: ChainError) => void,
): Promise<K | string> {
  if (typeof settings === 'string') return settings;
  if (!open) throw new RangeError('the key is in a key service, but none is configured');
  const key = open(settings.kmsKeyId, settings.address);
  await key.check().catch((error: unknown) => {
    if (!(error instanceof ChainError)) throw error;
    if (error.problem === 'wrong_key') throw new RangeError(error.message);
    warn(error);
  });
  return key;
}

/** URL templates of the explorer; the default one knows the production chain only. A query string stays at the end. */
function explorerOf({ network, EXPLORER_URL }: WorkerSettings, production: boolean) {
  const begin = EXPLORER_URL ?? (production ? EXPLORERS[network] : undefined);
  if (!begin) return undefined;
  const { origin, pathname, search } = new URL(begin);
  const page = (kind: string) => `${origin}${pathname.replace(/\/$/, '')}/${kind}${search}`;
  return { address: page('address/{address}'), transaction: page('tx/{transaction}') };
}

/** Milliseconds between two heartbeats; without one for a minute the site reports the signer as silent. */
const HEARTBEAT_MS = 15_000;
/** Delay between two attempts to become the worker of a network, and after a failure. Milliseconds. */
const STANDBY_MS = 3_000;
const RETRY_MS = 2_000;
/** Time limit of each query on the connection that holds the lock. Milliseconds. */
const ANSWER_TIMEOUT_MS = 5_000;

interface WorkerOptions {
  creator: TokenCreator;
  network: TokenNetwork;
  /** For a separate connection, which holds the worker's lock. */
  config: pg.ClientConfig;
  /** While it resolves to true nothing is done, not even the heartbeat. */
  paused: () => Promise<boolean>;
  /** Milliseconds between two heartbeats, each of which also verifies the lock; 15,000 by default. */
  beat?: number;
  log: {
    info: (about: Record<string, unknown>, message: string) => void;
    warn: (about: Record<string, unknown>, message: string) => void;
  };
}

/** Works on one network until stopped. Only the process that holds the lock of the chain and key works. */
export function runWorker({ creator, network, config, paused, log, beat = HEARTBEAT_MS }: WorkerOptions): {
  stop(): Promise<void>;
} {
  let stopped = false;
  let wake = () => {};
  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (stopped) wake();
    });
  const lock = new WorkerLock(config, () => wake());

  /** One iteration. @returns milliseconds until the next one. */
  async function round(state: { probe: Probe | null; beat: number; paused: boolean }): Promise<number> {
    const isPaused = await paused();
    if (isPaused !== state.paused) log.info({ network }, isPaused ? 'paused with its installation' : 'not paused');
    state.paused = isPaused;
    if (isPaused) return STANDBY_MS;
    // By a clock that nobody sets: with one that was put back the lock would not be verified until it has caught up.
    const due = performance.now() - state.beat >= beat;
    if (lock.held && due) await lock.verify();
    // The chain id and the key's address are read from the chain.
    const report = async (role: 'at work' | 'standby') => {
      state.probe = (await creator.heartbeat(role)) ?? state.probe;
      state.beat = performance.now();
    };
    if (!state.probe || (lock.held && due)) await report(lock.held ? 'at work' : 'standby');
    if (!state.probe) return STANDBY_MS;
    if (!lock.held) {
      const { chainId, deployer } = state.probe;
      if (!(await lock.take(`${chainId} ${deployer}`))) return STANDBY_MS;
      await report('at work');
      log.info({ network, chain: chainId, deployer }, 'at work');
    }
    const wait = await creator.work(() => stopped || !lock.held);
    // One reading per heartbeat: orders have priority.
    if (due && lock.held && !stopped) await creator.readAgain(state.probe.chainId);
    return Math.max(Math.min(wait ?? beat, state.beat + beat - performance.now()), 0);
  }

  const ended = (async () => {
    const state = { probe: null, beat: Number.NEGATIVE_INFINITY, paused: false };
    while (!stopped) {
      let wait = RETRY_MS;
      try {
        wait = await round(state);
      } catch (error) {
        log.warn({ err: error, network }, 'worker');
      }
      if (!stopped && wait > 0) await sleep(wait);
    }
    await lock.release();
  })();

  return {
    async stop() {
      stopped = true;
      wake();
      await ended;
    },
  };
}

/** A lock of the database that ends with its connection, and therefore with the process, however it ends. */
class WorkerLock {
  readonly #config: pg.ClientConfig;
  readonly #onNews: () => void;
  #client: pg.Client | undefined;

  constructor(config: pg.ClientConfig, onNews: () => void) {
    this.#config = config;
    this.#onNews = onNews;
  }

  get held(): boolean {
    return this.#client !== undefined;
  }

  /**
   * Checks the lock's own connection. Without an answer within five seconds the lock counts as lost: the server has
   * released it or will, and another process may do the work.
   */
  async verify(): Promise<void> {
    const client = this.#client;
    if (!client) return;
    try {
      await client.query('select 1');
    } catch {
      if (this.#client === client) this.#client = undefined;
      // Destroyed instead of closed, because the server does not answer.
      client.connection.stream.destroy();
    }
  }

  /**
   * Acquires the lock if it is free, and listens for new orders from then on. Returns false if another process has it.
   */
  async take(name: string): Promise<boolean> {
    // The prefix is that of the first version, so that two versions running at once use the same lock.
    const key = createHash('sha256').update(['token lane', name].join(' ')).digest().readBigInt64BE();
    const client = new pg.Client({
      ...this.#config,
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      application_name: 'florka signer',
    });
    const lose = () => {
      if (this.#client === client) this.#client = undefined;
    };
    client.on('error', lose);
    client.on('end', lose);
    client.on('notification', () => this.#onNews());
    await client.connect();
    try {
      await client.query(SERVER_KEEPALIVE);
      const [lock] = await tryAdvisoryLock(client, { key: String(key) });
      if (!lock?.taken) {
        await client.end();
        return false;
      }
      await client.query(`listen ${CREATIONS_CHANNEL}`);
    } catch (error) {
      // The server may have granted the lock without its answer arriving in time: it must not stay with a connection that nobody uses.
      client.connection.stream.destroy();
      throw error;
    }
    this.#client = client;
    return true;
  }

  async release(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => {});
  }
}

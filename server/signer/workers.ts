import { createHash } from 'node:crypto';
import pg from 'pg';
import { SERVER_KEEPALIVE } from '#server/db/advisory-lock.ts';
import { tryAdvisoryLock } from '#server/db/server.sql.ts';
import { CREATIONS_CHANNEL } from '#server/domains/token-creation/creations.service.ts';
import type { TokenCreator } from '#server/domains/token-creation/token-creator.service.ts';
import { evmChain } from '#server/providers/chains/evm.ts';
import type { KeyService } from '#server/providers/chains/keys/kms.ts';
import { type Chain, ChainError, type ChainNetwork, type Probe } from '#server/providers/chains/port.ts';
import { SOLANA_MAINNET, solanaChain } from '#server/providers/chains/solana.ts';
import type { KeySettings, WorkerSettings } from './env.ts';

const CHAIN_IDS = { ethereum: 1, binance: 56, polygon: 137 };
const EXPLORERS: Record<ChainNetwork, string> = {
  solana: 'https://explorer.solana.com',
  ethereum: 'https://etherscan.io',
  binance: 'https://bscscan.com',
  polygon: 'https://polygonscan.com',
};

/**
 * The chain of one network as configured. A key in the key service is looked at: one that has another address is refused; a service that does
 * not answer is asked again with each sign of life, and nothing is signed before.
 *
 * @param kms the key service; null without one.
 * @param warn hears that it does not answer, with the network.
 * @throws RangeError about a key, an address or a number that can't be; it quotes no key.
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
  const chainId = worker.CHAIN_ID ?? CHAIN_IDS[network];
  const explorer = explorerOf(worker, chainId === CHAIN_IDS[network]);
  return evmChain({ network, chainId, rpcUrl, key, confirmations, maxFee, explorer });
}

/** A key as an adapter takes it. @throws RangeError for one that is not the configured one. */
async function openKey<K extends { check(): Promise<void> }>(
  settings: KeySettings,
  open: ((keyId: string, address: string) => K) | undefined,
  warn: (why: ChainError) => void,
): Promise<K | string> {
  if (typeof settings === 'string') return settings;
  if (!open) throw new RangeError('The key is in a key service, and none is configured');
  const key = open(settings.kmsKeyId, settings.address);
  await key.check().catch((error: unknown) => {
    if (!(error instanceof ChainError)) throw error;
    if (error.problem === 'wrong_key') throw new RangeError(error.message);
    warn(error);
  });
  return key;
}

/** The explorer's pages: the usual one knows the production chain only. What stands behind '?' stays at the end. */
function explorerOf({ network, EXPLORER_URL }: WorkerSettings, production: boolean) {
  const begin = EXPLORER_URL ?? (production ? EXPLORERS[network] : undefined);
  if (!begin) return undefined;
  const { origin, pathname, search } = new URL(begin);
  const page = (kind: string) => `${origin}${pathname.replace(/\/$/, '')}/${kind}${search}`;
  return { address: page('address/{address}'), transaction: page('tx/{transaction}') };
}

/** Milliseconds between two words to the web; without one for a minute it counts the signer as gone. */
const HEARTBEAT_MS = 15_000;
/** Between two attempts to become the worker of a network, and after the database failed. */
const STANDBY_MS = 3_000;
const RETRY_MS = 2_000;
/** For each answer on the connection that holds the lock. Milliseconds. */
const ANSWER_TIMEOUT_MS = 5_000;

interface WorkerOptions {
  creator: TokenCreator;
  network: ChainNetwork;
  /** For a connection of its own, which holds the worker's lock. */
  config: pg.ClientConfig;
  /** While it answers true nothing is done, not even the sign of life. */
  paused: () => Promise<boolean>;
  /** Milliseconds between two signs of life, each of which also asks whether the lock is still there; 15,000 left out. */
  beat?: number;
  log: {
    info: (about: Record<string, unknown>, message: string) => void;
    warn: (about: Record<string, unknown>, message: string) => void;
  };
}

/** Works on one network until stopped: of all processes the one that holds the lock of chain and key. */
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

  /** One round. @returns milliseconds until the next. */
  async function round(state: { probe: Probe | null; beat: number; paused: boolean }): Promise<number> {
    const isPaused = await paused();
    if (isPaused !== state.paused) log.info({ network }, isPaused ? 'paused with its installation' : 'not paused');
    state.paused = isPaused;
    if (isPaused) return STANDBY_MS;
    const due = Date.now() - state.beat >= beat;
    if (lock.held && due) await lock.verify();
    // Which network it works for, only the chain can say.
    if (!state.probe || (lock.held && due)) {
      state.probe = (await creator.heartbeat()) ?? state.probe;
      state.beat = Date.now();
    }
    if (!state.probe) return STANDBY_MS;
    if (!lock.held) {
      if (!(await lock.take(`${state.probe.chainId} ${state.probe.deployer}`))) return STANDBY_MS;
      log.info({ network, chain: state.probe.chainId, deployer: state.probe.deployer }, 'at work');
    }
    const wait = await creator.work(() => stopped || !lock.held);
    // One with each sign of life: what is ordered comes first.
    if (due && lock.held && !stopped) await creator.readAgain(state.probe.chainId);
    return Math.max(Math.min(wait ?? beat, state.beat + beat - Date.now()), 0);
  }

  const ended = (async () => {
    const state = { probe: null, beat: 0, paused: false };
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

/** A lock of the database that ends with its connection, and so with the process, whatever ends that. */
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
   * Asks the database through the lock's own connection. Without an answer within five seconds the lock counts as lost:
   * behind a dead network the server has freed it, or will, and another process may work on the worker.
   */
  async verify(): Promise<void> {
    const client = this.#client;
    if (!client) return;
    try {
      await client.query('select 1');
    } catch {
      if (this.#client === client) this.#client = undefined;
      // Nothing is said to a server that does not answer.
      client.connection.stream.destroy();
    }
  }

  /** Takes the lock if nobody has it, and hears of new orders from then on. */
  async take(name: string): Promise<boolean> {
    // The word is that of the first version: two versions at once take the same lock.
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
    await client.query(SERVER_KEEPALIVE);
    const [lock] = await tryAdvisoryLock(client, { key: String(key) });
    if (!lock?.taken) {
      await client.end();
      return false;
    }
    await client.query(`listen ${CREATIONS_CHANNEL}`);
    this.#client = client;
    return true;
  }

  async release(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => {});
  }
}

// A chain in memory for tests of the token creator, with its state and every failure that a test needs. It detects
// signatures while an earlier signed transaction may still take effect.
import { createHash } from 'node:crypto';
import {
  type Attempt,
  type Chain,
  type ChainDifference,
  ChainError,
  type ChainProblem,
  type Observation,
} from '#server/providers/chains/port.ts';

interface Transaction {
  hash: string;
  address: string;
  nonce: bigint | null;
  validUntil: bigint | null;
  state: 'signed' | 'waiting' | 'landed' | 'failed';
  landedAt: bigint | null;
}

export type Call = 'probe' | 'prepare' | 'observe' | 'sign' | 'send' | 'read' | 'recheck';

let chains = 0;

/** With nonces that never expire, as on EVM chains, or with transactions that expire, as on Solana. */
type ChainKind = 'nonces' | 'expiry';

/** State of the chain, and the failures that a test needs. */
function createWorld(kind: ChainKind) {
  const all = new Map<string, Transaction>();
  /** By address: the transaction that created the token. */
  const tokens = new Map<string, string>();
  const world = {
    height: 100n,
    nonce: 0n,
    production: false,
    enoughFor: 100,
    /** Required confirmations of a token. */
    confirmations: 2n,
    /** Pending transactions are executed with the next block. */
    mining: true,
    /** Failure of a call before or after its effect. */
    trouble: (_call: Call): ChainProblem | 'after' | null => null,
    refuses: null as string | null,
    stuck: false,
    /** Properties in which each token differs from its creation. */
    differs: null as ChainDifference | null,
    /** Transactions sent while another one of the same token could still take effect: must stay empty. */
    blind: [] as string[],
    calls: [] as Call[],
    reads: [] as string[],
    signed: [] as string[],
    tokens,
    all,
    block(count = 1) {
      for (let i = 0; i < count; i++) {
        world.height++;
        if (world.mining) land();
      }
    },
    /** Nodes drop pending transactions; their bytes remain valid. */
    drop() {
      for (const one of all.values()) if (one.state === 'waiting') one.state = 'signed';
    },
  };

  function land() {
    const waiting = [...all.values()].filter(({ state }) => state === 'waiting');
    if (kind === 'nonces') {
      for (;;) {
        const next = waiting.find((one) => one.nonce === world.nonce && one.state === 'waiting');
        if (!next) return;
        world.nonce++;
        execute(next);
      }
    }
    for (const one of waiting) if (canLand(one)) execute(one);
  }
  function execute(one: Transaction) {
    one.landedAt = world.height;
    one.state = tokens.has(one.address) ? 'failed' : 'landed';
    if (one.state === 'landed') tokens.set(one.address, one.hash);
  }
  const canLand = (one: Transaction): boolean => {
    if (one.state === 'landed' || one.state === 'failed') return false;
    if (one.nonce !== null) return one.nonce >= world.nonce;
    return world.height <= (one.validUntil ?? 0n);
  };

  return { world, canLand };
}

const hash = (text: string) => `0x${createHash('sha256').update(text).digest('hex')}`;

export function fakeChain(kind: ChainKind, network: Chain['network'] = 'ethereum') {
  const { world, canLand } = createWorld(kind);
  const { all, tokens } = world;
  const sent = new Set<Transaction>();
  let serial = 0;
  const chainId = `${kind}-${++chains}`;

  async function call<T>(name: Call, work: () => T): Promise<T> {
    world.calls.push(name);
    const failure = world.trouble(name);
    if (failure && failure !== 'after') throw new ChainError(failure, `trouble: ${failure}`);
    const result = work();
    if (failure) throw new ChainError('unreachable', 'the answer got lost');
    return result;
  }
  const chain: Chain = {
    network,
    probe: () =>
      call('probe', () => ({
        chainId,
        production: world.production,
        deployer: `deployer-of-${network}`,
        balance: String(world.enoughFor),
        coin: 'COIN',
        cost: '1',
        enoughFor: world.enoughFor,
      })),
    prepare: (order) => call('prepare', () => ({ address: hash(`${order.requestId} ${order.symbol} ${order.owner}`) })),
    observe: (plan, attempts): Promise<Observation> =>
      call('observe', () => {
        const made = tokens.get(plan.address);
        if (made) {
          const { landedAt } = all.get(made) as Transaction;
          return {
            kind: 'created',
            transaction: attempts.some((one) => one.transaction === made) ? made : null,
            settled: world.height >= (landedAt ?? 0n) + world.confirmations,
          };
        }
        const mine = attempts.map(({ transaction }) => all.get(transaction) as Transaction);
        if (world.refuses) return { kind: 'refused', transaction: mine.at(-1)?.hash ?? null, reason: world.refuses };
        const alive = mine.findLast(canLand);
        if (alive) return { kind: 'pending', transaction: alive.hash, stuck: world.stuck && alive.nonce !== null };
        return { kind: 'open' };
      }),
    sign: (plan, _order, { nonceFrom, replaces }) =>
      call('sign', () => {
        const nonce =
          kind === 'expiry' ? null : (replaces?.nonce ?? (world.nonce > nonceFrom ? world.nonce : nonceFrom));
        const transaction = hash(`${plan.address} ${++serial}`);
        const validUntil = kind === 'expiry' ? world.height + 10n : null;
        all.set(transaction, {
          hash: transaction,
          address: plan.address,
          nonce,
          validUntil,
          state: 'signed',
          landedAt: null,
        });
        world.signed.push(transaction);
        return { transaction, signed: Buffer.from(transaction), nonce, validUntil };
      }),
    send: (attempt: Attempt) =>
      call('send', () => {
        const one = all.get(attempt.transaction);
        if (!one || Buffer.from(attempt.signed).toString() !== one.hash) throw new Error('bytes that nobody signed');
        const others = [...all.values()].filter((other) => other !== one && other.address === one.address);
        if (
          others.some((other) => sent.has(other) && canLand(other) && (one.nonce === null || other.nonce !== one.nonce))
        )
          world.blind.push(one.address);
        sent.add(one);
        if (one.state === 'signed' && canLand(one)) one.state = 'waiting';
      }),
    read: (plan, order, transaction) =>
      call('read', () => {
        const made = tokens.get(plan.address);
        if (!made) throw new ChainError('unreachable', 'no token');
        world.reads.push(plan.address);
        return {
          name: order.name,
          symbol: order.symbol,
          decimals: 18,
          supply: String(order.supply),
          ownerReceived: String(order.supply),
          mintAuthority: null,
          freezeAuthority: null,
          metadataLocked: true,
          transaction: transaction ?? made,
          block: String(all.get(made)?.landedAt),
          at: null,
        };
      }),
    recheck: (_plan, order) =>
      call('recheck', () => {
        if (world.differs) throw new ChainError('mismatch', `another ${world.differs}`, { differs: world.differs });
        return { supply: String(order.supply * 10n ** 18n), block: String(world.height) };
      }),
    pageOf: (what) =>
      'address' in what ? `https://explorer.test/a/${what.address}` : `https://explorer.test/t/${what.transaction}`,
  };
  return { chain, world };
}
export type FakeChain = ReturnType<typeof fakeChain>;

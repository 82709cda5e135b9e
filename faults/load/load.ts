import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultEnvironment } from '../rig/fault-run.ts';
import { Journal, type Kind } from './journal.ts';
import { createOperations } from './operations.ts';

/** Operations of each kind in a hundred. */
const MIX: Record<Kind, number> = {
  vote: 36,
  unvote: 4,
  ban: 2,
  read: 22,
  comment: 10,
  post: 8,
  draft: 6,
  upload: 4,
  payment: 4,
  // Only for faults that need it.
  unpaid: 0,
  admin: 4,
};
/** Number of concurrent users, and delay of each between two operations. */
const PEOPLE = 8;
const DELAY_MS = 40;
/** Delay after a failed operation. */
const DELAY_FAILED_MS = 200;

const ROUND = (Object.keys(MIX) as Kind[]).flatMap((kind) => Array.from({ length: MIX[kind] }, () => kind));

/** A mix of all actions of users, on each site of an environment alternately, until it is stopped. */
export class Load {
  readonly journal = new Journal();
  readonly #environment: FaultEnvironment;
  readonly #operations: ReturnType<typeof createOperations>;
  #people: Promise<void>[] = [];
  #running = false;
  #iteration = 0;

  constructor(environment: FaultEnvironment) {
    this.#environment = environment;
    this.#operations = createOperations(environment, this.journal);
  }

  start(): void {
    this.#running = true;
    this.#people = Array.from({ length: PEOPLE }, () => this.#runOperations());
  }

  /** Waits for operations in progress. */
  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#people);
  }

  /** Runs one operation on one site. @returns true when it was acknowledged. */
  one(kind: Kind, origin: string): Promise<boolean> {
    return this.#operations[kind](origin);
  }

  async #runOperations(): Promise<void> {
    while (this.#running) {
      // 37 and 100 are coprime: every kind comes soon, in the same order in each run.
      const kind = ROUND[(this.#iteration++ * 37) % ROUND.length] as Kind;
      const site = this.#environment.sites[this.#iteration % this.#environment.sites.length];
      const done = site ? await this.one(kind, site.origin) : false;
      await sleep(done ? DELAY_MS : DELAY_FAILED_MS);
    }
  }
}

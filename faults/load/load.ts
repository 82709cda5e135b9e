import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultEnvironment } from '../rig/stage.ts';
import { Journal, type Kind } from './journal.ts';
import { createOperations } from './operations.ts';

/** Of a hundred operations. */
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
  // Only where a fault wants it.
  unpaid: 0,
  admin: 4,
};
/** Number of concurrent users, and delay of each between two operations. */
const PEOPLE = 8;
const DELAY_MS = 40;
/** Delay after a failed operation. */
const DELAY_FAILED_MS = 200;

const ROUND = (Object.keys(MIX) as Kind[]).flatMap((kind) => Array.from({ length: MIX[kind] }, () => kind));

/** A mix of everything that people do, on all sites of a scene in turn, until it is stopped. */
export class Load {
  readonly journal = new Journal();
  readonly #scene: FaultEnvironment;
  readonly #operations: ReturnType<typeof createOperations>;
  #people: Promise<void>[] = [];
  #running = false;
  #iteration = 0;

  constructor(scene: FaultEnvironment) {
    this.#scene = scene;
    this.#operations = createOperations(scene, this.journal);
  }

  start(): void {
    this.#running = true;
    this.#people = Array.from({ length: PEOPLE }, () => this.#runOperations());
  }

  /** Waits for what is under way. */
  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#people);
  }

  /** One operation on one site; whether it was acknowledged. */
  one(kind: Kind, origin: string): Promise<boolean> {
    return this.#operations[kind](origin);
  }

  async #runOperations(): Promise<void> {
    while (this.#running) {
      // 37 has no factor in common with 100: every kind comes soon, and the same in each run.
      const kind = ROUND[(this.#iteration++ * 37) % ROUND.length] as Kind;
      const site = this.#scene.sites[this.#iteration % this.#scene.sites.length];
      const done = site ? await this.one(kind, site.origin) : false;
      await sleep(done ? DELAY_MS : DELAY_FAILED_MS);
    }
  }
}

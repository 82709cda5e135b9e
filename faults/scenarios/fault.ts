import type { Load } from '../load/load.ts';
import type { FaultEnvironment, FaultRun } from '../rig/fault-run.ts';

/** Context of a fault; `over` is called when its cause ends. */
export interface FaultContext {
  faultRun: FaultRun;
  environment: FaultEnvironment;
  load: Load;
  /** Counted from 0. */
  attempt: number;
  over: () => void;
}

/** A fault that happens to running sites under load. */
export interface Fault {
  /** Name for --only. */
  name: string;
  title: string;
  /** Number of sites that share the database. */
  sites: number;
  /** Number of repetitions in the whole run, and in the short one (0: not included). */
  repetitions: number;
  short: number;
  /** Paid orders may wait for a manual review, because the provider reported something impossible. */
  allowsManualReview?: boolean;
  /** The reason why it cannot be injected on this machine; null when it can. */
  impossible?: () => Promise<string | null>;
  /** A database of its own instead of a copy, when the fault needs one. */
  prepare?: (faultRun: FaultRun) => Promise<FaultEnvironment>;
  /** Injects the fault and ends it. Restarts the sites that it killed, as a supervisor would. */
  inject: (context: FaultContext) => Promise<void>;
  /** Removes its preparations. */
  clean?: () => Promise<void>;
}

/** The report of a fault with its own checks. */
export interface Report {
  acknowledged: number;
  lost: string[];
  doubled: string[];
  wrong: string[];
  recovery: number[];
  seen: string;
}

/** A fault with sites and checks of its own, such as two first starts. */
export interface StandaloneFault {
  name: string;
  title: string;
  repetitions: number;
  short: number;
  run: (faultRun: FaultRun, repetitions: number) => Promise<Report>;
}

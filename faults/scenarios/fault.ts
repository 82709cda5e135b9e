import type { Load } from '../load/load.ts';
import type { FaultEnvironment, Stage } from '../rig/stage.ts';

/** What a fault has to work with; `over` is called at the moment when its cause ends. */
export interface FaultContext {
  stage: Stage;
  scene: FaultEnvironment;
  load: Load;
  /** Counted from 0. */
  attempt: number;
  over: () => void;
}

/** A fault that happens to running sites under load. */
export interface Fault {
  /** For --only. */
  name: string;
  title: string;
  /** Sites on the one database. */
  sites: number;
  /** How often it happens in the whole run, and in the short one (0: not in it). */
  repetitions: number;
  short: number;
  /** Paid orders may end with a person who looks, for the provider told what can't be. */
  allowsManualReview?: boolean;
  /** Why it can't be made on this machine, if so. */
  impossible?: () => Promise<string | null>;
  /** A database of its own instead of the stage's, when the fault needs one. */
  prepare?: (stage: Stage) => Promise<FaultEnvironment>;
  /** Makes the fault and ends it. Sites that it killed are started again by it, as a supervisor would. */
  inject: (context: FaultContext) => Promise<void>;
  /** Undoes what it needed. */
  clean?: () => Promise<void>;
}

/** What a fault that stands for itself reports. */
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
  run: (stage: Stage, repetitions: number) => Promise<Report>;
}

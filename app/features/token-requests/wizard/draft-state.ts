import type { Draft } from '#contract/domains/token-requests.ts';
import {
  blank,
  type Claim,
  type FieldName,
  isTouched,
  keep,
  NAMES,
  nameOf,
  read,
  type Stored,
} from './stored-draft.ts';

/** The same fields were changed on two devices: the user chooses. */
interface Conflict {
  there: Draft;
  fields: FieldName[];
}

export interface DraftState extends Stored {
  /** 'waiting': the last attempt failed, another one is scheduled. */
  saving: 'idle' | 'saving' | 'waiting';
  /** When the server last had all changes; milliseconds. */
  savedAt: number | null;
  conflict: Conflict | null;
  /** Fields were merged from another device without a conflict. */
  merged: boolean;
  /** Opened by its link while another draft was in use here: the user chooses. */
  arrived: (Claim & { step: number | null; draft: Draft }) | null;
  /** Name of the second draft stored on this device; null without one. */
  aside: string | null;
  /** The signed-in member's email, when it was prefilled; otherwise null. */
  prefilled: string | null;
}

export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export const DRAFT_KEY = 'florka-draft';
export const ASIDE_KEY = 'florka-draft-aside';

/** The initial state of an untouched form; also what the server renders. */
export const BLANK_STATE: DraftState = {
  ...blank(),
  saving: 'idle',
  savedAt: null,
  conflict: null,
  merged: false,
  arrived: null,
  aside: null,
  prefilled: null,
};

/** The form of one tab, and its copies in local storage. */
export interface LocalDraft {
  get(): DraftState;
  /** Changes the state, in local storage too. */
  set(patch: Partial<DraftState>): void;
  /** Changes the state in memory only. */
  setInMemory(patch: Partial<DraftState>): void;
  subscribe(listener: () => void): () => void;
  /** Fields that differ from the server's; empty for a locked draft. */
  unsaved(): FieldName[];
  /** The furthest step while the server does not have it; undefined when it has, and for a locked draft. */
  unsavedStep(): number | undefined;
  /** The copy in local storage, which another tab may have written. */
  copy(): Stored | null;
  /** The second draft stored on this device. */
  aside(): Stored | null;
  putAside(draft: Stored | null): void;
}

/** Starts with the copy in local storage, if there is one. */
export function createLocalDraft(storage: DraftStorage): LocalDraft {
  const listeners = new Set<() => void>();
  const copy = () => read(storage, DRAFT_KEY);
  const aside = () => read(storage, ASIDE_KEY);
  let state: DraftState = { ...BLANK_STATE, ...(copy() ?? {}), aside: nameOf(aside()) };

  function setInMemory(patch: Partial<DraftState>) {
    state = { ...state, ...patch };
    for (const listener of listeners) listener();
  }
  function set(patch: Partial<DraftState>) {
    state = { ...state, ...patch };
    keep(storage, DRAFT_KEY, isTouched(state) ? state : null);
    for (const listener of listeners) listener();
  }
  return {
    get: () => state,
    set,
    setInMemory,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    unsaved: () => (state.locked ? [] : NAMES.filter((name) => state.data[name] !== state.saved[name])),
    unsavedStep: () => (!state.locked && state.reached > state.savedStep ? state.reached : undefined),
    copy,
    aside,
    putAside: (draft) => keep(storage, ASIDE_KEY, draft),
  };
}

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

/** The same fields were written on two devices: a person chooses. */
interface Conflict {
  there: Draft;
  fields: FieldName[];
}

export interface DraftState extends Stored {
  /** 'waiting': the last try failed, another one follows. */
  saving: 'idle' | 'saving' | 'waiting';
  /** When the server last had everything; milliseconds. */
  savedAt: number | null;
  conflict: Conflict | null;
  /** Fields that came in from another device without touching what was written here. */
  merged: boolean;
  /** Opened by its link while another draft was at work here: a person chooses. */
  arrived: (Claim & { step: number | null; draft: Draft }) | null;
  /** Name of the draft that was put aside on this device; null without one. */
  aside: string | null;
  /** The signed-in member's e-mail, where it was filled in for them; null where it was not. */
  prefilled: string | null;
}

export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export const DRAFT_KEY = 'florka-draft';
export const ASIDE_KEY = 'florka-draft-aside';

/** The state of a document that nobody has touched; also what the server renders. */
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

/** The form of one tab, and its copies on the device. */
export interface LocalDraft {
  get(): DraftState;
  /** Changes the state, on the device as well. */
  set(patch: Partial<DraftState>): void;
  /** Changes the state of the open page alone. */
  setInMemory(patch: Partial<DraftState>): void;
  subscribe(listener: () => void): () => void;
  /** Fields that the server does not have as they are here; none of a locked draft. */
  unsaved(): FieldName[];
  /** The copy on the device, which another tab may have written. */
  copy(): Stored | null;
  /** The draft that was put aside on this device. */
  aside(): Stored | null;
  putAside(draft: Stored | null): void;
}

/** Begins with the copy on the device, where there is one. */
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
    copy,
    aside,
    putAside: (draft) => keep(storage, ASIDE_KEY, draft),
  };
}

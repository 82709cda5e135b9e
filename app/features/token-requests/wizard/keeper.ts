import { withChallenge } from '#app/lib/challenge.ts';
import { codeOf } from '#app/lib/failure.ts';
import type { ApiClient } from '#app/lib/rpc.ts';
import { EMPTY_DRAFT } from '#contract/token-form.ts';
import type { Draft, DraftData } from '#contract/token-requests.ts';
import {
  blank,
  type Claim,
  differing,
  type FieldName,
  isTouched,
  type Kept,
  keep,
  NAMES,
  nameOf,
  pick,
  plain,
  read,
  STEPS,
} from './kept.ts';

/** The same fields were written on two devices: a person chooses. */
interface Conflict {
  there: Draft;
  fields: FieldName[];
}

export interface DraftState extends Kept {
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

/** What the keeper needs of its surroundings. */
export interface Surroundings {
  api: Pick<ApiClient['tokenRequests'], 'create' | 'save' | 'read'>;
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** One at a time over all tabs of the device. */
  alone: <T>(work: () => Promise<T>) => Promise<T>;
  /** Told the private page of the order. */
  onOrder?: (id: string, orderKey: string) => void;
  now?: () => number;
}

export interface DraftKeeper {
  get(): DraftState;
  subscribe(listener: () => void): () => void;
  change(patch: Partial<DraftData>): void;
  /** Fills a member's e-mail into an untouched form, once; null takes it out again. A form with words of people stays. */
  prefill(email: string | null): void;
  reach(step: number): void;
  /** Brings everything to the server. Never throws; the answer says whether it is there. */
  save(): Promise<{ ok: true; claim: Claim } | { ok: false; error: unknown }>;
  /** Settles a conflict. */
  choose(side: 'here' | 'there'): void;
  /** Opens a draft by its link. @throws ApiFailure when there is none. */
  open(link: Claim & { step: number | null }): Promise<'opened' | 'asks'>;
  /** Settles which draft to go on with. */
  settle(which: 'mine' | 'arrived'): void;
  /** Takes the draft that was put aside, and puts this one there. */
  swap(): void;
  /** Looks for what other devices did, when nothing here is unsaved. */
  refresh(): Promise<Draft | null>;
  /** A new form; this one is forgotten here. */
  restart(): void;
  /** Another tab of this device wrote. */
  hear(key: string | null): void;
  /** The network is back. */
  hurry(): void;
}

export const DRAFT_KEY = 'florka-draft';
const ASIDE_KEY = 'florka-draft-aside';
/** Between a change and its way to the server; the device has it at once. Milliseconds. */
const PAUSE = 1_500;
/** How long a field counts as being written, so that news from another tab does not take it away. Milliseconds. */
const WRITING = 1_000;
/** Waits before each new try; the last one repeats. Milliseconds. */
const RETRIES = [2_000, 4_000, 8_000, 15_000, 30_000];

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

/** Keeps a form on the device at once and on the server soon, and never lets one of two devices win unasked. */
export function createDraftKeeper(surroundings: Surroundings): DraftKeeper {
  const { api, storage, alone, onOrder } = surroundings;
  const now = surroundings.now ?? Date.now;
  const listeners = new Set<() => void>();
  let state: DraftState = {
    ...BLANK_STATE,
    ...(read(storage, DRAFT_KEY) ?? {}),
    aside: nameOf(read(storage, ASIDE_KEY)),
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  /** When each field was last written here. */
  const written = new Map<FieldName, number>();
  let running: ReturnType<DraftKeeper['save']> | null = null;

  const dirty = () => (state.locked ? [] : NAMES.filter((name) => state.data[name] !== state.saved[name]));

  function set(patch: Partial<DraftState>, kept = true) {
    state = { ...state, ...patch };
    if (kept) keep(storage, DRAFT_KEY, isTouched(state) ? state : null);
    for (const listener of listeners) listener();
  }
  function plan(wait: number) {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      void keeper.save();
    }, wait);
  }

  /** What the server says now, where nothing unsaved stands against it. */
  function adopt(draft: Draft, patch: Partial<DraftState> = {}) {
    const remote = state.remote && { ...state.remote, version: draft.version, orderKey: draft.orderKey };
    onOrder?.(draft.id, draft.orderKey);
    set({ base: draft.data, remote, hints: draft.hints, locked: draft.locked, ...patch });
  }

  /** The answer to what was sent. An image that is not this draft's is not shown as if it were. */
  function take(draft: Draft) {
    const lost = draft.hints.includes('imageDropped') ? { imageUrl: '' } : {};
    adopt(draft, { data: { ...state.data, ...lost }, saved: { ...state.saved, ...lost } });
  }

  /** Somebody saved elsewhere: takes over what does not touch what was written here, and asks about the rest. */
  function meet(draft: Draft): 'merged' | 'asks' {
    const theirs = differing(draft.data, state.base);
    const mine = new Set(dirty());
    const fields = theirs.filter((name) => mine.has(name) && plain(state.data[name]) !== plain(draft.data[name]));
    if (fields.length > 0) {
      set({ conflict: { there: draft, fields } }, false);
      return 'asks';
    }
    const incoming = pick(draft.data, theirs);
    const quiet = theirs.some((name) => plain(state.data[name]) !== plain(draft.data[name]));
    adopt(draft, {
      data: { ...state.data, ...incoming },
      saved: { ...state.saved, ...incoming },
      merged: state.merged || quiet,
    });
    return 'merged';
  }

  async function create(): Promise<void> {
    const sent = state.data;
    const names = NAMES.filter((name) => sent[name] !== EMPTY_DRAFT[name]);
    const made = await withChallenge((challenge) =>
      api.create({ data: pick(sent, names), ...(challenge ? { challenge } : {}) }),
    );
    const { id, secret, version, orderKey } = made;
    set({ remote: { id, secret, version, orderKey }, saved: sent, online: true });
    take(made);
  }

  /** One round; throws what the server answered. */
  async function push(): Promise<'done' | 'again' | 'asks'> {
    // Another tab may have been here while this one waited for its turn.
    const kept = read(storage, DRAFT_KEY);
    if (kept?.remote && (!state.remote || kept.remote.id === state.remote.id))
      set({ remote: kept.remote, saved: kept.saved, base: kept.base, locked: kept.locked }, false);
    if (!state.remote) {
      await create();
      return 'again';
    }
    const names = dirty();
    if (names.length === 0) return 'done';
    const sent = pick(state.data, names);
    const { id, secret, version } = state.remote;
    try {
      const draft = await api.save({ id, secret, version, data: sent });
      set({ saved: { ...state.saved, ...sent } });
      take(draft);
      return 'again';
    } catch (error) {
      const code = codeOf(error);
      if (code === 'VERSION_CONFLICT') {
        const { current } = (error as { data: { current: unknown } }).data;
        return meet(current as Draft) === 'asks' ? 'asks' : 'again';
      }
      if (code === 'LOCKED') {
        const draft = await api.read({ id, secret });
        adopt(draft, { data: draft.data, saved: draft.data });
        return 'done';
      }
      if (code === 'NOT_FOUND') {
        // Gone from the server; what was typed is still here.
        set({ remote: null, saved: EMPTY_DRAFT, base: EMPTY_DRAFT });
        return 'again';
      }
      throw error;
    }
  }

  async function saveAll(): ReturnType<DraftKeeper['save']> {
    clearTimeout(timer);
    timer = undefined;
    set({ online: true, saving: 'saving' });
    try {
      for (let rounds = 0; ; rounds++) {
        if (state.conflict) break;
        const result = await alone(push);
        if (result === 'done' || rounds > 20) break;
        if (result === 'asks') break;
      }
      failures = 0;
      set({ saving: 'idle', savedAt: state.conflict ? state.savedAt : now() }, false);
      const { remote } = state;
      if (state.conflict || !remote) return { ok: false, error: null };
      return { ok: true, claim: { id: remote.id, secret: remote.secret } };
    } catch (error) {
      const { retryAfter } = ((error as { data?: unknown }).data ?? {}) as { retryAfter?: number };
      plan(Math.max((retryAfter ?? 0) * 1_000, RETRIES[Math.min(failures, RETRIES.length - 1)] ?? 0));
      failures++;
      set({ saving: 'waiting' }, false);
      return { ok: false, error };
    }
  }

  const keeper: DraftKeeper = {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change(patch) {
      if (state.locked) return;
      for (const name of Object.keys(patch) as FieldName[]) written.set(name, now());
      set({ data: { ...state.data, ...patch } });
      if (state.online && !state.conflict && timer === undefined && !running) plan(PAUSE);
    },
    prefill(email) {
      if (email === state.prefilled || isTouched(state)) return;
      // Emptied by hand it stays empty.
      if (email !== null && state.prefilled !== null) return;
      set({ data: { ...state.data, petitionerEmail: email ?? '' }, prefilled: email }, false);
    },
    reach(step) {
      if (step > state.reached) set({ reached: Math.min(STEPS, step) });
    },
    save() {
      running ??= saveAll().finally(() => {
        running = null;
        // Typed while the last round was under way.
        if (state.saving === 'idle' && !state.conflict && state.online && dirty().length > 0) plan(PAUSE);
      });
      return running;
    },
    choose(side) {
      if (!state.conflict) return;
      const { there, fields } = state.conflict;
      const theirs = differing(there.data, state.base);
      const incoming = pick(there.data, theirs);
      const mine = side === 'here' ? pick(state.data, fields) : {};
      adopt(there, {
        data: { ...state.data, ...incoming, ...mine },
        saved: { ...state.saved, ...incoming },
        conflict: null,
      });
      void keeper.save();
    },
    async open(link) {
      const draft = await api.read({ id: link.id, secret: link.secret });
      const same = state.remote?.id === link.id;
      if (same) {
        set({ remote: state.remote && { ...state.remote, secret: link.secret } });
        if (meet(draft) === 'asks') return 'asks';
        keeper.reach(link.step ?? 1);
        return 'opened';
      }
      set({ arrived: { ...link, draft } }, false);
      if (isTouched(state) && !state.locked) return 'asks';
      keeper.settle('arrived');
      return 'opened';
    },
    settle(which) {
      const { arrived } = state;
      if (!arrived) return;
      if (which === 'mine') return set({ arrived: null }, false);
      const { id, secret, step, draft } = arrived;
      if (isTouched(state) && !state.locked) keep(storage, ASIDE_KEY, state);
      clearTimeout(timer);
      timer = undefined;
      set({
        ...BLANK_STATE,
        data: draft.data,
        saved: draft.data,
        remote: { id, secret, version: draft.version, orderKey: draft.orderKey },
        online: true,
        reached: step ?? 1,
        savedAt: now(),
        aside: nameOf(read(storage, ASIDE_KEY)),
      });
      adopt(draft);
    },
    swap() {
      const other = read(storage, ASIDE_KEY);
      if (!other) return;
      keep(storage, ASIDE_KEY, state.locked || !isTouched(state) ? null : state);
      clearTimeout(timer);
      timer = undefined;
      set({ ...BLANK_STATE, ...other, aside: nameOf(read(storage, ASIDE_KEY)) });
      if (state.online) void keeper.save();
    },
    async refresh() {
      const { remote } = state;
      if (!remote || state.conflict || running) return null;
      const draft = await api.read({ id: remote.id, secret: remote.secret });
      if (state.remote?.id !== draft.id || running) return draft;
      if (draft.locked) adopt(draft, { data: draft.data, saved: draft.data });
      // What was paid can be given back: then the form is open again, in the version it had.
      else if (state.locked || draft.version > (state.remote?.version ?? 0)) meet(draft);
      return draft;
    },
    restart() {
      clearTimeout(timer);
      timer = undefined;
      failures = 0;
      set({ ...BLANK_STATE, aside: state.aside });
    },
    hear(key) {
      if (key === ASIDE_KEY) return set({ aside: nameOf(read(storage, ASIDE_KEY)) }, false);
      if (key !== DRAFT_KEY && key !== null) return;
      const kept = read(storage, DRAFT_KEY);
      const next = kept ?? blank();
      const same = state.remote === null || next.remote?.id === state.remote.id;
      // Two tabs that write in the same moment hear of each other crosswise.
      const mine = NAMES.filter((name) => kept && same && now() - (written.get(name) ?? 0) < WRITING);
      const crossed = mine.some((name) => next.data[name] !== state.data[name]);
      const patch = same ? {} : { conflict: null, merged: false };
      set({ ...next, ...patch, data: { ...next.data, ...pick(state.data, mine) } }, crossed);
    },
    hurry() {
      if (state.saving === 'waiting') void keeper.save();
    },
  };
  // Left unsaved by a closed tab or a lost network.
  if (state.online && dirty().length > 0) plan(PAUSE);
  return keeper;
}

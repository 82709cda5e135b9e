import type { Draft, DraftData } from '#contract/domains/token-requests.ts';
import {
  ASIDE_KEY,
  BLANK_STATE,
  createLocalDraft,
  DRAFT_KEY,
  type DraftState,
  type DraftStorage,
  type LocalDraft,
} from './draft-state.ts';
import {
  adopt,
  createDraftSaver,
  type DraftContext,
  type DraftSaver,
  type DraftSaverOptions,
  merge,
  resolve,
  type SaveResult,
} from './draft-sync.ts';
import { blank, type Claim, type FieldName, isTouched, NAMES, nameOf, pick, STEPS } from './stored-draft.ts';

/** What the store needs of its surroundings. */
export interface Surroundings extends Pick<DraftContext, 'api' | 'onOrder'>, Pick<DraftSaverOptions, 'alone'> {
  storage: DraftStorage;
  now?: () => number;
}

export interface DraftStore {
  get(): DraftState;
  subscribe(listener: () => void): () => void;
  change(patch: Partial<DraftData>): void;
  /** Fills a member's e-mail into an untouched form, once; null takes it out again. A form with words of people stays. */
  prefill(email: string | null): void;
  reach(step: number): void;
  /** Brings everything to the server. Never throws; the answer says whether it is there. */
  save(): Promise<SaveResult>;
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
  onMessage(key: string | null): void;
  /** The network is back. */
  hurry(): void;
}

/** How long a field counts as being written, so that news from another tab does not take it away. Milliseconds. */
const TYPING_MS = 1_000;

/** The draft of the link takes the place of the one here, which is put aside when anything was written into it. */
function openArrived(context: DraftContext, saver: DraftSaver, now: () => number): void {
  const { local } = context;
  const before = local.get();
  if (!before.arrived) return;
  const { id, secret, step, draft } = before.arrived;
  if (isTouched(before) && !before.locked) local.putAside(before);
  saver.cancel();
  local.set({
    ...BLANK_STATE,
    data: draft.data,
    saved: draft.data,
    remote: { id, secret, version: draft.version, orderKey: draft.orderKey },
    online: true,
    reached: step ?? 1,
    savedAt: now(),
    aside: nameOf(local.aside()),
  });
  adopt(context, draft);
}

/** Takes the draft that was put aside, and puts this one there. */
function swapAside(local: LocalDraft, saver: DraftSaver): void {
  const other = local.aside();
  if (!other) return;
  const before = local.get();
  local.putAside(before.locked || !isTouched(before) ? null : before);
  saver.cancel();
  local.set({ ...BLANK_STATE, ...other, aside: nameOf(local.aside()) });
  if (local.get().online) void saver.save();
}

/** Takes over what another tab wrote, besides the fields that are being written here. */
function takeOverCopy(local: LocalDraft, isBeingWritten: (name: FieldName) => boolean): void {
  const { data, remote } = local.get();
  const copy = local.copy();
  const next = copy ?? blank();
  const same = remote === null || next.remote?.id === remote.id;
  // Two tabs that write in the same moment receive each other's message at the same time.
  const mine = NAMES.filter((name) => copy && same && isBeingWritten(name));
  const crossed = mine.some((name) => next.data[name] !== data[name]);
  const patch = {
    ...next,
    ...(same ? {} : { conflict: null, merged: false }),
    data: { ...next.data, ...pick(data, mine) },
  };
  if (crossed) local.set(patch);
  else local.setInMemory(patch);
}

/** Keeps a form on the device at once and on the server soon, and never lets one of two devices win unasked. */
export function createDraftStore(surroundings: Surroundings): DraftStore {
  const { api, storage, alone, onOrder, now = Date.now } = surroundings;
  const local = createLocalDraft(storage);
  const context: DraftContext = { local, api, onOrder };
  const saver = createDraftSaver(context, { alone, now });
  /** When each field was last written here. */
  const written = new Map<FieldName, number>();

  const store: DraftStore = {
    get: local.get,
    subscribe: local.subscribe,
    save: saver.save,
    change(patch) {
      const { locked, data, online, conflict } = local.get();
      if (locked) return;
      for (const name of Object.keys(patch) as FieldName[]) written.set(name, now());
      local.set({ data: { ...data, ...patch } });
      if (online && !conflict && !saver.isScheduled() && !saver.isSaving()) saver.schedule();
    },
    prefill(email) {
      const { data, prefilled } = local.get();
      if (email === prefilled || isTouched(local.get())) return;
      // Emptied by hand it stays empty.
      if (email !== null && prefilled !== null) return;
      local.setInMemory({ data: { ...data, petitionerEmail: email ?? '' }, prefilled: email });
    },
    reach(step) {
      if (step > local.get().reached) local.set({ reached: Math.min(STEPS, step) });
    },
    choose(side) {
      if (!local.get().conflict) return;
      resolve(context, side);
      void store.save();
    },
    async open(link) {
      const draft = await api.read({ id: link.id, secret: link.secret });
      const { remote, locked } = local.get();
      if (remote?.id === link.id) {
        local.set({ remote: { ...remote, secret: link.secret } });
        if (merge(context, draft) === 'asks') return 'asks';
        store.reach(link.step ?? 1);
        return 'opened';
      }
      local.setInMemory({ arrived: { ...link, draft } });
      if (isTouched(local.get()) && !locked) return 'asks';
      store.settle('arrived');
      return 'opened';
    },
    settle(which) {
      if (which === 'arrived') openArrived(context, saver, now);
      else if (local.get().arrived) local.setInMemory({ arrived: null });
    },
    swap: () => swapAside(local, saver),
    async refresh() {
      const { remote, conflict } = local.get();
      if (!remote || conflict || saver.isSaving()) return null;
      const draft = await api.read({ id: remote.id, secret: remote.secret });
      const here = local.get();
      if (here.remote?.id !== draft.id || saver.isSaving()) return draft;
      if (draft.locked) adopt(context, draft, { data: draft.data, saved: draft.data });
      // What was paid can be given back: then the form is open again, in the version it had.
      else if (here.locked || draft.version > here.remote.version) merge(context, draft);
      return draft;
    },
    restart() {
      saver.reset();
      local.set({ ...BLANK_STATE, aside: local.get().aside });
    },
    onMessage(key) {
      if (key === ASIDE_KEY) local.setInMemory({ aside: nameOf(local.aside()) });
      else if (key === DRAFT_KEY || key === null)
        takeOverCopy(local, (name) => now() - (written.get(name) ?? 0) < TYPING_MS);
    },
    hurry() {
      if (local.get().saving === 'waiting') void store.save();
    },
  };
  // Left unsaved by a closed tab or a lost network.
  if (local.get().online && local.unsaved().length > 0) saver.schedule();
  return store;
}

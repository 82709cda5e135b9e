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
  isUnsaved,
  merge,
  resolve,
  type SaveResult,
} from './draft-sync.ts';
import { blank, type Claim, type FieldName, isTouched, NAMES, nameOf, pick, STEPS } from './stored-draft.ts';

/** Dependencies of the store. */
export interface DraftStoreOptions extends Pick<DraftContext, 'api' | 'onOrder'>, Pick<DraftSaverOptions, 'alone'> {
  storage: DraftStorage;
  now?: () => number;
}

export interface DraftStore {
  get(): DraftState;
  subscribe(listener: () => void): () => void;
  change(patch: Partial<DraftData>): void;
  /** Prefills a member's email in an untouched form, once; null removes it. A form that the user changed stays as it is. */
  prefill(email: string | null): void;
  reach(step: number): void;
  /** Sends all changes to the server. Never throws; the result says whether they are saved. */
  save(): Promise<SaveResult>;
  /** Resolves a conflict. */
  choose(side: 'here' | 'there'): void;
  /** Opens a draft by its link. @throws ApiFailure when it does not exist. */
  open(link: Claim & { step: number | null }): Promise<'opened' | 'conflict'>;
  /** Chooses the draft to continue with. */
  settle(which: 'mine' | 'arrived'): void;
  /** Switches to the second draft of this device, and stores this one in its place. */
  swap(): void;
  /** Reads changes of other devices, when nothing here is unsaved. */
  refresh(): Promise<Draft | null>;
  /** A new form; this one is deleted from the device. */
  restart(): void;
  /** Another tab of this device changed the storage. */
  onMessage(key: string | null): void;
  /** The network is available again. */
  hurry(): void;
}

/** How long a field counts as being edited after a change, so that a message of another tab does not overwrite it. Milliseconds. */
const TYPING_MS = 1_000;

/** The draft of the link replaces the one here, which is stored as second draft when the user changed it. */
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
    savedStep: step ?? 1,
    savedAt: now(),
    aside: nameOf(local.aside()),
  });
  adopt(context, draft);
}

/** Switches to the second draft, and stores this one in its place. */
function swapAside(local: LocalDraft, saver: DraftSaver): void {
  const other = local.aside();
  if (!other) return;
  const before = local.get();
  local.putAside(before.locked || !isTouched(before) ? null : before);
  saver.cancel();
  local.set({ ...BLANK_STATE, ...other, aside: nameOf(local.aside()) });
  if (local.get().online) void saver.save();
}

/** Merges the changes of another tab, except for fields that are being edited here. */
function takeOverCopy(local: LocalDraft, isBeingWritten: (name: FieldName) => boolean): void {
  const { data, remote } = local.get();
  const copy = local.copy();
  const next = copy ?? blank();
  const same = remote === null || next.remote?.id === remote.id;
  // Two tabs that write simultaneously receive each other's message at the same time.
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

/** Stores a form on the device at once and on the server soon; a conflict between two devices is never resolved without the user. */
export function createDraftStore(options: DraftStoreOptions): DraftStore {
  const { api, storage, alone, onOrder, now = Date.now } = options;
  const local = createLocalDraft(storage);
  const context: DraftContext = { local, api, onOrder };
  const saver = createDraftSaver(context, { alone, now });
  /** When each field was last changed here. */
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
      // The user cleared the field: it is not prefilled again.
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
        if (merge(context, draft) === 'conflict') return 'conflict';
        store.reach(link.step ?? 1);
        return 'opened';
      }
      local.setInMemory({ arrived: { ...link, draft } });
      if (isTouched(local.get()) && !locked) return 'conflict';
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
      // A refunded payment unlocks the form again, with the same version.
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
  // Unsaved changes of a closed tab or a lost connection.
  if (local.get().online && isUnsaved(local)) saver.schedule();
  return store;
}

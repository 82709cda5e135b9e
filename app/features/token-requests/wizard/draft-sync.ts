import { withChallenge } from '#app/lib/api/challenge.ts';
import { codeOf } from '#app/lib/api/failure.ts';
import type { ApiClient } from '#app/lib/api/rpc.ts';
import { randomKey } from '#app/lib/forms/random-key.ts';
import type { Draft } from '#contract/domains/token-requests.ts';
import { EMPTY_DRAFT } from '#contract/fields/token-form.ts';
import type { DraftState, LocalDraft } from './draft-state.ts';
import { type Claim, differing, NAMES, pick, plain } from './stored-draft.ts';

/** The form of this tab and the server's side of it. */
export interface DraftContext {
  local: LocalDraft;
  api: Pick<ApiClient['tokenRequests'], 'create' | 'save' | 'read'>;
  /** Called with the private page of the order. */
  onOrder?: ((id: string, orderKey: string) => void) | undefined;
}

/** Takes over what the server has now, where nothing unsaved stands against it. */
export function adopt({ local, onOrder }: DraftContext, draft: Draft, patch: Partial<DraftState> = {}): void {
  const { remote: known } = local.get();
  const remote = known && { ...known, version: draft.version, orderKey: draft.orderKey };
  onOrder?.(draft.id, draft.orderKey);
  local.set({ base: draft.data, remote, hints: draft.hints, locked: draft.locked, ...patch });
}

/** Takes over the answer to what was sent. An image that is not this draft's is not shown as if it were. */
function adoptAnswer(context: DraftContext, draft: Draft): void {
  const { data, saved } = context.local.get();
  const lost = draft.hints.includes('imageDropped') ? { imageUrl: '' } : {};
  adopt(context, draft, { data: { ...data, ...lost }, saved: { ...saved, ...lost } });
}

/**
 * Takes over what was saved elsewhere and does not touch what was written here; 'asks' when a person has to choose, which
 * the state's `conflict` then says.
 */
export function merge(context: DraftContext, draft: Draft): 'merged' | 'asks' {
  const { local } = context;
  const { data, saved, base, merged } = local.get();
  const theirs = differing(draft.data, base);
  const mine = new Set(local.unsaved());
  const fields = theirs.filter((name) => mine.has(name) && plain(data[name]) !== plain(draft.data[name]));
  if (fields.length > 0) {
    local.setInMemory({ conflict: { there: draft, fields } });
    return 'asks';
  }
  const incoming = pick(draft.data, theirs);
  const changed = theirs.some((name) => plain(data[name]) !== plain(draft.data[name]));
  adopt(context, draft, {
    data: { ...data, ...incoming },
    saved: { ...saved, ...incoming },
    merged: merged || changed,
  });
  return 'merged';
}

/** Settles a conflict: of the fields that both sides wrote, the ones of `side` stay. Nothing without a conflict. */
export function resolve(context: DraftContext, side: 'here' | 'there'): void {
  const { conflict, data, saved, base } = context.local.get();
  if (!conflict) return;
  const { there, fields } = conflict;
  const incoming = pick(there.data, differing(there.data, base));
  const mine = side === 'here' ? pick(data, fields) : {};
  adopt(context, there, {
    data: { ...data, ...incoming, ...mine },
    saved: { ...saved, ...incoming },
    conflict: null,
  });
}

/**
 * Begins the draft on the server. Until its answer comes the same call is repeated, whatever is written meanwhile: an answer that
 * got lost leaves one draft.
 *
 * @returns false when the form was emptied meanwhile: the draft is none of the new form.
 */
async function create(context: DraftContext): Promise<boolean> {
  const { local, api } = context;
  const begun = local.get().begun ?? local.copy()?.begun ?? { secret: randomKey(), data: local.get().data };
  local.set({ begun });
  const { secret, data: sent } = begun;
  const names = NAMES.filter((name) => sent[name] !== EMPTY_DRAFT[name]);
  try {
    const created = await withChallenge((challenge) =>
      api.create({ data: pick(sent, names), secret, ...(challenge ? { challenge } : {}) }),
    );
    const { id, version, orderKey } = created;
    if (local.get().begun?.secret !== secret) return false;
    local.set({ remote: { id, secret: created.secret, version, orderKey }, begun: null, saved: sent, online: true });
    adoptAnswer(context, created);
    return true;
  } catch (error) {
    // What was sent can't be taken: nothing of it is there, and the next try is another draft.
    if (codeOf(error) === 'BAD_REQUEST') local.set({ begun: null });
    throw error;
  }
}

type PushResult = 'done' | 'again' | 'asks';

/**
 * One request to the server, with what it does not have yet; 'again' when more may be left.
 * @throws ApiFailure or the network's error, where a save cannot go on from it.
 */
async function push(context: DraftContext): Promise<PushResult> {
  const { local, api } = context;
  // Another tab may have been here while this one waited for the lock.
  const copy = local.copy();
  const known = local.get().remote;
  if (copy?.remote && (!known || copy.remote.id === known.id))
    local.setInMemory({ remote: copy.remote, saved: copy.saved, base: copy.base, locked: copy.locked });
  const { data, remote } = local.get();
  if (!remote) {
    return (await create(context)) ? 'again' : 'done';
  }
  const names = local.unsaved();
  if (names.length === 0) return 'done';
  const sent = pick(data, names);
  const { id, secret, version } = remote;
  try {
    const draft = await api.save({ id, secret, version, data: sent });
    local.set({ saved: { ...local.get().saved, ...sent } });
    adoptAnswer(context, draft);
    return 'again';
  } catch (error) {
    return await afterRefusal(context, { id, secret }, error);
  }
}

async function afterRefusal(context: DraftContext, claim: Claim, error: unknown): Promise<PushResult> {
  const { local, api } = context;
  const code = codeOf(error);
  if (code === 'VERSION_CONFLICT') {
    const { current } = (error as { data: { current: unknown } }).data;
    return merge(context, current as Draft) === 'asks' ? 'asks' : 'again';
  }
  if (code === 'LOCKED') {
    const draft = await api.read(claim);
    adopt(context, draft, { data: draft.data, saved: draft.data });
    return 'done';
  }
  if (code === 'NOT_FOUND') {
    // Gone from the server; what was typed is still here.
    local.set({ remote: null, begun: null, saved: EMPTY_DRAFT, base: EMPTY_DRAFT });
    return 'again';
  }
  throw error;
}

/** Between a change and its way to the server; the device has it at once. Milliseconds. */
const DELAY_MS = 1_500;
/** Waits before each new try; the last one repeats. Milliseconds. */
const MAX_RETRIES = [2_000, 4_000, 8_000, 15_000, 30_000];
/** At most this many requests in one save. */
const MAX_PUSHES = 22;

export type SaveResult = { ok: true; claim: Claim } | { ok: false; error: unknown };

/** Decides when the form goes to the server. */
export interface DraftSaver {
  /** Brings everything to the server. Never throws; the answer says whether it is there. */
  save(): Promise<SaveResult>;
  /** Saves soon, once for all changes until then. */
  schedule(): void;
  isScheduled(): boolean;
  isSaving(): boolean;
  /** Forgets the save that was scheduled. */
  cancel(): void;
  /** As `cancel`, and the next failure counts as the first. */
  reset(): void;
}

export interface DraftSaverOptions {
  /** One at a time over all tabs of the device. */
  alone: <T>(work: () => Promise<T>) => Promise<T>;
  now: () => number;
}

export function createDraftSaver(context: DraftContext, { alone, now }: DraftSaverOptions): DraftSaver {
  const { local } = context;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let running: Promise<SaveResult> | null = null;

  function cancel() {
    clearTimeout(timer);
    timer = undefined;
  }
  function schedule(wait: number) {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      void save();
    }, wait);
  }
  async function saveAll(): Promise<SaveResult> {
    cancel();
    local.set({ online: true, saving: 'saving' });
    try {
      for (let pushes = 0; pushes < MAX_PUSHES && !local.get().conflict; pushes++)
        if ((await alone(() => push(context))) !== 'again') break;
      failures = 0;
      const { conflict, savedAt, remote } = local.get();
      local.setInMemory({ saving: 'idle', savedAt: conflict ? savedAt : now() });
      if (conflict || !remote) return { ok: false, error: null };
      return { ok: true, claim: { id: remote.id, secret: remote.secret } };
    } catch (error) {
      const { retryAfter } = ((error as { data?: unknown }).data ?? {}) as { retryAfter?: number };
      schedule(Math.max((retryAfter ?? 0) * 1_000, MAX_RETRIES[Math.min(failures, MAX_RETRIES.length - 1)] ?? 0));
      failures++;
      local.setInMemory({ saving: 'waiting' });
      return { ok: false, error };
    }
  }
  function save(): Promise<SaveResult> {
    running ??= saveAll().finally(() => {
      running = null;
      // Typed while the last request was under way.
      const { saving, conflict, online } = local.get();
      if (saving === 'idle' && !conflict && online && local.unsaved().length > 0) schedule(DELAY_MS);
    });
    return running;
  }
  return {
    save,
    schedule: () => schedule(DELAY_MS),
    isScheduled: () => timer !== undefined,
    isSaving: () => running !== null,
    cancel,
    reset() {
      cancel();
      failures = 0;
    },
  };
}

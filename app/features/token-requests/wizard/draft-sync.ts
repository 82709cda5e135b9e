import { withChallenge } from '#app/lib/api/challenge.ts';
import { codeOf } from '#app/lib/api/failure.ts';
import type { ApiClient } from '#app/lib/api/rpc.ts';
import { randomKey } from '#app/lib/forms/random-key.ts';
import type { Draft, DraftData } from '#contract/domains/token-requests.ts';
import { EMPTY_DRAFT } from '#contract/fields/token-form.ts';
import type { DraftState, LocalDraft } from './draft-state.ts';
import { type Claim, differing, NAMES, pick, plain } from './stored-draft.ts';

/** The form of this tab and its server state. */
export interface DraftContext {
  local: LocalDraft;
  api: Pick<ApiClient['tokenRequests'], 'create' | 'save' | 'read'>;
  /** Called with the private page of the order. */
  onOrder?: ((id: string, orderKey: string) => void) | undefined;
}

/** Takes over the server's state, except for unsaved fields. */
export function adopt({ local, onOrder }: DraftContext, draft: Draft, patch: Partial<DraftState> = {}): void {
  const { remote: known, hints: before } = local.get();
  // The order keeps the mailbox for good, but only the answer to a change of it says so.
  const isMailboxKept = before.includes('mailboxUnchanged') && !draft.hints.includes('mailboxUnchanged');
  const hints: Draft['hints'] = isMailboxKept ? [...draft.hints, 'mailboxUnchanged'] : draft.hints;
  const remote = known && { ...known, version: draft.version, orderKey: draft.orderKey };
  onOrder?.(draft.id, draft.orderKey);
  local.set({ base: draft.data, remote, hints, locked: draft.locked, ...patch });
}

/** Takes over the response to a save: an image that is not this draft's is not shown, and a mailbox that the order keeps is. */
function adoptAnswer(context: DraftContext, draft: Draft): void {
  const { data, saved } = context.local.get();
  const theirs: Partial<DraftData> = {
    ...(draft.hints.includes('imageDropped') ? { imageUrl: '' } : {}),
    ...(draft.hints.includes('mailboxUnchanged') ? { petitionerEmail: draft.data.petitionerEmail } : {}),
  };
  adopt(context, draft, { data: { ...data, ...theirs }, saved: { ...saved, ...theirs } });
}

/**
 * Merges changes of other devices without overwriting those made here; 'conflict' when the user has to choose, with the fields in the
 * state's `conflict`.
 */
export function merge(context: DraftContext, draft: Draft): 'merged' | 'conflict' {
  const { local } = context;
  const { data, saved, base, merged } = local.get();
  const theirs = differing(draft.data, base);
  const mine = new Set(local.unsaved());
  const fields = theirs.filter((name) => mine.has(name) && plain(data[name]) !== plain(draft.data[name]));
  if (fields.length > 0) {
    local.setInMemory({ conflict: { there: draft, fields } });
    return 'conflict';
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

/** Resolves a conflict: for the fields that both sides changed, the values of `side` are used. No effect without a conflict. */
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

/** True while the server lacks changes of the form or its furthest step. */
export const isUnsaved = (local: LocalDraft): boolean =>
  local.unsaved().length > 0 || local.unsavedStep() !== undefined;

function newBegun(local: LocalDraft) {
  const { data, reached } = local.get();
  return { secret: randomKey(), data, step: reached };
}

/**
 * Creates the draft on the server. Until a response arrives the same call is repeated, whatever is changed meanwhile: a lost
 * response leaves only one draft.
 * @returns false when the form was reset meanwhile: the draft does not belong to the new form.
 */
async function create(context: DraftContext): Promise<boolean> {
  const { local, api } = context;
  const begun = local.get().begun ?? local.copy()?.begun ?? newBegun(local);
  local.set({ begun });
  const { secret, data: sent, step } = begun;
  const names = NAMES.filter((name) => sent[name] !== EMPTY_DRAFT[name]);
  try {
    const created = await withChallenge((challenge) =>
      api.create({ data: pick(sent, names), step, secret, ...(challenge ? { challenge } : {}) }),
    );
    const { id, version, orderKey } = created;
    if (local.get().begun?.secret !== secret) return false;
    const remote = { id, secret: created.secret, version, orderKey };
    local.set({ remote, begun: null, saved: sent, savedStep: step, online: true });
    adoptAnswer(context, created);
    return true;
  } catch (error) {
    if (local.get().begun?.secret !== secret) return false;
    // The server refused the input: nothing was stored, and the next attempt creates another draft.
    if (codeOf(error) === 'BAD_REQUEST') local.set({ begun: null });
    throw error;
  }
}

type PushResult = 'done' | 'again' | 'conflict';

/** False when another draft or a new form took the place of this draft while its request was in flight: the answer is about neither. */
const isStillHere = ({ local }: DraftContext, id: string): boolean => local.get().remote?.id === id;

/**
 * One request to the server with the unsaved changes; 'again' when more may be left.
 * @throws ApiFailure or the network error, when the save cannot continue.
 */
async function push(context: DraftContext): Promise<PushResult> {
  const { local, api } = context;
  // Another tab may have saved while this one waited for the lock.
  const copy = local.copy();
  const known = local.get().remote;
  if (copy?.remote && (!known || copy.remote.id === known.id))
    local.setInMemory({
      remote: copy.remote,
      saved: copy.saved,
      savedStep: copy.savedStep,
      base: copy.base,
      locked: copy.locked,
    });
  const { data, remote } = local.get();
  if (!remote) {
    return (await create(context)) ? 'again' : 'done';
  }
  const names = local.unsaved();
  const step = local.unsavedStep();
  if (names.length === 0 && step === undefined) return 'done';
  const sent = pick(data, names);
  const { id, secret, version } = remote;
  try {
    const draft = await api.save({ id, secret, version, data: sent, ...(step === undefined ? {} : { step }) });
    if (!isStillHere(context, id)) return 'done';
    const known = local.get();
    local.set({ saved: { ...known.saved, ...sent }, savedStep: Math.max(known.savedStep, step ?? 1) });
    adoptAnswer(context, draft);
    return 'again';
  } catch (error) {
    return await afterRefusal(context, { id, secret }, error);
  }
}

async function afterRefusal(context: DraftContext, claim: Claim, error: unknown): Promise<PushResult> {
  const { local, api } = context;
  if (!isStillHere(context, claim.id)) return 'done';
  const code = codeOf(error);
  if (code === 'VERSION_CONFLICT') {
    const { current } = (error as { data: { current: unknown } }).data;
    return merge(context, current as Draft) === 'conflict' ? 'conflict' : 'again';
  }
  if (code === 'LOCKED') {
    const draft = await api.read(claim);
    if (isStillHere(context, claim.id)) adopt(context, draft, { data: draft.data, saved: draft.data });
    return 'done';
  }
  if (code === 'NOT_FOUND') {
    // The draft no longer exists on the server; the input is still here.
    local.set({ remote: null, begun: null, saved: EMPTY_DRAFT, savedStep: 1, base: EMPTY_DRAFT, hints: [] });
    return 'again';
  }
  throw error;
}

/** Delay between a change and its save on the server; the device stores it at once. Milliseconds. */
const DELAY_MS = 1_500;
/** Delays before each retry; the last one repeats. Milliseconds. */
const MAX_RETRIES = [2_000, 4_000, 8_000, 15_000, 30_000];
/** Maximum number of requests of one save. */
const MAX_PUSHES = 22;

export type SaveResult = { ok: true; claim: Claim } | { ok: false; error: unknown };

/** Schedules the saves on the server. */
export interface DraftSaver {
  /** Sends all changes to the server. Never throws; the result says whether they are saved. */
  save(): Promise<SaveResult>;
  /** Debounced save. */
  schedule(): void;
  isScheduled(): boolean;
  isSaving(): boolean;
  /** Cancels the scheduled save. */
  cancel(): void;
  /** As `cancel`, and resets the retry delay. */
  reset(): void;
}

export interface DraftSaverOptions {
  /** A lock over all tabs of the device. */
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
      // The user changed more while the last request was in flight.
      const { saving, conflict, online } = local.get();
      if (saving === 'idle' && !conflict && online && isUnsaved(local)) schedule(DELAY_MS);
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

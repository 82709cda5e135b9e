import type { DraftData, DraftHint } from '#contract/domains/token-requests.ts';
import { EMPTY_DRAFT, WIZARD_STEPS } from '#contract/fields/token-form.ts';

export type FieldName = keyof DraftData;
export const STEPS = WIZARD_STEPS;

/** Id and secret that open the draft on the server. */
export interface Claim {
  id: string;
  secret: string;
}

/** A draft as the device stores it. */
export interface Stored {
  /** As typed. */
  data: DraftData;
  /** The values that were sent to the server, as they were typed here. */
  saved: DraftData;
  /** The values of the server's last response. */
  base: DraftData;
  /** Null while it is stored on this device only. */
  remote: (Claim & { version: number; orderKey: string }) | null;
  /** A create request without a response yet: its secret, its values and the furthest step. */
  begun: { secret: string; data: DraftData; step: number } | null;
  /** True from the first Next on: it is saved on the server too. */
  online: boolean;
  /** The furthest step reached. */
  reached: number;
  /** The furthest step that the server has; 1 while it has none. */
  savedStep: number;
  hints: DraftHint[];
  /** Paid for: it can't be changed any more. */
  locked: boolean;
}

export const blank = (): Stored => ({
  data: EMPTY_DRAFT,
  saved: EMPTY_DRAFT,
  base: EMPTY_DRAFT,
  remote: null,
  begun: null,
  online: false,
  reached: 1,
  savedStep: 1,
  hints: [],
  locked: false,
});

export const NAMES = Object.keys(EMPTY_DRAFT) as FieldName[];
/** Normalized as the server compares it: trimmed. */
export const plain = (value: DraftData[FieldName]) => (typeof value === 'string' ? value.trim() : value);
export const differing = (a: DraftData, b: DraftData): FieldName[] =>
  NAMES.filter((name) => plain(a[name]) !== plain(b[name]));

export function pick(data: DraftData, names: FieldName[]): Partial<DraftData> {
  return Object.fromEntries(names.map((name) => [name, data[name]]));
}

/** True when the user changed it; a prefilled email of a signed-in member does not count. */
export const isTouched = ({
  data,
  remote,
  prefilled = null,
}: Pick<Stored, 'data' | 'remote'> & { prefilled?: string | null }): boolean =>
  remote !== null ||
  differing(data, EMPTY_DRAFT).some((name) => name !== 'petitionerEmail' || data[name] !== prefilled);

/** Display name of a draft in choices. */
export const nameOf = (stored: Stored | null) => stored && (stored.data.tokenName || stored.data.tokenSymbol || '…');

type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const stepOf = (value: unknown): number | null =>
  Number(value) ? Math.min(STEPS, Math.max(1, Math.trunc(Number(value)))) : null;

/** The stored draft, as far as this version of the page can parse it. */
export function read(storage: Pick<DraftStorage, 'getItem'>, key: string): Stored | null {
  try {
    const stored = JSON.parse(storage.getItem(key) ?? 'null') as Partial<Stored> | null;
    if (!stored || typeof stored !== 'object') return null;
    // Another version of the page may have written it: only valid fields are used.
    const form = (data: unknown) =>
      Object.fromEntries(
        NAMES.map((name) => {
          const value = (data as DraftData | undefined)?.[name];
          const fits =
            value === null ? EMPTY_DRAFT[name] === null : typeof value === typeof (EMPTY_DRAFT[name] ?? true);
          return [name, fits && value !== undefined ? value : EMPTY_DRAFT[name]];
        }),
      ) as DraftData;
    const { id, secret, version, orderKey } = stored.remote ?? {};
    const { begun } = stored;
    const reached = stepOf(stored.reached) ?? 1;
    const known = typeof id === 'string' && typeof secret === 'string' && typeof version === 'number';
    return {
      data: form(stored.data),
      saved: form(stored.saved),
      base: form(stored.base),
      remote: known ? { id, secret, version, orderKey: String(orderKey ?? '') } : null,
      begun:
        typeof begun?.secret === 'string'
          ? { secret: begun.secret, data: form(begun.data), step: stepOf(begun.step) ?? 1 }
          : null,
      online: stored.online === true,
      reached,
      // Earlier versions did not store it: opening their form again is no reason to save it.
      savedStep: stepOf(stored.savedStep) ?? reached,
      hints: Array.isArray(stored.hints) ? stored.hints : [],
      locked: stored.locked === true,
    };
  } catch {
    return null;
  }
}

/** Without the parts that exist in memory only. */
function storedOf(draft: Stored): Stored {
  const { data, saved, base, remote, begun, online, reached, savedStep, hints, locked } = draft;
  return { data, saved, base, remote, begun, online, reached, savedStep, hints, locked };
}

/** Stores the draft, or removes it when null. */
export function keep(storage: DraftStorage, key: string, stored: Stored | null): void {
  try {
    if (stored) storage.setItem(key, JSON.stringify(storedOf(stored)));
    else storage.removeItem(key);
  } catch {
    // Storage can be full or denied: the input is still on screen, and is sent to the server.
  }
}

import type { DraftData, DraftHint } from '#contract/domains/token-requests.ts';
import { EMPTY_DRAFT } from '#contract/fields/token-form.ts';

export type FieldName = keyof DraftData;
export const STEPS = 5;

/** What opens the draft on the server. */
export interface Claim {
  id: string;
  secret: string;
}

/** What a device keeps of a draft. */
export interface Stored {
  /** As typed. */
  data: DraftData;
  /** Of that, what the server was given, as it was typed here. */
  saved: DraftData;
  /** As the server had it when it last answered. */
  base: DraftData;
  /** Null: on this device only. */
  remote: (Claim & { version: number; orderKey: string }) | null;
  /** Sent to the server for the first time, without an answer yet: under which secret, and what. */
  begun: { secret: string; data: DraftData } | null;
  /** From the first Next on it is kept on the server as well. */
  online: boolean;
  /** The furthest step that was reached. */
  reached: number;
  hints: DraftHint[];
  /** Paid for: nothing of it changes any more. */
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
  hints: [],
  locked: false,
});

export const NAMES = Object.keys(EMPTY_DRAFT) as FieldName[];
/** As the server compares: without spaces around. */
export const plain = (value: DraftData[FieldName]) => (typeof value === 'string' ? value.trim() : value);
export const differing = (a: DraftData, b: DraftData): FieldName[] =>
  NAMES.filter((name) => plain(a[name]) !== plain(b[name]));

export function pick(data: DraftData, names: FieldName[]): Partial<DraftData> {
  return Object.fromEntries(names.map((name) => [name, data[name]]));
}

/** Whether somebody wrote anything into it; a signed-in member's e-mail that was filled in for them is nothing written. */
export const isTouched = ({
  data,
  remote,
  prefilled = null,
}: Pick<Stored, 'data' | 'remote'> & { prefilled?: string | null }): boolean =>
  remote !== null ||
  differing(data, EMPTY_DRAFT).some((name) => name !== 'petitionerEmail' || data[name] !== prefilled);

/** What a draft is called where it can be chosen. */
export const nameOf = (stored: Stored | null) => stored && (stored.data.tokenName || stored.data.tokenSymbol || '…');

type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** What lies there, as far as this version of the page understands it. */
export function read(storage: Pick<Shelf, 'getItem'>, key: string): Stored | null {
  try {
    const stored = JSON.parse(storage.getItem(key) ?? 'null') as Partial<Stored> | null;
    if (!stored || typeof stored !== 'object') return null;
    // Another version of the page may have written it: only what fits is taken.
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
    const known = typeof id === 'string' && typeof secret === 'string' && typeof version === 'number';
    return {
      data: form(stored.data),
      saved: form(stored.saved),
      base: form(stored.base),
      remote: known ? { id, secret, version, orderKey: String(orderKey ?? '') } : null,
      begun: typeof begun?.secret === 'string' ? { secret: begun.secret, data: form(begun.data) } : null,
      online: stored.online === true,
      reached: Math.min(STEPS, Math.max(1, Number(stored.reached) || 1)),
      hints: Array.isArray(stored.hints) ? stored.hints : [],
      locked: stored.locked === true,
    };
  } catch {
    return null;
  }
}

/** Without what only the open page knows. */
function storedOf({ data, saved, base, remote, begun, online, reached, hints, locked }: Stored): Stored {
  return { data, saved, base, remote, begun, online, reached, hints, locked };
}

/** Puts it there, or nothing. */
export function keep(storage: Shelf, key: string, stored: Stored | null): void {
  try {
    if (stored) storage.setItem(key, JSON.stringify(storedOf(stored)));
    else storage.removeItem(key);
  } catch {
    // Storage can be full or denied: the words are still on screen, and go to the server.
  }
}

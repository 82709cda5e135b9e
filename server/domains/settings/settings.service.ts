import { inArray } from 'drizzle-orm';
import type { Plan } from '#contract/domains/payments.ts';
import {
  PLAN_NOTES,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type SettingValue,
  type SiteNotices,
} from '#contract/domains/settings.ts';
import { languagesOf } from '#contract/site.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { settingSecrets, settings as table } from '#server/db/tables/settings.ts';
import { readClock } from '#server/lib/clock/database-clock.sql.ts';
import { deriveKey } from '#server/lib/crypto/derive-key.ts';
import { seal, unseal } from '#server/lib/crypto/seal.ts';
import type { LiveHub } from '#server/live/hub.ts';
import type { Settings } from './settings.port.ts';

/** Delay after a failed read. Milliseconds. */
const RETRY_MS = 1_000;
/** Maximum delay of a timer in Node; later times are checked again then. Milliseconds. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Values of settings from the environment, by name; read once at the start. */
export type GivenSettings = Partial<Record<SettingName, unknown>>;

/**
 * The settings of environment variables.
 *
 * @param source the raw variables; readEnv has validated the whole configuration before.
 */
export function settingsFromEnv(source: NodeJS.ProcessEnv): GivenSettings {
  const given: GivenSettings = {};
  for (const name of SETTING_NAMES) {
    const { variable, kind } = definitionOf(name);
    const written = variable ? source[variable] : undefined;
    if (written === undefined || written === '') continue;
    given[name] = kind === 'switch' ? written === 'on' : kind === 'number' ? Number(written) : written;
  }
  return given;
}

/** An entry of the registry, with its optional fields. */
export const definitionOf = (
  name: SettingName,
): { variable?: string; kind: string; defaultValue: unknown; shows?: string } => SETTINGS[name];

/** The key of stored secrets, derived from AUTH_SECRET. */
const sealingKey = (secret: string): Buffer => deriveKey(secret, 'settings');

/** Stored values that are valid; values of another version of the program may not be. */
async function readStored(db: Reader, key: Buffer): Promise<Map<SettingName, unknown>> {
  const names: string[] = SETTING_NAMES;
  const plain = await db.select({ key: table.key, value: table.value }).from(table).where(inArray(table.key, names));
  const sealed = await db.select({ key: settingSecrets.key, sealed: settingSecrets.sealed }).from(settingSecrets);
  const found = new Map<SettingName, unknown>();
  const take = (name: string, value: unknown) => {
    if (!(name in SETTINGS)) return;
    const checked = SETTINGS[name as SettingName].schema.safeParse(value);
    if (checked.success) found.set(name as SettingName, checked.data);
  };
  for (const row of plain) take(row.key, row.value);
  for (const row of sealed) take(row.key, unseal(key, row.key, row.sealed));
  return found;
}

/** The effective settings for a command that runs next to the site: the given variables, else the stored values. */
export async function readSettings(db: Reader, secret: string, given: GivenSettings): Promise<GivenSettings> {
  return { ...Object.fromEntries(await readStored(db, sealingKey(secret))), ...given };
}

/** Notes next to the prices of plans, for those that have one in both languages. */
function planNotes(countsFor: (name: SettingName) => unknown): SiteNotices['site']['planNotes'] {
  const notes: SiteNotices['site']['planNotes'] = {};
  for (const [plan, names] of Object.entries(PLAN_NOTES)) {
    const [es, en] = names.map(countsFor);
    if (typeof es === 'string' && typeof en === 'string') notes[plan as Plan] = { es, en };
  }
  return notes;
}

interface Options {
  db: Db;
  hub: LiveHub;
  /** AUTH_SECRET, from which the key of stored secrets is derived. */
  secret: string;
  given: GivenSettings;
  onError: (error: unknown) => void;
}

/**
 * The settings of this process. A change is received by NOTIFY and read immediately; after a lost connection everything is read
 * again, and a failed read is retried until it succeeds.
 */
export function createSettings({ db, hub, secret, given, onError }: Options): Settings {
  const key = sealingKey(secret);
  const listeners = new Set<() => void>();
  let stored = new Map<SettingName, unknown>();
  /** Offset of the database's clock from ours, milliseconds, as of the last read. */
  let ahead = 0;
  let reading: Promise<void> | undefined;
  let again = false;
  let closed = false;
  let boundary: NodeJS.Timeout | undefined;

  const countsFor = (name: SettingName): unknown => given[name] ?? stored.get(name) ?? definitionOf(name).defaultValue;
  const announce = () => {
    for (const listener of listeners) listener();
  };

  async function read(): Promise<void> {
    const [found, clock] = await Promise.all([readStored(db, key), readClock(db, {})]);
    stored = found;
    ahead = (clock[0]?.ms ?? Date.now()) - Date.now();
    armBoundary();
    announce();
  }

  /** Schedules the start and end of an announcement, which happen without a write. */
  function armBoundary(): void {
    clearTimeout(boundary);
    const now = Date.now() + ahead;
    const next = [countsFor('bannerFrom'), countsFor('bannerUntil')]
      .map((moment) => (typeof moment === 'string' ? Date.parse(moment) - now : Number.NaN))
      .filter((wait) => wait > 0);
    if (next.length === 0 || closed) return;
    boundary = setTimeout(
      () => {
        armBoundary();
        announce();
        // Open pages read the notices again.
        hub.emitLocally('settings');
      },
      Math.min(Math.min(...next) + 20, MAX_TIMEOUT_MS),
    );
    boundary.unref();
  }

  async function untilRead(): Promise<void> {
    for (;;) {
      again = false;
      try {
        await read();
        if (!again) return;
      } catch (error) {
        if (closed) return;
        onError(error);
        await new Promise<void>((resolve) => setTimeout(resolve, RETRY_MS).unref());
      }
    }
  }
  function load(): Promise<void> {
    again = true;
    reading ??= untilRead().finally(() => {
      reading = undefined;
    });
    return reading;
  }
  const follow = () => void load();
  const ends = [
    hub.onEvent((event) => {
      if (event.type === 'domain.changed' && event.domain === 'settings') follow();
    }),
    hub.onResync(follow),
  ];

  return {
    get: <Name extends SettingName>(name: Name) => countsFor(name) as SettingValue<Name>,
    decided: (name) => given[name] !== undefined || stored.has(name),
    given: (name) => given[name],
    site: () => ({
      name: countsFor('siteName') as SettingValue<'siteName'>,
      mark: countsFor('siteMark') as SettingValue<'siteMark'>,
      languages: [...languagesOf(countsFor('siteLanguages') as SettingValue<'siteLanguages'>)],
      planNotes: planNotes(countsFor),
    }),
    announcement() {
      const [es, en] = [countsFor('bannerEs'), countsFor('bannerEn')];
      const [from, until] = [countsFor('bannerFrom'), countsFor('bannerUntil')];
      const now = Date.now() + ahead;
      // A draft is not public: it can only be read with a preview link.
      if (countsFor('bannerShown') !== true) return null;
      if (typeof es !== 'string' || typeof en !== 'string') return null;
      if (typeof from === 'string' && Date.parse(from) > now) return null;
      if (typeof until === 'string' && Date.parse(until) <= now) return null;
      return { es, en };
    },
    load,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    seal: (name, value) => seal(key, name, value),
    opens: (name, sealed) => unseal(key, name, sealed) !== null,
    close() {
      closed = true;
      clearTimeout(boundary);
      for (const end of ends) end();
    },
  };
}

import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { AdminSetting, adminSettings } from '#contract/admin/settings.ts';
import { SETTING_NAMES, SETTING_PAIRS, SETTINGS, type SettingName } from '#contract/domains/settings.ts';
import type { LiveDomain } from '#contract/live.ts';
import { cleanText } from '#contract/text/clean-text.ts';
import type { Db, Reader, Tx } from '#server/db/client.ts';
import { asText, orNull } from '#server/db/expressions.ts';
import { forumUsers, users } from '#server/db/tables/accounts.ts';
import { auditEvents } from '#server/db/tables/audit.ts';
import { media, mediaUses } from '#server/db/tables/media.ts';
import { settingSecrets, settings as table } from '#server/db/tables/settings.ts';
import { applyCalendar, CALENDAR_SETTINGS } from '#server/domains/voting/rounds/calendar.service.ts';
import { audit } from '#server/lib/audit.ts';
import { fail } from '#server/lib/errors/fail.ts';
import { publishChange } from '#server/live/publish.ts';
import type { ImageStore } from '#server/records/record-images.ts';
import type { Editor } from '#server/records/records.ts';
import type { Settings } from './settings.port.ts';
import { definitionOf } from './settings.service.ts';
import { lockSettings } from './settings.sql.ts';

type Change = z.output<NonNullable<(typeof adminSettings.save)['~orpc']['inputSchema']>>['changes'][number];

interface Row {
  key: string;
  /** Undefined for a secret. */
  value?: unknown;
  sealed?: Buffer;
  version: number;
  updatedAt: Date;
  by: string | null;
}

const BY = sql`coalesce(${forumUsers.username}, ${users.email})`.mapWith(orNull(asText));
const isSecret = (name: SettingName): boolean => definitionOf(name).kind === 'secret';

/** All settings in the order of the registry. Of a secret only whether it is set. */
export async function listSettings(db: Reader, settings: Settings): Promise<AdminSetting[]> {
  const rows = await storedRows(db);
  return SETTING_NAMES.map((name) => describe(name, settings, rows.get(name)));
}

function describe(name: SettingName, settings: Settings, row: Row | undefined): AdminSetting {
  const { group, kind } = SETTINGS[name];
  const { variable, defaultValue } = definitionOf(name);
  const given = settings.given(name);
  const secret = isSecret(name);
  const readable = row !== undefined && (row.sealed === undefined || settings.opens(name, row.sealed));
  const value = given ?? row?.value ?? defaultValue;
  return {
    name,
    group,
    kind,
    variable: variable ?? null,
    from: given !== undefined ? 'environment' : row === undefined ? 'default' : readable ? 'stored' : 'unreadable',
    value: secret ? null : plain(value),
    isSet: given !== undefined || readable,
    defaultValue: plain(defaultValue),
    version: row?.version ?? 0,
    savedAt: row?.updatedAt.toISOString() ?? null,
    savedBy: row?.by ?? null,
  };
}

const plain = (value: unknown): string | number | boolean | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;

async function storedRows(db: Reader): Promise<Map<string, Row>> {
  const names: string[] = SETTING_NAMES;
  const { key, value, version, updatedAt, updatedBy } = getTableColumns(table);
  const secrets = getTableColumns(settingSecrets);
  const [open, sealed] = [
    await db
      .select({ key, value, version, updatedAt, by: BY })
      .from(table)
      .leftJoin(users, eq(users.id, updatedBy))
      .leftJoin(forumUsers, eq(forumUsers.newAuthUserId, users.id))
      .where(inArray(key, names)),
    await db
      .select({
        key: secrets.key,
        sealed: secrets.sealed,
        version: secrets.version,
        updatedAt: secrets.updatedAt,
        by: BY,
      })
      .from(settingSecrets)
      .leftJoin(users, eq(users.id, secrets.updatedBy))
      .leftJoin(forumUsers, eq(forumUsers.newAuthUserId, users.id)),
  ];
  return new Map<string, Row>([...open, ...sealed].map((row) => [row.key, row]));
}

/**
 * Stores several settings atomically, each with its audit entry. An equal value changes nothing. For secrets the audit log only
 * records that one was set or removed.
 *
 * @throws SETTING_FIXED for a setting with an environment variable. @throws SETTING_WRONG with the names of invalid ones.
 * @throws VERSION_CONFLICT when one of them was changed concurrently. @throws NOT_FOUND for an image that does not exist.
 */
export async function saveSettings(
  db: Db,
  settings: Settings,
  images: ImageStore,
  by: Editor,
  changes: Change[],
): Promise<AdminSetting[]> {
  for (const { name } of changes) {
    const { variable } = definitionOf(name);
    if (variable && settings.given(name) !== undefined) fail('SETTING_FIXED', { variable });
  }
  const wanted = new Map<SettingName, unknown>();
  const wrong: SettingName[] = [];
  for (const { name, value } of changes) {
    const cleaned =
      typeof value === 'string' ? cleanText(value, SETTINGS[name].kind === 'lines' ? 'text' : 'line') : value;
    const checked = cleaned === null ? null : SETTINGS[name].schema.safeParse(cleaned);
    if (checked && !checked.success) wrong.push(name);
    else wanted.set(name, checked?.data ?? null);
  }
  if (wrong.length > 0) fail('SETTING_WRONG', { names: wrong });
  await db.transaction(async (tx) => {
    // Serialized, so that rules about several settings see the result of the other change.
    await lockSettings(tx, {});
    const rows = await storedRows(tx);
    const outdated = changes.find(({ name, version }) => (rows.get(name)?.version ?? 0) !== version);
    if (outdated) conflict(outdated.name, rows.get(outdated.name));
    refuseHalves(settings, rows, wanted);
    const changed: SettingName[] = [];
    for (const [name, value] of wanted)
      if (await store(tx, settings, by, rows.get(name), name, value)) changed.push(name);
    for (const name of changed.filter((one) => SETTINGS[one].kind === 'image')) {
      await images.markUsed(tx, wanted.get(name) as string | null, by.now);
      if (await moves(tx, name)) fail('SETTING_WRONG', { names: [name] });
      await images.release(tx, (rows.get(name)?.value ?? null) as string | null, by.now);
    }
    if (changed.length === 0) return;
    if (CALENDAR_SETTINGS.some((name) => changed.includes(name))) await applyCalendar(tx);
    for (const domain of domainsOf(changed)) await publishChange(tx, domain);
    for (const name of changed) {
      const [before, after] = [rows.get(name), wanted.get(name) ?? null];
      await audit(tx, by.actor, {
        action: after === null ? 'setting.removed' : 'setting.changed',
        resourceType: 'setting',
        resourceId: name,
        before: isSecret(name) ? { secretSet: before !== undefined } : { value: before?.value ?? null },
        after: isSecret(name) ? { secretSet: after !== null } : { value: after },
      });
    }
  });
  return listSettings(db, settings);
}

/** True when the image of a setting is animated: it is on every page, and could not be paused there. */
async function moves(tx: Tx, name: SettingName): Promise<boolean> {
  const shown = await tx
    .select({ frames: media.frames })
    .from(mediaUses)
    .innerJoin(media, eq(media.name, mediaUses.name))
    .where(and(eq(mediaUses.place, 'setting'), eq(mediaUses.record, name)));
  return shown.some(({ frames }) => frames > 1);
}

/** Live domains of the changed settings, for open screens and pages. Each process reloads its snapshot first (settings.service.ts). */
function domainsOf(names: SettingName[]): LiveDomain[] {
  const shows = new Set(names.map((name) => definitionOf(name).shows));
  return [
    'settings',
    ...(shows.has('voting') ? ['voting' as const] : []),
    ...(shows.has('everything') ? ['sitePages' as const] : []),
  ];
}

/** Both or none of a pair must be set, including values of the environment. */
function refuseHalves(settings: Settings, rows: Map<string, Row>, wanted: Map<SettingName, unknown>): void {
  const there = (name: SettingName) =>
    settings.given(name) !== undefined || (wanted.has(name) ? wanted.get(name) !== null : rows.has(name));
  const halves = SETTING_PAIRS.filter((pair) => pair.some((name) => wanted.has(name)))
    .filter(([one, other]) => there(one) !== there(other))
    .flatMap(([one, other]) => (there(one) ? [other] : [one]));
  const moment = (name: 'bannerFrom' | 'bannerUntil') =>
    String((wanted.has(name) ? wanted.get(name) : rows.get(name)?.value) ?? '');
  const [from, until] = [moment('bannerFrom'), moment('bannerUntil')];
  const backwards = from && until && Date.parse(until) <= Date.parse(from) ? (['bannerUntil'] as const) : [];
  const names: SettingName[] = [...halves, ...backwards];
  if (names.length > 0) fail('SETTING_WRONG', { names });
}

function conflict(name: SettingName, row: Row | undefined): never {
  return fail('VERSION_CONFLICT', {
    version: row?.version ?? 0,
    current: { [name]: isSecret(name) ? null : (row?.value ?? null) },
    by: row?.by ?? null,
    at: row?.updatedAt.toISOString() ?? null,
    deleted: false,
  });
}

/** Number of changes of a setting that the audit log holds, at least that of its versions. */
const countChanges = (tx: Tx, name: SettingName): Promise<number> =>
  tx.$count(auditEvents, and(eq(auditEvents.resourceType, 'setting'), eq(auditEvents.resourceId, name)));

/** @returns true when that changed anything. */
async function store(
  tx: Tx,
  settings: Settings,
  by: Editor,
  before: Row | undefined,
  name: SettingName,
  value: unknown,
): Promise<boolean> {
  const stamp = { version: (before?.version ?? 0) + 1, updatedAt: by.now, updatedBy: by.actor.id };
  // A setting that is stored again after its removal gets no version it had before: an editor who read it then would overwrite it.
  if (!before) stamp.version += await countChanges(tx, name);
  if (value === null) {
    if (!before) return false;
    if (isSecret(name)) await tx.delete(settingSecrets).where(eq(settingSecrets.key, name));
    else await tx.delete(table).where(and(eq(table.key, name), eq(table.version, before.version)));
    return true;
  }
  if (isSecret(name)) {
    const values = { sealed: settings.seal(name, String(value)), ...stamp };
    await tx
      .insert(settingSecrets)
      .values({ key: name, ...values })
      .onConflictDoUpdate({ target: settingSecrets.key, set: values });
    return true;
  }
  if (before && before.value === value) return false;
  const values = { value, ...stamp };
  await tx
    .insert(table)
    .values({ key: name, ...values })
    .onConflictDoUpdate({ target: table.key, set: values });
  return true;
}

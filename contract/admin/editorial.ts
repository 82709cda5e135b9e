import { z } from 'zod';
import { errors } from '../errors.ts';
import { resemblanceAccepted } from '../resemblance.ts';
import type { StaffRole } from '../staff.ts';
import { scheduleForm } from './forms/editorial.ts';
import { SCHEDULED_KINDS, VERSIONED_KINDS } from './shared/audit-actions.ts';
import { adminRead, adminWrite, saving } from './shared/list.ts';

const scheduledKind = z.enum(SCHEDULED_KINDS);
const versionedKind = z.enum(VERSIONED_KINDS);
/** Kinds of records that have a preview before publication; there is only one announcement. */
export const previewKind = z.enum([...SCHEDULED_KINDS, 'announcement']);
export type PreviewKind = z.infer<typeof previewKind>;
/** Staff roles that may make, count and withdraw the links to a draft, in addition to owners: those whose work the draft is. */
export const PREVIEW_STAFF: Readonly<Record<PreviewKind, readonly StaffRole[]>> = {
  news: ['editor'],
  next_project: ['editor'],
  announcement: [],
};

/** Kinds of records whose open forms are shown to others. The one announcement has the nil UUID, site pages have one made of their number. */
const formKind = z.enum([...VERSIONED_KINDS, 'candidate', 'network', 'user', 'site_page', 'announcement']);
export type FormKind = z.infer<typeof formKind>;

const schedule = z.object({
  kind: scheduledKind,
  id: z.uuid(),
  publishAt: z.iso.datetime().nullable(),
  expireAt: z.iso.datetime().nullable(),
});
export type Schedule = z.infer<typeof schedule>;

const version = z.object({
  version: z.int().positive(),
  savedAt: z.iso.datetime(),
  /** The author of the version; null when the account was deleted or the version predates version history. */
  savedBy: z.string().nullable(),
  /** The number of the version that this one restored. */
  restoredFrom: z.int().positive().nullable(),
  /** The versioned fields, named as in the contract of the record. */
  fields: z.record(z.string(), z.unknown()),
});
export type RecordVersion = z.infer<typeof version>;

const seen = { id: z.uuid(), version: z.int().positive() };

/** Operations shared by news, NEXT projects and projects in addition to their forms: schedules, versions, preview links. */
export const adminEditorial = {
  schedules: adminRead('/schedules', 'What will appear or go at a moment that was set', ['editor'])
    .input(z.strictObject({ kind: scheduledKind }))
    .output(z.array(schedule)),
  setSchedule: adminWrite(
    'PUT',
    '/schedules/{kind}/{id}',
    'Set when a record appears and goes; the clock is the database’s',
    ['editor'],
  )
    .errors({ ...saving, SCHEDULE_REFUSED: errors.SCHEDULE_REFUSED, IN_TRASH: errors.IN_TRASH })
    .input(z.strictObject({ kind: scheduledKind, ...seen, ...scheduleForm.shape }))
    .output(z.object({ version: z.int().positive() })),
  versions: adminRead('/versions/{kind}/{id}', 'The versions of a record, newest first; 200 at most', ['editor'])
    .errors({ NOT_FOUND: errors.NOT_FOUND })
    .input(z.strictObject({ kind: versionedKind, id: z.uuid() }))
    .output(z.object({ version: z.int().positive(), versions: z.array(version) })),
  /** Restores texts, links and image; state, place and dates stay unchanged. Nothing is deleted. */
  restoreVersion: adminWrite(
    'POST',
    '/versions/{kind}/{id}/restore',
    'Make the texts of an older version the present ones',
    ['editor'],
  )
    .errors({ ...saving, IN_TRASH: errors.IN_TRASH, RESEMBLES: errors.RESEMBLES })
    .input(z.strictObject({ kind: versionedKind, ...seen, restore: z.int().positive(), resemblanceAccepted }))
    .output(
      z.object({
        version: z.int().positive(),
        /** The image of that version no longer exists, so the present one stayed. */
        imageGone: z.boolean(),
      }),
    ),
  /** Heartbeat of an open form, and its end; it locks nothing. A form that is not open only reads who has it. */
  editing: adminWrite('POST', '/editing/{kind}/{id}', 'Say that I have the form of a record open; who else has', [
    'editor',
  ])
    .input(z.strictObject({ kind: formKind, id: z.uuid(), open: z.boolean() }))
    .output(z.object({ others: z.array(z.object({ name: z.string(), since: z.iso.datetime() })) })),
  makePreview: adminWrite(
    'POST',
    '/previews',
    'A link under which anybody who has it can read something not yet public',
    ['editor'],
  )
    .errors({ NOT_FOUND: errors.NOT_FOUND, IN_TRASH: errors.IN_TRASH })
    .input(z.strictObject({ kind: previewKind, id: z.uuid().nullable().default(null) }))
    .output(z.object({ path: z.string(), endsAt: z.iso.datetime() })),
  previews: adminRead(
    '/previews',
    'How many links to a draft work, and until when; the links themselves are not stored',
    ['editor'],
  )
    .input(z.strictObject({ kind: previewKind, id: z.uuid().optional() }))
    .output(z.object({ links: z.int().nonnegative(), lastEndsAt: z.iso.datetime().nullable() })),
  withdrawPreviews: adminWrite('POST', '/previews/withdraw', 'End all links to a draft at once', ['editor'])
    .input(z.strictObject({ kind: previewKind, id: z.uuid().nullable().default(null) }))
    .output(z.object({ withdrawn: z.int().nonnegative() })),
};

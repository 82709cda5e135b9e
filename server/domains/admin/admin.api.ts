import { PREVIEW_STAFF } from '#contract/admin/editorial.ts';
import { LIMITS } from '#contract/limits.ts';
import { auditNames, listAudit } from '#server/domains/admin/audit/audit.service.ts';
import { dashboardCounts, figuresFor } from '#server/domains/admin/dashboard/dashboard.service.ts';
import { inboxCounts, listInbox, resolveReport, settleJob } from '#server/domains/admin/inbox/inbox.service.ts';
import { changeItems } from '#server/domains/admin/inbox/inbox-bulk.service.ts';
import { claimItem, releaseItem } from '#server/domains/admin/inbox/inbox-owners.service.ts';
import { findMailboxes, readMailbox, readOlderOfMailbox } from '#server/domains/admin/people/mailboxes.service.ts';
import {
  addNote,
  findPeople,
  readOlderOfPerson,
  readPerson,
  removeNote,
} from '#server/domains/admin/people/people.service.ts';
import { readPersonalData } from '#server/domains/admin/people/personal-data.service.ts';
import { resendMail } from '#server/domains/admin/people/resend-mail.service.ts';
import { searchAdminRecords } from '#server/domains/admin/people/search.service.ts';
import { listPageViews } from '#server/domains/admin/reports/page-views.service.ts';
import { listFunnel, listModerationLoad, listRetention } from '#server/domains/admin/reports/reports.service.ts';
import { makePreview, readPreviews, withdrawPreviews } from '#server/domains/previews/previews.service.ts';
import { limit, limitedByService, perMember } from '#server/http/api/guarantees.ts';
import { admin, adminAfterStepUp, lacksSecondFactor, newAdmin } from '#server/http/api/procedures.ts';
import { requireStaff, STAFF_RIGHTS } from '#server/lib/staff-rights.ts';
import { editorOf } from '#server/records/acting-editor.ts';
import { recordOpenForm } from '#server/records/open-forms.ts';
import { listSchedules } from '#server/records/schedules.ts';
import { removeRecords, restoreRecords } from './bulk-records.service.ts';
import { recordHistory, SCHEDULES, VERSIONS } from './editorial.service.ts';
import { readList, saveList } from './list-preferences.service.ts';

const done = { ok: true as const };

/**
 * Procedures of the back office that belong to no other domain: the signed-in admin, audit log, dashboard, reports, people and
 * inbox.
 */
export const adminApi = {
  session: newAdmin.session.handler(async ({ context }) => {
    const paused = await context.paused();
    return {
      email: context.me.email,
      username: context.me.username,
      staffRoles: [...context.me.staffRoles],
      rights: STAFF_RIGHTS,
      secondFactor: lacksSecondFactor(context, context.me) ? ('setup' as const) : ('ready' as const),
      password: context.me.passwordDue ? ('initial' as const) : ('own' as const),
      proof: context.me.hasSecondFactor ? ('code' as const) : ('password' as const),
      passkey: context.me.hasPasskey,
      paused: paused && { since: paused.since.toISOString(), reason: paused.reason },
    };
  }),
  audit: {
    list: admin.audit.list.handler(({ input, context }) => listAudit(context.db, context.me, input)),
    names: admin.audit.names.handler(({ context }) => auditNames(context.db)),
  },
  dashboard: {
    counts: admin.dashboard.counts.handler(({ context }) => dashboardCounts(context.reads, context.me, context.now())),
    days: admin.dashboard.days.handler(({ input, context }) =>
      figuresFor(context.reads, context.me, input.days, context.now()),
    ),
  },
  editorial: {
    schedules: admin.editorial.schedules.handler(async ({ input, context }) => listSchedules(context.db, input.kind)),
    setSchedule: admin.editorial.setSchedule.handler(({ input: { kind, id, version, ...moments }, context }) =>
      SCHEDULES[kind].setSchedule(context.db, editorOf(context), { id, version }, moments),
    ),
    versions: admin.editorial.versions.handler(({ input, context }) => recordHistory(context.db, input.kind, input.id)),
    restoreVersion: admin.editorial.restoreVersion.handler(({ input, context }) => {
      const { kind, restore: version, resemblanceAccepted, ...seen } = input;
      return VERSIONS[kind].restore(context.db, context.media, editorOf(context), seen, {
        version,
        resemblanceAccepted,
      });
    }),
    editing: admin.editorial.editing.handler(({ input, context }) => recordOpenForm(context.db, context.me.id, input)),
    makePreview: admin.editorial.makePreview.handler(({ input, context }) => {
      requireStaff(context.me, PREVIEW_STAFF[input.kind]);
      return makePreview(context.db, context.settings, editorOf(context), input);
    }),
    previews: admin.editorial.previews.handler(({ input, context }) => {
      requireStaff(context.me, PREVIEW_STAFF[input.kind]);
      return readPreviews(context.db, { kind: input.kind, id: input.id ?? null }, context.now());
    }),
    withdrawPreviews: admin.editorial.withdrawPreviews.handler(({ input, context }) => {
      requireStaff(context.me, PREVIEW_STAFF[input.kind]);
      return withdrawPreviews(context.db, editorOf(context), input);
    }),
  },
  records: {
    remove: admin.records.remove.handler(({ input, context }) =>
      removeRecords(context.db, editorOf(context), input.kind, input.records),
    ),
    restore: admin.records.restore.handler(({ input, context }) =>
      restoreRecords(context.db, editorOf(context), input),
    ),
  },
  find: admin.find.handler(({ input, context }) => searchAdminRecords(context.db, context.me, input.q, context.now())),
  lists: {
    read: admin.lists.read.handler(({ input, context }) => readList(context.db, context.me.id, input.list)),
    save: admin.lists.save.handler(({ input, context }) => saveList(context.db, context.me.id, context.now(), input)),
  },
  funnel: {
    list: admin.funnel.list.handler(({ input, context }) => listFunnel(context.reads, context.now(), input)),
  },
  moderationLoad: {
    list: admin.moderationLoad.list.handler(({ input, context }) =>
      listModerationLoad(context.reads, context.now(), input),
    ),
  },
  pageViews: {
    list: admin.pageViews.list.handler(({ input, context }) => listPageViews(context.reads, input)),
  },
  retention: {
    list: admin.retention.list.handler(({ input, context }) => listRetention(context.reads, context.now(), input)),
  },
  people: {
    find: admin.people.find.handler(({ input, context }) => findPeople(context.db, input.q)),
    read: admin.people.read.handler(({ input, context }) => readPerson(context.db, input.id)),
    older: admin.people.older.handler(({ input, context }) => readOlderOfPerson(context.db, input)),
    addNote: admin.people.addNote.handler(({ input, context }) =>
      addNote(context.db, editorOf(context), input.id, input.text),
    ),
    removeNote: admin.people.removeNote.handler(({ input, context }) =>
      removeNote(context.db, editorOf(context), input.id),
    ),
    look: adminAfterStepUp.people.look
      .use(limit(perMember('look', LIMITS.viewAsMemberHour)))
      .handler(({ input, context }) =>
        readPersonalData(
          context.db,
          { jobs: context.jobs, secret: context.secret, fixedNow: context.fixedNow() },
          editorOf(context),
          input.id,
          input.reason,
        ),
      ),
  },
  mailboxes: {
    find: admin.mailboxes.find.handler(({ input, context }) => findMailboxes(context.db, input.q)),
    read: admin.mailboxes.read.handler(({ input, context }) => readMailbox(context.db, input.address)),
    older: admin.mailboxes.older.handler(({ input, context }) => readOlderOfMailbox(context.db, input)),
    sendAgain: admin.mailboxes.sendAgain
      .use(limit(perMember('mail-again', LIMITS.mailAgainHour)))
      // Copies count with the mail that they are copies of, which only the service knows.
      .use(limitedByService({ each: LIMITS.mailAgainEach }))
      .handler(({ input, context: { db, jobs, secret, limits, ...context } }) =>
        resendMail(db, { jobs, secret, by: editorOf(context), limit: limits.each }, input.id),
      ),
  },
  inbox: {
    counts: admin.inbox.counts.handler(({ context }) => inboxCounts(context.db, context.me)),
    list: admin.inbox.list.handler(({ input, context }) => listInbox(context.db, context.me, input)),
    take: admin.inbox.take.handler(
      async ({ input, context }) =>
        (await claimItem(context.db, editorOf(context), context.me, input.source, input.id)).item,
    ),
    release: admin.inbox.release.handler(
      async ({ input, context }) =>
        (await releaseItem(context.db, editorOf(context), context.me, input.source, input.id)).item,
    ),
    changeMany: admin.inbox.changeMany.handler(({ input, context }) =>
      changeItems({ db: context.db, jobs: context.jobs, by: editorOf(context), me: context.me }, input),
    ),
    resolveReport: admin.inbox.resolveReport.handler(async ({ input, context }) => {
      await resolveReport(context.db, context.jobs, editorOf(context), context.me, input);
      return done;
    }),
    settleJob: admin.inbox.settleJob.handler(async ({ input, context }) => {
      await settleJob(context.db, context.jobs, editorOf(context), input);
      return done;
    }),
  },
};

import { LIMITS } from '#contract/limits.ts';
import { limit, perMember } from '#server/http/api/guarantees.ts';
import { admin, adminAfterStepUp } from '#server/http/api/procedures.ts';
import { editorOf } from '#server/records/acting-editor.ts';
import { listSettings, saveSettings } from './manage.service.ts';
import { createTestInvoice, sendTestMail, testTelegram } from './provider-tests.service.ts';

export const settingsAdminApi = {
  list: admin.settings.list.handler(({ context }) => listSettings(context.db, context.settings)),
  save: adminAfterStepUp.settings.save.handler(({ input, context }) =>
    saveSettings(context.db, context.settings, context.media, editorOf(context), input.changes),
  ),
  testMail: adminAfterStepUp.settings.testMail
    .use(limit(perMember('setting-trial', LIMITS.settingsTestHour)))
    .handler(({ input: { locale }, context }) =>
      sendTestMail(context.db, context, editorOf(context), { email: context.me.email, locale }),
    ),
  testPayment: adminAfterStepUp.settings.testPayment
    .use(limit(perMember('setting-trial', LIMITS.settingsTestHour)))
    .handler(({ context }) =>
      createTestInvoice(
        context.db,
        { payments: context.paymentProvider, publicUrl: context.publicUrl },
        editorOf(context),
      ),
    ),
  testTelegram: adminAfterStepUp.settings.testTelegram
    .use(limit(perMember('setting-trial', LIMITS.settingsTestHour)))
    .handler(({ context }) => testTelegram(context.db, context.telegram.bot, editorOf(context))),
  doctor: admin.settings.doctor.handler(async ({ context }) => ({
    at: context.now().toISOString(),
    findings: await context.findings(),
  })),
};

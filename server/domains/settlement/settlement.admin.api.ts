import { admin, adminAfterStepUp } from '#server/http/api/procedures.ts';
import { editorOf } from '#server/records/acting-editor.ts';
import { explainDifference, listDifferences, listRuns, requestSettlementRun } from './manage.service.ts';

const done = { ok: true as const };

export const settlementAdminApi = {
  runs: admin.settlement.runs.handler(async ({ context }) => ({ runs: await listRuns(context.db) })),
  list: admin.settlement.list.handler(({ input, context }) => listDifferences(context.db, input)),
  run: admin.settlement.run.handler(async ({ context }) => {
    await requestSettlementRun(context.db, context.jobs, editorOf(context), context.me);
    return done;
  }),
  explain: adminAfterStepUp.settlement.explain.handler(async ({ input, context }) => {
    await explainDifference(context.db, editorOf(context), context.me, input);
    return done;
  }),
};

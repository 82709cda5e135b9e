import type { Handler } from '#server/jobs/handler.ts';

export const noteAudit: Handler<'note-audit'> = async (_input, { services }) => {
  await services.ledger.noteAudit();
};

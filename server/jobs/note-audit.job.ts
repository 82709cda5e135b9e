import type { Handler } from './handler.ts';

export const noteAudit: Handler<'note-audit'> = async (_input, { services }) => {
  await services.ledger.noteAudit();
};

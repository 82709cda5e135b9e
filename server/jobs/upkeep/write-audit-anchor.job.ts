import type { Handler } from '#server/jobs/handler.ts';

export const writeAuditAnchor: Handler<'write-audit-anchor'> = async (_input, { services }) => {
  await services.ledger.writeAuditAnchor();
};

import { backfillMoneyLedger } from '#server/domains/settlement/money-backfill.service.ts';
import type { Handler } from '#server/jobs/handler.ts';

/** Posts payments and deposits that are not in the money ledger yet, one transaction each. */
export const backfillMoneyLedgerJob: Handler<'backfill-money-ledger'> = async (_input, { services: { db }, log }) => {
  const posted = await backfillMoneyLedger(db);
  if (posted > 0) log.info({ posted }, 'payments posted to the money ledger');
};

import { enterOlderMoney } from '#server/domains/settlement/older-money.service.ts';
import type { Handler } from '#server/jobs/handler.ts';

/** Posts payments and deposits that are not in the money ledger yet, one transaction each. */
export const enterMoneyJob: Handler<'enter-money'> = async (_input, { services: { db }, log }) => {
  const entered = await enterOlderMoney(db);
  if (entered > 0) log.info({ entered }, 'payments entered into the money ledger');
};

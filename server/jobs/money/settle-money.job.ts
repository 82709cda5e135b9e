import type { Handler } from '#server/jobs/handler.ts';

/** Compares the money ledger with the provider. In a paused installation no job runs. */
export const settleMoneyJob: Handler<'settle-money'> = async ({ by }, { services, log }, { attempt }) => {
  const done = await services.settlement.run(by ?? null, attempt > 1);
  log.info(done, 'money compared with the provider');
};

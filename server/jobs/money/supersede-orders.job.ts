import type { Handler } from '#server/jobs/handler.ts';
import { runEachSettled } from '#server/lib/concurrency/run-each-settled.ts';

/** Updates orders of earlier versions: those from before a change of plan are superseded, ended ones with money put under review. */
export const supersedeOrders: Handler<'supersede-orders'> = async (_input, { services: { payments }, log }) => {
  const older = async () => {
    const superseded = await payments.supersedeMissed();
    if (superseded > 0) log.info({ superseded }, 'older orders superseded');
  };
  const ended = async () => {
    const reviewed = await payments.reviewEnded();
    if (reviewed > 0) log.info({ reviewed }, 'ended orders with money put under review');
  };
  await runEachSettled([older, ended], (part) => part());
};

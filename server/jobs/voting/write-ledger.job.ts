import { setTimeout as pause } from 'node:timers/promises';
import { domainOf } from '#contract/live.ts';
import { runAs } from '#server/db/timeouts.ts';
import type { Handler, JobContext } from '#server/jobs/handler.ts';

/** Votes of this time are entered together. Milliseconds. */
const COALESCE_MS = 1_000;

export const writeLedger: Handler<'write-ledger'> = async (_input, { services }) => {
  await services.ledger.run();
};

/**
 * Enters votes within seconds: whenever they are said to have changed, and once more when they did so meanwhile. What fails
 * here is made up for by the regular job.
 */
export function followVotes({ services, log }: JobContext): void {
  let changed = false;
  let busy = false;
  const write = async () => {
    if (busy) return;
    busy = true;
    while (changed && !services.jobs.stopped) {
      await pause(COALESCE_MS, undefined, { ref: false });
      changed = false;
      try {
        const done = await runAs('job', () => services.ledger.run());
        // Another process is at it, and may have looked before this change; or more came than one run enters.
        if (done === null || done.more) changed = true;
      } catch (error) {
        if (!services.jobs.stopped) log.warn({ err: error }, 'the ledger was not written');
      }
    }
    busy = false;
  };
  const note = () => {
    changed = true;
    void write();
  };
  services.hub.onEvent((event) => {
    if (domainOf(event) === 'voting') note();
  });
  note();
}

import { setTimeout as pause } from 'node:timers/promises';
import { domainOf } from '#contract/live.ts';
import { runAs } from '#server/db/timeouts.ts';
import type { Handler, JobContext } from '#server/jobs/handler.ts';

/** Votes within this time are appended together. Milliseconds. */
const COALESCE_MS = 1_000;

export const writeLedger: Handler<'write-ledger'> = async (_input, { services }) => {
  await services.ledger.run();
};

/**
 * Appends votes to the ledger within seconds: on every event of the voting domain, and again if one arrived during a
 * run. What fails here is done by the recurring job.
 */
export function writeLedgerOnVotes({ services, log }: JobContext): void {
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
        // Null: another process is writing, and may have read before this change. `more`: one run has a limit.
        if (done === null || done.more) changed = true;
      } catch (error) {
        if (!services.jobs.stopped) log.warn({ err: error }, 'writing the ledger failed');
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

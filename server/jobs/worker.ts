import { runAs } from '#server/db/timeouts.ts';
import { startTelegramBot } from '#server/domains/notifications/telegram/bot.service.ts';
import { PermanentFailure } from '#server/lib/errors/permanent-failure.ts';
import type { JobName } from './catalog.ts';
import type { Handler, JobContext } from './handler.ts';
import { deliverNotificationsJob } from './messages/deliver-notifications.job.ts';
import { notifyStaff } from './messages/notify-staff.job.ts';
import { sendMail } from './messages/send-mail.job.ts';
import { backfillMoneyLedgerJob } from './money/backfill-money-ledger.job.ts';
import { fetchPayment } from './money/fetch-payment.job.ts';
import { reconcilePayments } from './money/reconcile-payments.job.ts';
import { settleMoneyJob } from './money/settle-money.job.ts';
import { supersedeOrders } from './money/supersede-orders.job.ts';
import { checkProofsJob } from './tokens/check-proofs.job.ts';
import { checkTokenFilesJob } from './tokens/check-token-files.job.ts';
import { notifyCreatedJob } from './tokens/notify-created.job.ts';
import { notifyLaunchesJob } from './tokens/notify-launches.job.ts';
import { refreshMarket } from './tokens/refresh-market.job.ts';
import { verifySourcesJob } from './tokens/verify-sources.job.ts';
import { watchDeliverablesJob } from './tokens/watch-deliverables.job.ts';
import { applySchedulesJob } from './upkeep/apply-schedules.job.ts';
import { cleanUploads } from './upkeep/clean-uploads.job.ts';
import { finishBans } from './upkeep/finish-bans.job.ts';
import { housekeeping } from './upkeep/housekeeping.job.ts';
import { purgeTrashJob } from './upkeep/purge-trash.job.ts';
import { sumCounters } from './upkeep/sum-counters.job.ts';
import { sumReportsJob } from './upkeep/sum-reports.job.ts';
import { updateBannedVotes } from './upkeep/update-banned-votes.job.ts';
import { writeAuditAnchor } from './upkeep/write-audit-anchor.job.ts';
import { closeRound, closeRoundOnTime } from './voting/close-round.job.ts';
import { decideVotes } from './voting/decide-votes.job.ts';
import { newVotingDay } from './voting/new-voting-day.job.ts';
import { reviewVotes } from './voting/review-votes.job.ts';
import { writeLedger, writeLedgerOnVotes } from './voting/write-ledger.job.ts';

/** A name in the catalog without a handler here is a compile error. */
const handlers: { [N in JobName]: Handler<N> } = {
  'check-proofs': checkProofsJob,
  'clean-uploads': cleanUploads,
  'close-round': closeRound,
  'decide-votes': decideVotes,
  'deliver-notifications': deliverNotificationsJob,
  'backfill-money-ledger': backfillMoneyLedgerJob,
  'new-voting-day': newVotingDay,
  'finish-bans': finishBans,
  'update-banned-votes': updateBannedVotes,
  'fetch-payment': fetchPayment,
  housekeeping,
  'write-audit-anchor': writeAuditAnchor,
  'purge-trash': purgeTrashJob,
  'check-token-files': checkTokenFilesJob,
  'verify-sources': verifySourcesJob,
  'reconcile-payments': reconcilePayments,
  'refresh-market': refreshMarket,
  'review-votes': reviewVotes,
  'send-mail': sendMail,
  'settle-money': settleMoneyJob,
  'supersede-orders': supersedeOrders,
  'sum-counters': sumCounters,
  'sum-reports': sumReportsJob,
  'notify-created': notifyCreatedJob,
  'notify-launches': notifyLaunchesJob,
  'notify-staff': notifyStaff,
  'apply-schedules': applySchedulesJob,
  'write-ledger': writeLedger,
  'watch-deliverables': watchDeliverablesJob,
};

/** Interval of the check whether a paused installation was resumed. Milliseconds. */
const POLL_MS = 2_000;

/**
 * Starts the background jobs of this process; in a paused installation only once an operator has resumed it. Stopping
 * the queue ends that wait as well.
 */
export async function startWorker(context: JobContext): Promise<void> {
  const { services, log } = context;
  if (!(await services.paused())) return work(context);
  log.warn('background jobs not started: this installation is paused');
  const poll = async () => {
    const paused = await services.paused();
    if (services.jobs.stopped) return;
    if (paused) return wait();
    await work(context);
    log.info('background jobs started: this installation was resumed');
  };
  const again = (error: unknown) => {
    log.warn({ err: error }, 'starting the paused background jobs failed');
    wait();
  };
  const wait = () => void setTimeout(() => void poll().catch(again), POLL_MS).unref();
  wait();
}

async function work(context: JobContext): Promise<void> {
  const { services, log } = context;
  writeLedgerOnVotes(context);
  closeRoundOnTime(context);
  services.jobs.onShutdown(startTelegramBot(services, log));
  for (const name of Object.keys(handlers) as JobName[]) {
    await context.services.jobs.work(name, async (input, about) => {
      try {
        const run = () => runAs('job', () => (handlers[name] as Handler<JobName>)(input, context, about));
        await (context.observe ? context.observe(name, run) : run());
      } catch (error) {
        context.log.warn(
          {
            err: error,
            job: name,
            jobId: about.jobId,
            attempt: about.attempt,
            last: about.last || error instanceof PermanentFailure,
          },
          'job failed',
        );
        throw error;
      }
    });
  }
}

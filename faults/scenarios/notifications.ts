import type { FaultEnvironment } from '../rig/fault-run.ts';
import { duringWork } from '../rig/wait.ts';
import type { Fault, FaultContext } from './fault.ts';

/** Maximum delay of the kill after the start of a delivery. */
const MAX_DELAY_MS = 60;

/** Delivers waiting notifications now; a site does that once a minute. */
export const deliverNow = (environment: FaultEnvironment): Promise<unknown> =>
  environment.cluster.run(environment.database, [
    `update notification_deliveries set due_at = now() where state = 'waiting'`,
    `insert into jobs.job (name, data) values ('deliver-notifications', '{}')`,
  ]);

/** Kills alternately while due notifications are settled and while their mails are sent, at a varying point. */
async function killDelivering({ environment, attempt, over }: FaultContext): Promise<void> {
  const [site] = environment.sites;
  const name = attempt % 2 === 0 ? 'deliver-notifications' : 'send-mail';
  const client = await environment.cluster.connect(environment.database);
  try {
    const { rows } = await client.query<{ now: string }>('select clock_timestamp()::text as now');
    await deliverNow(environment);
    // A job of an earlier kill stays active for up to a minute, although no process works on it.
    const active = async () =>
      (
        await client.query<{ id: string }>(
          `select id from jobs.job where name = $1 and state = 'active' and started_on > $2::timestamptz`,
          [name, rows[0]?.now],
        )
      ).rows[0];
    await duringWork(`a job ${name} is active`, active, (attempt * 13) % MAX_DELAY_MS);
    await site?.kill();
  } finally {
    await client.end();
  }
  site?.launch();
  over();
}

export const notificationFaults: Fault[] = [
  {
    name: 'notify-kill',
    title: 'site killed while it delivers notifications',
    sites: 1,
    repetitions: 50,
    short: 2,
    inject: killDelivering,
  },
];

import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultEnvironment } from '../rig/stage.ts';
import type { Fault, FaultContext } from './fault.ts';

/** Poll interval, and maximum wait for a delivery. */
const POLL_MS = 2;
const TIMEOUT_MS = 20_000;
/** Maximum delay of the kill after the start of a delivery. */
const MAX_DELAY_MS = 60;

/** Delivers waiting notifications now; a site does so once a minute. */
export const deliverNow = (scene: FaultEnvironment): Promise<unknown> =>
  scene.cluster.run(scene.database, [
    `update notification_deliveries set due_at = now() where state = 'waiting'`,
    `insert into jobs.job (name, data) values ('deliver-notifications', '{}')`,
  ]);

/** Waits until a job of this name is active, then for a varying time, to kill at any point of it. */
async function whileItRuns({ scene, attempt }: FaultContext, name: string): Promise<void> {
  const client = await scene.cluster.connect(scene.database);
  try {
    for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; await sleep(POLL_MS)) {
      const { rowCount } = await client.query(`select 1 from jobs.job where name = $1 and state = 'active'`, [name]);
      if (rowCount) break;
    }
  } finally {
    await client.end();
  }
  await sleep((attempt * 13) % MAX_DELAY_MS);
}

/** Alternately during the settling of due notifications and during the sending of their mails. */
async function killDelivering(context: FaultContext): Promise<void> {
  const { scene, attempt, over } = context;
  const [site] = scene.sites;
  await deliverNow(scene);
  await whileItRuns(context, attempt % 2 === 0 ? 'deliver-notifications' : 'send-mail');
  await site?.kill();
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

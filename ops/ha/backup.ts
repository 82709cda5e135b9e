// Backups of the drill with pgBackRest: a full one at the start, and a restore to a time between two writes.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { until } from '../../faults/rig/wait.ts';
import { BIN, type Machine, own, ownFolder, start } from './machines.ts';

/** Runs it until it ends. @throws Error when it fails; its output is in the log. */
function finish(machine: Machine, command: string[], log: string): Promise<void> {
  const child = machine.exec(command, log);
  return new Promise((resolve, reject) => {
    child.once('exit', (code) =>
      code === 0
        ? resolve()
        : reject(new Error(`${command.join(' ')} ended with ${code}; see ${machine.dir}/${log}.log`)),
    );
  });
}

const backrest = (machine: Machine, ...args: string[]) =>
  finish(
    machine,
    ['pgbackrest', `--config=${path.join(machine.dir, 'pgbackrest.conf')}`, '--stanza=florka', ...args],
    'pgbackrest',
  );

/** Makes a full backup of the leader. */
export async function takeBackup(leader: Machine): Promise<void> {
  await backrest(leader, 'stanza-create');
  await backrest(leader, 'check');
  await backrest(leader, 'backup', '--type=full');
}

/**
 * Restores the backup to a time before the last write and checks its content.
 * @returns one sentence.
 * @throws Error when the content is not that of this time.
 */
export async function restoreToMoment(
  leader: Machine,
  connect: (database: string) => Promise<pg.Client>,
  folder: string,
): Promise<string> {
  const client = await connect('florka');
  await client.query('create table if not exists drill_moments (name text)');
  await client.query("insert into drill_moments values ('before')");
  const { rows } = await client.query<{ votes: string; moment: string }>(
    'select (select count(*) from votes)::text as votes, clock_timestamp()::text as moment',
  );
  const [then] = rows;
  if (!then) throw new Error('no moment');
  await sleep(1_500);
  await client.query("insert into drill_moments values ('after')");
  await client.query('delete from votes where ctid in (select ctid from votes limit 10)').catch(() => {});
  await client.query('select pg_switch_wal()');
  await client.end();
  await backrest(leader, 'check');

  const began = performance.now();
  const target = path.join(folder, 'restored');
  ownFolder(target);
  await backrest(
    leader,
    'restore',
    `--pg1-path=${target}`,
    '--type=time',
    `--target=${then.moment}`,
    '--target-action=promote',
  );
  own(path.join(folder, 'front/restored.hba'), 'host all all 127.0.0.1/32 scram-sha-256\n');
  const settings = [
    'port=5999',
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}/front`,
    'archive_mode=off',
  ];
  start(path.join(folder, 'front/restored.log'), [
    `${BIN}/postgres`,
    '-D',
    target,
    ...settings.flatMap((one) => ['-c', one]),
    '-c',
    `hba_file=${path.join(folder, 'front/restored.hba')}`,
  ]);
  const { password, user } = client;
  const place = { host: '127.0.0.1', port: 5999, user, password, database: 'florka' } as pg.ClientConfig;
  let found: { names: string; votes: string; recovering: boolean } | undefined;
  await until(
    'the restored database answers',
    async () => {
      const other = new pg.Client(place);
      other.on('error', () => {});
      try {
        await other.connect();
        const answer = await other.query(`select (select string_agg(name, ',') from drill_moments) as names,
          (select count(*) from votes)::text as votes, pg_is_in_recovery() as recovering`);
        found = answer.rows[0];
        return found?.recovering === false;
      } catch {
        return false;
      } finally {
        await other.end().catch(() => {});
      }
    },
    180_000,
  );
  if (found?.names !== 'before' || found.votes !== then.votes)
    throw new Error(`restored to ${then.moment}: ${found?.names}, ${found?.votes} votes of ${then.votes}`);
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  return `restored to ${then.moment} in ${seconds} s: ${then.votes} votes and what was written before, nothing of 1.5 s later`;
}

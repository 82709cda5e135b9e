import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DATABASE_ROLES, type DatabaseRole, roleName } from '#server/db/rights.ts';
import { errorCode, explainWriteError, StartError } from '#server/lib/errors/start-error.ts';
import { type Cluster, childEnv } from './cluster.ts';

/** Directory of the roles' passwords below DATA_DIR: one file per role, readable by its owner only. */
const PASSWORDS = 'database-passwords';
/** File inside of the cluster with a hash of the passwords that its roles were created with. */
const MARK = 'florka-roles';
/**
 * The access rules. A separate file from the one that initdb writes, so that a previous version of this program still finds its
 * own.
 */
const ACCESS = 'florka_hba.conf';
/** Changes with `provision`, so that it is repeated on clusters of earlier versions. */
const VERSION = 2;

export type Passwords = Readonly<Record<DatabaseRole, string>>;

/**
 * The roles' passwords, generated on the first start.
 *
 * @throws StartError when they cannot be written.
 */
export function readOrMakePasswords(dataDir: string): Passwords {
  const dir = path.join(dataDir, PASSWORDS);
  try {
    fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
    for (const role of DATABASE_ROLES) {
      // Written atomically: a partial password would lock us out.
      if (readPassword(dataDir, role)) continue;
      const file = path.join(dir, role);
      const temporary = `${file}.${process.pid}`;
      fs.writeFileSync(temporary, randomBytes(32).toString('hex'), { mode: 0o600, flush: true });
      fs.renameSync(temporary, file);
    }
  } catch (error) {
    throw explainWriteError(error, dir);
  }
  return Object.fromEntries(DATABASE_ROLES.map((role) => [role, readPassword(dataDir, role) ?? ''])) as Passwords;
}

/** The password of one role; null when it does not exist (yet), or is not readable for us. */
export function readPassword(dataDir: string, role: DatabaseRole): string | null {
  try {
    const text = fs.readFileSync(path.join(dataDir, PASSWORDS, role), 'utf8').trim();
    return /^[0-9a-f]{64}$/.test(text) ? text : null;
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ENOTDIR'].includes(errorCode(error) ?? '')) return null;
    throw error;
  }
}

/** The server setting with the access rules. */
export const accessSetting = ({ dir }: Cluster): string => `hba_file=${path.join(dir, ACCESS)}`;

const markOf = (passwords: Passwords): string =>
  createHash('sha256')
    .update(JSON.stringify([VERSION, ...DATABASE_ROLES.map((role) => passwords[role])]))
    .digest('hex');

/** True when the cluster has the roles with these passwords, and permits no other access. */
export function isProvisioned({ dir }: Cluster, passwords: Passwords): boolean {
  try {
    return (
      fs.readFileSync(path.join(dir, MARK), 'utf8').trim() === markOf(passwords) &&
      fs.existsSync(path.join(dir, ACCESS))
    );
  } catch {
    return false;
  }
}

/** True when the server that runs on this cluster requires passwords: one of a previous version does not. */
export function runsWithPasswords(cluster: Cluster): boolean {
  try {
    return fs.readFileSync(path.join(cluster.dir, 'postmaster.opts'), 'utf8').includes(accessSetting(cluster));
  } catch {
    return false;
  }
}

/** There is no superuser access by the socket: that requires access to the machine, to start `postgres --single`. */
const accessFile = (): string =>
  [
    '# Written by Florka at its start.',
    `local all ${DATABASE_ROLES.map(roleName).join(',')} scram-sha-256`,
    'local all all reject',
    '',
  ].join('\n');

/** Objects from before there were roles belong to the superuser. */
const HAND_OVER = `do $$ declare of record; begin
for of in
  select format('alter schema %I owner to %I', nspname, '${roleName('owner')}') as change
  from pg_namespace where nspname = 'jobs'
  union all
  select format('alter table %s owner to %I', c.oid::regclass, '${roleName('owner')}')
  from pg_class c where c.relnamespace in (select oid from pg_namespace where nspname in ('public', 'jobs'))
    and c.relkind in ('r', 'p', 'v', 'm', 'f') and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  union all
  select format('alter sequence %s owner to %I', c.oid::regclass, '${roleName('owner')}')
  from pg_class c where c.relnamespace in (select oid from pg_namespace where nspname in ('public', 'jobs'))
    and c.relkind = 'S' and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i', 'e'))
  union all
  select format('alter routine %s owner to %I', p.oid::regprocedure, '${roleName('owner')}')
  from pg_proc p where p.pronamespace in (select oid from pg_namespace where nspname in ('public', 'jobs'))
    and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  union all
  select format('alter type %s owner to %I', t.oid::regtype, '${roleName('owner')}')
  from pg_type t where t.typnamespace in (select oid from pg_namespace where nspname in ('public', 'jobs'))
    and t.typtype in ('e', 'd') and not exists (select 1 from pg_depend d where d.objid = t.oid and d.deptype = 'e')
loop execute of.change; end loop; end $$`;

function statementsFor(passwords: Passwords): string[] {
  const roles = DATABASE_ROLES.flatMap((role) => {
    const name = roleName(role);
    return [
      `do $$ begin if to_regrole('${name}') is null then create role ${name}; end if; end $$`,
      `alter role ${name} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '${passwords[role]}'`,
      // The data directory is part of distinguishing a copy from the original (installation.ts).
      `grant pg_read_all_settings to ${name}`,
    ];
  });
  return [
    ...roles,
    // Its metrics are about the sessions of all roles.
    `grant pg_read_all_stats to ${roleName('app')}`,
    `alter database postgres owner to ${roleName('owner')}`,
    'revoke connect, temporary on database template1 from public',
    HAND_OVER,
  ];
}

/**
 * Creates the roles and transfers the tables to their owner, without a server that could be accessed meanwhile: PostgreSQL runs in
 * single-user mode on the cluster and reads the statements from us. An interruption is repeated at the next start.
 *
 * @throws StartError with PostgreSQL's own reason.
 */
export async function provision(cluster: Cluster, postgres: string, passwords: Passwords): Promise<void> {
  const { dir, account } = cluster;
  // A blank line after a semicolon ends a statement (-j), so that blocks may contain semicolons.
  const input = `${statementsFor(passwords).join(';\n\n')};\n\n`;
  const args = [
    '--single',
    '-D',
    dir,
    '-j',
    '-c',
    'exit_on_error=on',
    '-c',
    'log_min_error_statement=panic',
    'postgres',
  ];
  for (let attempt = 1; ; attempt++) {
    const run = spawnSync(postgres, args, { ...account, cwd: '/', encoding: 'utf8', env: childEnv(), input });
    if (!run.error && run.status === 0) break;
    const lines = (run.stderr ?? '').trim().split('\n');
    const reason = run.error?.message ?? lines.findLast((line) => /ERROR:|FATAL:|PANIC:/.test(line)) ?? lines.at(-1);
    // After kill -9 of the server its child processes may need a moment to release the shared memory.
    if (attempt === 50 || !reason?.includes('still in use'))
      throw new StartError(`The roles of the database could not be made: ${reason}`);
    await sleep(200);
  }
  writeOwn(cluster, ACCESS, accessFile());
  writeOwn(cluster, MARK, `${markOf(passwords)}\n`);
}

function writeOwn({ dir, account }: Cluster, name: string, text: string): void {
  const file = path.join(dir, name);
  const temporary = `${file}.${process.pid}`;
  try {
    fs.writeFileSync(temporary, text, { mode: 0o600, flush: true });
    if (account) fs.chownSync(temporary, account.uid, account.gid);
    fs.renameSync(temporary, file);
  } catch (error) {
    throw explainWriteError(error, dir);
  }
}

import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DATABASE_ROLES, type DatabaseRole, roleName } from '#server/db/rights.ts';
import { errorCode, explainWriteError, StartError } from '#server/lib/errors/start-error.ts';
import { type Cluster, childEnv } from './cluster.ts';

/** Where the passwords of the roles lie below DATA_DIR: a file for each, that only its owner reads. */
const PASSWORDS = 'database-passwords';
/** Says inside of the cluster for which passwords its roles were made, as a hash. */
const MARK = 'florka-roles';
/** Who may come in and how. Beside the file that initdb writes, so that a former version of this program still finds its own. */
const ACCESS = 'florka_hba.conf';
/** Changes with what `provision` does, so that it is done again on clusters of earlier versions. */
const VERSION = 1;

export type Passwords = Readonly<Record<DatabaseRole, string>>;

/**
 * The roles' passwords, made on the first start.
 *
 * @throws StartError when they cannot be written.
 */
export function readOrMakePasswords(dataDir: string): Passwords {
  const dir = path.join(dataDir, PASSWORDS);
  try {
    fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
    for (const role of DATABASE_ROLES) {
      // Whole or not at all: half a password would lock us out.
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

/** The password of one role; null where there is none (yet), or where it is not ours to read. */
export function readPassword(dataDir: string, role: DatabaseRole): string | null {
  try {
    const text = fs.readFileSync(path.join(dataDir, PASSWORDS, role), 'utf8').trim();
    return /^[0-9a-f]{64}$/.test(text) ? text : null;
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ENOTDIR'].includes(errorCode(error) ?? '')) return null;
    throw error;
  }
}

/** The setting that names who may come in. */
export const accessSetting = ({ dir }: Cluster): string => `hba_file=${path.join(dir, ACCESS)}`;

const markOf = (passwords: Passwords): string =>
  createHash('sha256')
    .update(JSON.stringify([VERSION, ...DATABASE_ROLES.map((role) => passwords[role])]))
    .digest('hex');

/** Whether the cluster has the roles with these passwords, and nobody else may come in. */
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

/** Whether the server that runs on this cluster asks for passwords: one of a former version does not. */
export function runsWithPasswords(cluster: Cluster): boolean {
  try {
    return fs.readFileSync(path.join(cluster.dir, 'postmaster.opts'), 'utf8').includes(accessSetting(cluster));
  } catch {
    return false;
  }
}

/** Nobody is the superuser over the socket: whoever needs that has the machine, and starts `postgres --single`. */
const accessFile = (): string =>
  [
    '# Written by Florka at its start.',
    `local all ${DATABASE_ROLES.map(roleName).join(',')} scram-sha-256`,
    'local all all reject',
    '',
  ].join('\n');

/** What the cluster held before there were roles belongs to its superuser. */
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
      // Where the data are is a part of knowing a copy from the original (installation.ts).
      `grant pg_read_all_settings to ${name}`,
    ];
  });
  return [
    ...roles,
    `alter database postgres owner to ${roleName('owner')}`,
    'revoke connect, temporary on database template1 from public',
    HAND_OVER,
  ];
}

/**
 * Makes the roles and gives the tables to their owner, without a server that anybody could reach meanwhile: PostgreSQL runs
 * alone on the cluster and reads the statements from us. Cut short it is done again at the next start.
 *
 * @throws StartError with PostgreSQL's own reason.
 */
export async function provision(cluster: Cluster, postgres: string, passwords: Passwords): Promise<void> {
  const { dir, account } = cluster;
  // A blank line after a semicolon ends a statement (-j), so that blocks may hold semicolons.
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
    // After kill -9 of the server its children may need a moment to let go of the shared memory.
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

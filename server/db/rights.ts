import type { ClientBase } from 'pg';
import { readGrantedRoles, readOwnTables } from './rights.sql.ts';
import { readNames } from './server.sql.ts';

/**
 * Database roles. The owner owns and changes the tables; the app serves the site; the signer creates tokens; the reader makes
 * backups and statistics.
 */
export const DATABASE_ROLES = ['owner', 'app', 'signer', 'reader'] as const;
export type DatabaseRole = (typeof DATABASE_ROLES)[number];

/** Name of a role in the database. */
export const roleName = (role: DatabaseRole): string => `florka_${role}`;

/**
 * Rights of the app, in addition to SELECT, on tables that record history. On tables that are not listed it may change and delete
 * rows. Nothing may be truncated.
 */
export const LIMITED_TABLES: Readonly<Record<string, readonly string[]>> = {
  schema_migrations: [],
  audit_events: ['insert'],
  counter_changes: ['insert', 'delete'],
  ledger_leaves: ['insert', 'update (vote_id)'],
  ledger_hashes: ['insert'],
  ledger_results: ['insert'],
  round_races: ['insert'],
  round_standings: ['insert'],
  // Written by the owner's command; deleted with their candidate, or permanently after a reset.
  carried_votes: ['delete'],
  money_transactions: ['insert'],
  money_entries: ['insert'],
  money_totals: ['insert', 'update'],
  payment_events: ['insert', 'update (payment_id)'],
  refund_cases: ['insert', 'update'],
  deliverable_terms: ['insert'],
  site_page_versions: ['insert'],
  member_trust_changes: ['insert'],
  // Deleted with their record, when the trash is emptied.
  record_versions: ['insert', 'delete'],
  token_creations: ['insert', 'update'],
  // Records of the signer: with access to the site they can be neither extended nor changed.
  creation_attempts: [],
  creation_nonces: [],
  creation_deposits: [],
  payment_acceptances: ['insert'],
  token_proposals: ['insert', 'update (state, answered_at, reminded_at)'],
  token_approvals: ['insert'],
  token_readings: ['insert'],
  ownership_proofs: ['insert', 'update'],
  // A link is created or deleted, and never transferred to another member.
  linked_wallets: ['insert', 'update (last_used_at)', 'delete'],
  next_launch_changes: ['insert'],
  sold_places: ['insert', 'update (ended_at, end_cause, settled_at)'],
};

/** All rights of the signer. It has no access to accounts, sessions and mails. */
const SIGNERS: Readonly<Record<string, readonly string[]>> = {
  schema_migrations: ['select'],
  settings: ['select'],
  audit_events: ['select', 'insert'],
  // Locking a request while its token is signed requires the right to update it.
  token_creation_submissions: ['select', 'update (updated_at)'],
  payments: ['select'],
  token_creations: ['select', 'update'],
  creation_attempts: ['select', 'insert', 'update (sent_at, outcome)'],
  creation_nonces: ['select', 'insert'],
  creation_deposits: ['select', 'insert'],
  payment_acceptances: ['select'],
  token_proposals: ['select'],
  token_approvals: ['select'],
  token_readings: ['select', 'insert'],
  signer_workers: ['select', 'insert', 'update'],
  // The previous name of the same table, a view: a signer of the previous version writes through it.
  chain_lanes: ['select', 'insert', 'update'],
};

/** Rows may be changed and deleted; never the table. */
const FULL = 'select, insert, update, delete';

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * Grants the roles the rights that they need and revokes all others. Called by the owner after the migrations, under the same lock.
 * Until the next call the app can read and insert into a new table, the reader can read it, and the signer has no access.
 *
 * @param app the role of the site's connection, as an SQL identifier. If it is the owner itself, as with one role for everything,
 *   nothing is done.
 * @returns true when rights were granted.
 */
export async function grantRights(client: ClientBase, app: string): Promise<boolean> {
  const [names] = await readNames(client, {});
  if (!names || names.role === app) return false;
  const found = await readGrantedRoles(client, { names: [app, roleName('signer'), roleName('reader')] });
  const there = new Set(found.map(({ name }) => name));
  if (!there.has(app)) return false;
  const relations = await readOwnTables(client, {});
  const own = new Set(relations.map(({ name }) => name));
  // A view is only readable, because writing through it would use its owner's rights.
  const tables = relations.filter(({ name, view }) => !view && !(name in LIMITED_TABLES)).map(({ name }) => name);
  const statements = [
    ...forRole(app, [
      ...listed('select', app, [...own]),
      ...listed(FULL, app, tables),
      ...Object.entries(LIMITED_TABLES).flatMap(([name, rights]) =>
        own.has(name) ? rights.map((right) => grant(right, name, app)) : [],
      ),
      `grant usage, select on all sequences in schema public to ${app}`,
      `grant usage on schema jobs to ${app}`,
      `grant ${FULL} on all tables in schema jobs to ${app}`,
      `grant usage, select on all sequences in schema jobs to ${app}`,
      `alter default privileges in schema public grant select, insert on tables to ${app}`,
      `alter default privileges in schema public grant usage, select on sequences to ${app}`,
      `alter default privileges in schema jobs grant ${FULL} on tables to ${app}`,
    ]),
    ...(there.has(roleName('signer')) && app !== roleName('signer')
      ? forRole(roleName('signer'), [
          ...Object.entries(SIGNERS).flatMap(([name, rights]) =>
            own.has(name) ? rights.map((right) => grant(right, name, roleName('signer'))) : [],
          ),
          `grant usage on sequence audit_events_id to ${roleName('signer')}`,
        ])
      : []),
    ...(there.has(roleName('reader')) && app !== roleName('reader')
      ? forRole(roleName('reader'), [
          `grant select on all tables in schema public to ${roleName('reader')}`,
          `grant select on all sequences in schema public to ${roleName('reader')}`,
          `grant usage on schema jobs to ${roleName('reader')}`,
          `grant select on all tables in schema jobs to ${roleName('reader')}`,
          `grant select on all sequences in schema jobs to ${roleName('reader')}`,
          `alter default privileges in schema public grant select on tables to ${roleName('reader')}`,
          `alter default privileges in schema jobs grant select on tables to ${roleName('reader')}`,
        ])
      : []),
    // Otherwise every role could create functions and tables, in the schema or temporarily.
    'revoke create on schema public from public',
    `revoke create, temporary on database ${names.name} from public`,
  ];
  await client.query('begin');
  try {
    for (const statement of statements) await client.query(statement);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
  return true;
}

/** Revokes all rights of a role, then grants. */
const forRole = (role: string, grants: string[]): string[] => [
  ...['public', 'jobs'].flatMap((schema) => [
    `revoke all on all tables in schema ${schema} from ${role}`,
    `revoke all on all sequences in schema ${schema} from ${role}`,
    `revoke all on schema ${schema} from ${role}`,
  ]),
  `grant usage on schema public to ${role}`,
  ...grants,
];

const grant = (right: string, table: string, role: string): string => {
  const [, verb, columns = ''] = /^(\w+)\s*(\(.*\))?$/.exec(right) ?? [];
  return `grant ${verb} ${columns} on table public.${quote(table)} to ${role}`;
};

const listed = (rights: string, role: string, tables: string[]): string[] =>
  tables.length === 0
    ? []
    : [`grant ${rights} on table ${tables.map((name) => `public.${quote(name)}`).join(', ')} to ${role}`];

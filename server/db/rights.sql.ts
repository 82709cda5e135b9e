// Rights of database roles, from the system catalogs.
import { arrayOf, boolean, text } from './pg-types.ts';
import { statement } from './statement.ts';

/** Those of these roles, as SQL identifiers, that exist. */
export const readGrantedRoles = statement({
  parameters: { names: arrayOf(text) },
  row: { name: text },
  text: (at) =>
    `select coalesce(quote_ident(rolname), '') as name from pg_roles where quote_ident(rolname) = any(${at.names})`,
});

/** Our tables and views that the role of the connection owns. Partitions are accessed through their table, with its rights. */
export const readOwnTables = statement({
  parameters: {},
  row: { name: text, view: boolean },
  text: () => `
    select coalesce(relname::text, '') as name, coalesce(relkind in ('v', 'm'), false) as view from pg_class
    where relnamespace = to_regnamespace('public') and relkind in ('r', 'p', 'v', 'm') and not relispartition
      and relowner = (select oid from pg_roles where rolname = current_user) order by 1`,
});

/** Rights of the role of the connection that a site never needs: superuser, creating tables, changing the audit log. */
export const readOwnPowers = statement({
  parameters: {},
  row: { role: text, superuser: boolean, creates: boolean, temporary: boolean, rewrites: boolean },
  text: () => `
    select current_user::text as role,
      coalesce((select rolsuper from pg_roles where rolname = current_user), false) as superuser,
      coalesce(has_schema_privilege('public', 'create') or has_database_privilege(current_database(), 'create'), false) as creates,
      coalesce(has_database_privilege(current_database(), 'temporary'), false) as temporary,
      coalesce((select has_table_privilege(oid, 'update') or has_table_privilege(oid, 'delete')
        or has_table_privilege(oid, 'truncate') or pg_has_role(relowner, 'member')
        from pg_class where oid = to_regclass('public.audit_events')), false) as rewrites`,
});

import type pg from 'pg';

/** A table as a backup knows it. */
export interface TableShape {
  schema: string;
  name: string;
  /** Without those that the database computes. */
  columns: string[];
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
export const fullName = ({ schema, name }: { schema: string; name: string }) => `${quoted(schema)}.${quoted(name)}`;

/** Tables whose rows belong into a backup, in a fixed order; what migrations ran is in its list of contents. */
export async function tablesOf(client: pg.ClientBase): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape>(
    `select n.nspname as schema, c.relname as name,
       array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
             and a.attgenerated = '' order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where (n.nspname = 'public' and c.relkind = 'r' and c.relname <> 'schema_migrations')
        -- Of the queue only what waits and what was done: everything else it makes anew.
        or (n.nspname = 'jobs' and c.relname = 'job')
     order by 1, 2`,
  );
  return rows;
}

export interface SequenceState {
  schema: string;
  name: string;
  last: string | null;
}

export async function sequencesOf(client: pg.ClientBase): Promise<SequenceState[]> {
  const { rows } = await client.query<SequenceState>(
    `select schemaname as schema, sequencename as name, last_value::text as last from pg_sequences
     where schemaname = 'public' order by 1, 2`,
  );
  return rows;
}

export const columnsOf = ({ columns }: TableShape) => columns.map(quoted).join(', ');

import type { readTables } from './installation.sql.ts';

/** A table of a backup; without the columns that the database computes. */
type TableShape = Awaited<ReturnType<typeof readTables>>[number];

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
export const fullName = ({ schema, name }: { schema: string; name: string }) => `${quoted(schema)}.${quoted(name)}`;

export const columnsOf = ({ columns }: Pick<TableShape, 'columns'>) => columns.map(quoted).join(', ');

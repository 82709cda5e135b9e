// Hand-written SQL whose types are true: a statement says which columns it answers with, the type of its rows follows from
// that, and server/db/statements-described.test.ts has PostgreSQL confirm every one of them. See ADR 0036.
import type pg from 'pg';
import type { Reader } from './client.ts';
import type { PgType, ValueOf } from './pg-types.ts';

type Types = Readonly<Record<string, PgType<unknown>>>;
type Values<Of extends Types> = { -readonly [Name in keyof Of]: ValueOf<Of[Name]> };

/** What a statement takes and answers with, and its text. */
export interface StatementText<Parameters extends Types, Row extends Types> {
  parameters: Parameters;
  /** By the name of the column; in the order of the text. */
  row: Row;
  /** @param at for each parameter its place in the text, with its type: `$1::uuid`. */
  text: (at: { [Name in keyof Parameters]: string }) => string;
  /** Prepared once on each connection, under this name: for what every request asks. */
  prepared?: string;
}

/** A statement as PostgreSQL gets it; for the test that has it confirmed. */
export interface Described {
  text: string;
  parameters: Types;
  row: Types;
}

/** Where statements run: the query layer, or a connection or pool without it. */
type Source = Reader | { query: pg.ClientBase['query'] | pg.Pool['query'] };

/** The driver's own parsers guess by type what a value is here; ours are those of the declared columns. */
const AS_TEXT: pg.CustomTypesConfig = { getTypeParser: () => (value: string) => value };

function compile<Parameters extends Types, Row extends Types>(definition: StatementText<Parameters, Row>) {
  const names = Object.keys(definition.parameters);
  const places = names.map((name, i) => [name, `$${i + 1}::${definition.parameters[name]?.name}`]);
  const text = definition.text(Object.fromEntries(places));
  const types = Object.entries(definition.parameters);
  const run = (source: Source, values: Values<Parameters>): Promise<pg.QueryResult<Record<string, string | null>>> => {
    const client = ('$client' in source ? source.$client : source) as pg.Pool;
    return client.query({
      ...(definition.prepared ? { name: definition.prepared } : {}),
      text,
      values: types.map(([name, type]) => type.write(values[name])),
      types: AS_TEXT,
    });
  };
  return { run, described: { text, parameters: definition.parameters, row: definition.row } };
}

/**
 * A statement that answers with rows. Belongs into a `*.sql.ts`, exported: the test finds it there.
 *
 * @returns what runs it. It throws what PostgreSQL says, and TypeError for a value that is none of its column's type.
 */
export function statement<const Parameters extends Types, const Row extends Types>(
  definition: StatementText<Parameters, Row>,
): ((source: Source, values: Values<Parameters>) => Promise<Values<Row>[]>) & { described: Described } {
  const { run, described } = compile(definition);
  const columns = Object.entries(definition.row);
  const read = async (source: Source, values: Values<Parameters>) => {
    const { rows } = await run(source, values);
    return rows.map((row) => {
      const value: Record<string, unknown> = {};
      for (const [name, type] of columns) {
        const raw = row[name];
        // A column that is not there can't happen: the test compared them.
        value[name] = raw === null || raw === undefined ? null : type.read(raw);
      }
      return value as Values<Row>;
    });
  };
  return Object.assign(read, { described });
}

/** A statement that answers with how many rows it changed. */
export function command<const Parameters extends Types>(
  definition: Omit<StatementText<Parameters, Record<never, never>>, 'row'>,
): ((source: Source, values: Values<Parameters>) => Promise<number>) & { described: Described } {
  const { run, described } = compile({ ...definition, row: {} });
  const change = async (source: Source, values: Values<Parameters>) => (await run(source, values)).rowCount ?? 0;
  return Object.assign(change, { described });
}

// Hand-written SQL with verified types: a statement declares its columns, the type of its rows follows from that, and
// server/db/statements-described.test.ts verifies every one of them with PostgreSQL. See ADR 0036.
import type pg from 'pg';
import type { Reader } from './client.ts';
import type { PgType, ValueOf } from './pg-types.ts';

type Types = Readonly<Record<string, PgType<unknown>>>;
type Values<Of extends Types> = { -readonly [Name in keyof Of]: ValueOf<Of[Name]> };

/** Parameters, columns and text of a statement. */
export interface StatementText<Parameters extends Types, Row extends Types> {
  parameters: Parameters;
  /** By name of the column; in the order of the text. */
  row: Row;
  /** @param at the placeholder of each parameter, with its type: `$1::uuid`. */
  text: (at: { [Name in keyof Parameters]: string }) => string;
  /** Prepared once per connection, under this name: for statements of every request. */
  prepared?: string;
}

/** A statement as sent to PostgreSQL; for the test that verifies it. */
export interface Described {
  text: string;
  parameters: Types;
  row: Types;
}

/** Where statements run: the query layer, or a connection or pool without it. */
type Source = Reader | { query: pg.ClientBase['query'] | pg.Pool['query'] };

/** The driver's own parsers are bypassed; values are parsed by the declared column types. */
const AS_TEXT: pg.CustomTypesConfig = { getTypeParser: () => (value: string) => value };

function compile<Parameters extends Types, Row extends Types>(definition: StatementText<Parameters, Row>) {
  const names = Object.keys(definition.parameters);
  const places = names.map((name, i) => [name, `$${i + 1}::${definition.parameters[name]?.name}`]);
  const text = definition.text(Object.fromEntries(places));
  const types = Object.entries(definition.parameters);
  const run = (source: Source, values: Values<Parameters>): Promise<pg.QueryArrayResult<(string | null)[]>> => {
    const client = ('$client' in source ? source.$client : source) as pg.Pool;
    return client.query({
      ...(definition.prepared ? { name: definition.prepared } : {}),
      text,
      values: types.map(([name, type]) => type.write(values[name])),
      types: AS_TEXT,
      // Objects with column names would only be copied into the returned ones.
      rowMode: 'array',
    });
  };
  return { run, described: { text, parameters: definition.parameters, row: definition.row } };
}

/**
 * A statement that returns rows. Must be exported from a `*.sql.ts`, where the test finds it.
 *
 * @returns the function that runs it. It throws PostgreSQL's errors, and TypeError for an invalid value of a column's type.
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
      // In the order of the text, which the test has compared.
      columns.forEach(([name, type], i) => {
        const raw = row[i];
        value[name] = raw === null || raw === undefined ? null : type.read(raw);
      });
      return value as Values<Row>;
    });
  };
  return Object.assign(read, { described });
}

/** A statement that returns the number of changed rows. */
export function command<const Parameters extends Types>(
  definition: Omit<StatementText<Parameters, Record<never, never>>, 'row'>,
): ((source: Source, values: Values<Parameters>) => Promise<number>) & { described: Described } {
  const { run, described } = compile({ ...definition, row: {} });
  const change = async (source: Source, values: Values<Parameters>) => (await run(source, values)).rowCount ?? 0;
  return Object.assign(change, { described });
}

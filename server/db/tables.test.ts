import { getTableName, is } from 'drizzle-orm';
import { getTableConfig, getViewConfig, type PgColumn, PgTable, PgView } from 'drizzle-orm/pg-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { NETWORKS } from '#contract/networks.ts';
import { useDatabase } from '#tests/support/database/database.ts';

/** Every file of the folder, so that new ones are included. */
const modules = import.meta.glob<Record<string, unknown>>('./tables/*.ts', { eager: true });
const exported = Object.values(modules).flatMap((module) => Object.entries(module));
const tables = exported.flatMap(([key, value]) => (is(value, PgTable) ? [{ key, ...getTableConfig(value) }] : []));
const views = exported.flatMap(([key, value]) => (is(value, PgView) ? [{ key, ...getViewConfig(value) }] : []));

interface ColumnFact {
  name: string;
  type: string;
  notNull: boolean;
  hasDefault: boolean;
}
interface ForeignKeyFact {
  from: string;
  to: string;
  onDelete: string;
}
interface RelationFact {
  kind: 'table' | 'view';
  columns: ColumnFact[];
  primaryKey: string[];
  foreignKeys: ForeignKeyFact[];
  unique: string[];
  /** Column -> the values its check allows. */
  enums: Record<string, string[]>;
}

const DELETE_RULES: Record<string, string> = {
  a: 'no action',
  r: 'restrict',
  c: 'cascade',
  n: 'set null',
  d: 'set default',
};
const camelCase = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
/** Database names with a retired term, and the names in the code (docs/glossary.md). */
const RETIRED_NAMES: Record<string, string> = {
  likeness_keys: 'resemblanceKeys',
  market_asks: 'marketFetches',
  vote_tries: 'voteAttempts',
  'account_tokens.asked_by': 'requestedBy',
  'account_tokens.tries': 'attempts',
  'contract_sources.next_try_at': 'nextAttemptAt',
  'contract_sources.tries': 'attempts',
  'market_asks.ask': 'kind',
  'media.picture_key': 'imageKey',
  'payments.asked_at': 'polledAt',
  'payments.ledger': 'knownFacts',
  'next_projects.told_launch_at': 'notifiedLaunchAt',
  'next_projects.told_launched': 'notifiedLaunched',
  'next_projects.told_promoted': 'notifiedPromoted',
  'notified_rounds.told_up_to': 'notifiedUpTo',
  'payments.tried_at': 'attemptedAt',
  'settlement_runs.asked_by': 'requestedBy',
  'refund_cases.code_tries': 'codeAttempts',
  'token_creations.next_try_at': 'nextAttemptAt',
  'token_creations.told_at': 'notifiedAt',
  'token_creations.tries': 'retries',
  'vote_review_decisions.act': 'kind',
};
/** Views with the previous name of a table, for the previous version; dropped with a later version. */
const FORMER_NAMES = ['chain_lanes'];
const nameOf = (table: string, column?: string) =>
  RETIRED_NAMES[column === undefined ? table : `${table}.${column}`] ?? camelCase(column ?? table);
const byName = <T extends { name: string }>(list: T[]) => list.toSorted((a, b) => (a.name < b.name ? -1 : 1));

const COLUMNS = `
  select c.relname as relation, case c.relkind when 'v' then 'view' else 'table' end as kind, a.attname as name,
         format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as "notNull",
         a.atthasdef or a.attidentity <> '' as "hasDefault"
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition
    and c.relname <> all('{schema_migrations,${FORMER_NAMES.join()}}')`;
const CONSTRAINTS = `
  select k.contype as type, r.relname as relation, f.relname as target, k.confdeltype as "onDelete",
         pg_get_constraintdef(k.oid) as definition,
         array(select a.attname::text from unnest(k.conkey) with ordinality n (num, place)
               join pg_attribute a on a.attrelid = k.conrelid and a.attnum = n.num order by n.place) as columns,
         array(select a.attname::text from unnest(k.confkey) with ordinality n (num, place)
               join pg_attribute a on a.attrelid = k.confrelid and a.attnum = n.num order by n.place) as "targetColumns"
  from pg_constraint k join pg_class r on r.oid = k.conrelid left join pg_class f on f.oid = k.confrelid
  where k.connamespace = 'public'::regnamespace and r.relname <> 'schema_migrations' and not r.relispartition and k.contype in ('p', 'f', 'u', 'c')`;

type ColumnRow = ColumnFact & { relation: string; kind: 'table' | 'view' };
interface ConstraintRow {
  type: 'p' | 'f' | 'u' | 'c';
  relation: string;
  target: string | null;
  onDelete: string;
  definition: string;
  columns: string[];
  targetColumns: string[];
}

const columnFact = (column: PgColumn): ColumnFact => ({
  name: column.name,
  type: column.getSQLType(),
  notNull: column.notNull,
  // Not `hasDefault`: a value that Drizzle supplies ($defaultFn) is no default of the database.
  hasDefault: column.default !== undefined || column.generatedIdentity !== undefined || column.generated !== undefined,
});

/** The quoted values of `x in ('a', 'b')`; undefined for any other check. */
function allowedValues(definition: string): string[] | undefined {
  if (!/^CHECK \(\(\w+ = (ANY \(ARRAY\[|')/.test(definition)) return undefined;
  return [...definition.matchAll(/'([^']*)'::text/g)].map((match) => match[1] ?? '').sort();
}

describe('tables', () => {
  const database = useDatabase();
  const actual = new Map<string, RelationFact>();
  const factOf = (name: string) => {
    const fact = actual.get(name);
    if (!fact) throw new Error(`the database has no ${name}`);
    return fact;
  };

  beforeAll(async () => {
    for (const { relation, kind, ...column } of (await database.pool.query<ColumnRow>(COLUMNS)).rows) {
      const empty: RelationFact = { kind, columns: [], primaryKey: [], foreignKeys: [], unique: [], enums: {} };
      const fact = actual.get(relation) ?? empty;
      fact.columns.push(column);
      actual.set(relation, fact);
    }
    for (const row of (await database.pool.query<ConstraintRow>(CONSTRAINTS)).rows) {
      const fact = factOf(row.relation);
      const [first] = row.columns;
      if (row.type === 'p') fact.primaryKey = row.columns;
      if (row.type === 'u' && row.columns.length === 1 && first) fact.unique.push(first);
      if (row.type === 'f') {
        const onDelete = DELETE_RULES[row.onDelete] ?? row.onDelete;
        fact.foreignKeys.push({ from: row.columns.join(), to: `${row.target}(${row.targetColumns.join()})`, onDelete });
      }
      const values = row.type === 'c' ? allowedValues(row.definition) : undefined;
      if (values && first) fact.enums[first] = values;
    }
  });

  it('include every table and view of the database, and no other', () => {
    const names = (kind: string) => [...actual].filter(([, fact]) => fact.kind === kind).map(([name]) => name);
    expect(tables.map((table) => table.name).sort()).toEqual(names('table').sort());
    expect(views.map((view) => view.name).sort()).toEqual(names('view').sort());
  });

  describe.each(tables)('$name', (table) => {
    it('has the same columns, types, nullability and defaults', () => {
      expect(byName(table.columns.map(columnFact))).toEqual(byName(factOf(table.name).columns));
    });

    it('has the same keys, references and single-column uniques', () => {
      const fact = factOf(table.name);
      const composite = table.primaryKeys.flatMap((key) => key.columns.map((column) => column.name));
      const single = table.columns.filter((column) => column.primary).map((column) => column.name);
      expect([...single, ...composite]).toEqual(fact.primaryKey);
      const unique = table.columns.filter((column) => column.isUnique).map((column) => column.name);
      expect(unique.sort()).toEqual(fact.unique.toSorted());
      const foreignKeys = table.foreignKeys.map((key) => {
        const { columns, foreignColumns, foreignTable } = key.reference();
        const list = (of: PgColumn[]) => of.map((column) => column.name).join();
        const to = `${getTableName(foreignTable)}(${list(foreignColumns)})`;
        return { from: list(columns), to, onDelete: key.onDelete ?? 'no action' };
      });
      const sorted = (keys: ForeignKeyFact[]) => keys.toSorted((a, b) => (a.from < b.from ? -1 : 1));
      expect(sorted(foreignKeys)).toEqual(sorted(fact.foreignKeys));
    });

    it('allows the same values where a check lists them', () => {
      const enums = table.columns.flatMap((column) =>
        column.enumValues?.length ? [[column.name, column.enumValues.toSorted()] as const] : [],
      );
      expect(Object.fromEntries(enums)).toEqual(factOf(table.name).enums);
    });

    it('is named in camelCase', () => {
      expect(table.key).toBe(nameOf(table.name));
      const [value] = exported.flatMap(([key, found]) => (key === table.key && is(found, PgTable) ? [found] : []));
      const properties = Object.entries(value ?? {}).flatMap(([key, column]) =>
        table.columns.includes(column as PgColumn) ? [[key, (column as PgColumn).name] as const] : [],
      );
      expect(properties).toHaveLength(table.columns.length);
      for (const [key, name] of properties) expect(key).toBe(nameOf(table.name, name));
    });
  });

  it('and the contract have the same networks as florka_market_network, by the form of addresses', async () => {
    const addresses = { evm: `0x${'aB'.repeat(20)}`, solana: 'So11111111111111111111111111111111111111112' };
    const known = async (address: string) =>
      (
        await database.pool.query<{ network: string }>(
          'select network from unnest($1::text[]) network where florka_market_network(network, $2) = network',
          [NETWORKS, address],
        )
      ).rows.map(({ network }) => network);
    expect(await known(addresses.evm)).toEqual(NETWORKS.filter((network) => network !== 'solana'));
    expect(await known(addresses.solana)).toEqual(['solana']);
    // Nor does it know a network that the contract lacks.
    const { rows } = await database.pool.query<{ source: string }>(
      "select prosrc as source from pg_proc where proname = 'florka_market_network'",
    );
    const named = (rows[0]?.source ?? '').matchAll(/'([a-z]+)'/g);
    expect([...new Set([...named].map(([, name]) => name))].sort()).toEqual(NETWORKS.toSorted());
  });

  describe.each(views)('$name', (view) => {
    it('has the same columns and types', () => {
      const shape = ({ name, type }: ColumnFact) => ({ name, type });
      const selected = Object.entries(view.selectedFields) as [string, PgColumn][];
      for (const [key, column] of selected) expect(key).toBe(camelCase(column.name));
      const declared = selected.map(([, column]) => shape(columnFact(column)));
      expect(byName(declared)).toEqual(byName(factOf(view.name).columns.map(shape)));
    });
  });
});

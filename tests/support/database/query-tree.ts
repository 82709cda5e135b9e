// Which columns of a statement can never be null, proved from PostgreSQL's own analysis of it: a function with the statement
// as its body is made and rolled back, and the query tree that PostgreSQL stored for it is read. PostgreSQL 16 and newer say
// there of every column which outer joins may make it null.
import type pg from 'pg';

type Tree = string | Tree[] | { type: string; fields: Record<string, Tree> };
type Node = Extract<Tree, { type: string }>;

/** Reads the text of a `pg_node_tree`. */
function parseTree(text: string): Tree {
  const tokens = text.match(/[(){}]|"(?:[^"\\]|\\.)*"|(?:\\.|[^\s(){}])+/gs) ?? [];
  let next = 0;
  const read = (): Tree => {
    const token = tokens[next++];
    if (token === '(') {
      const list: Tree[] = [];
      while (tokens[next] !== ')') list.push(read());
      next++;
      return list;
    }
    if (token !== '{') return token ?? '';
    const type = tokens[next++] ?? '';
    const fields: Record<string, Tree> = {};
    let name = '';
    while (tokens[next] !== '}') {
      const value = read();
      // Only the first value of a field is stored: the bytes of a constant follow their length.
      if (typeof value === 'string' && value.startsWith(':')) name = value.slice(1);
      else fields[name] ??= value;
    }
    next++;
    return { type, fields };
  };
  return read();
}

const node = (tree: Tree | undefined): Node | undefined =>
  typeof tree === 'object' && !Array.isArray(tree) ? tree : undefined;
const list = (tree: Tree | undefined): Tree[] => (Array.isArray(tree) ? tree : []);
const word = (tree: Tree | undefined): string => (typeof tree === 'string' ? tree : '');
const number = (tree: Tree | undefined): number => Number(word(tree));

/** Facts of the catalog that the proof needs. */
interface Catalog {
  /** `relation.column` of columns of tables that are not null. */
  notNull: Set<string>;
  /** Names of PostgreSQL's own functions and operators, by their oid. */
  functions: Map<string, string>;
  operators: Map<string, string>;
}

/** Functions whose result is not null when no argument is null. A cast is recognised by its form. */
const TOTAL = new Set(
  (
    'left right lower upper encode decode sha256 length char_length octet_length now clock_timestamp floor ceil ceiling round abs date_trunc ' +
    'timezone btrim replace regexp_replace position strpos json_build_object jsonb_build_object json_build_array ' +
    'jsonb_build_array concat hashtextextended quote_ident current_setting current_database current_user txid_current ' +
    'pg_table_size pg_try_advisory_lock make_interval date'
  ).split(' '),
);
const TOTAL_OPERATORS = new Set(['+', '-', '*', '/', '%', '||']);
const NUMBERING = new Set(['row_number', 'rank', 'dense_rank']);

/** Aggregates whose result is not null for a group whose values are never null. */
const AGGREGATES = new Set(['max', 'min', 'sum', 'avg', 'bool_or', 'bool_and', 'array_agg', 'string_agg']);

/** Queries around an expression, the innermost first. */
type Scope = readonly Node[];

class Proof {
  readonly #catalog: Catalog;
  /** By parameter number: true when it is declared as never null. */
  readonly #parameters: readonly boolean[];

  constructor(catalog: Catalog, parameters: readonly boolean[]) {
    this.#catalog = catalog;
    this.#parameters = parameters;
  }

  /** By column of a query. */
  columns(query: Node, outer: Scope): boolean[] {
    const scope = [query, ...outer];
    const { targetList, returningList, setOperations, commandType } = query.fields;
    const branches = node(setOperations);
    if (branches) {
      const leaves = this.#leaves(branches).map((leaf) => this.columns(leaf(query), scope));
      return leaves[0]?.map((_, i) => leaves.every((leaf) => leaf[i] ?? false)) ?? [];
    }
    const entries = commandType === '1' ? targetList : returningList;
    return list(entries)
      .map(node)
      .filter((entry) => entry?.fields['resjunk'] !== 'true')
      .map((entry) => this.#total(node(entry?.fields['expr']), scope));
  }

  #leaves(tree: Node): ((query: Node) => Node)[] {
    if (tree.type === 'SETOPERATIONSTMT')
      return [tree.fields['larg'], tree.fields['rarg']].flatMap((side) => this.#leaves(node(side) as Node));
    return [
      (query) =>
        node(node(list(query.fields['rtable'])[number(tree.fields['rtindex']) - 1])?.fields['subquery']) as Node,
    ];
  }

  #all = (args: Tree | undefined, scope: Scope): boolean => list(args).every((one) => this.#total(node(one), scope));

  /** True when an expression is proved never to be null; unknown expressions may be. */
  #total(expression: Node | undefined, scope: Scope): boolean {
    if (!expression) return false;
    const { type, fields } = expression;
    switch (type) {
      case 'VAR':
        return this.#column(fields, scope);
      case 'CONST':
        return fields['constisnull'] === 'false';
      case 'PARAM':
        return fields['paramkind'] === '0' && (this.#parameters[number(fields['paramid']) - 1] ?? false);
      case 'NULLTEST':
      case 'BOOLEANTEST':
      case 'DISTINCTEXPR':
      case 'ARRAYEXPR':
      case 'ROWEXPR':
      case 'SQLVALUEFUNCTION':
        return true;
      case 'COALESCEEXPR':
      case 'MINMAXEXPR':
        return list(fields['args']).some((one) => this.#total(node(one), scope));
      case 'BOOLEXPR':
        return this.#all(fields['args'], scope);
      case 'RELABELTYPE':
      case 'COERCEVIAIO':
      case 'COLLATEEXPR':
        return this.#total(node(fields['arg']), scope);
      case 'CASEEXPR':
        return (
          this.#total(node(fields['defresult']), scope) &&
          list(fields['args']).every((when) => this.#total(node(node(when)?.fields['result']), scope))
        );
      case 'FUNCEXPR': {
        const cast = fields['funcformat'] === '1' || fields['funcformat'] === '2';
        const name = this.#catalog.functions.get(word(fields['funcid']));
        return name !== undefined && (cast || TOTAL.has(name)) && this.#all(fields['args'], scope);
      }
      case 'OPEXPR': {
        const name = this.#catalog.operators.get(word(fields['opno']));
        const plain = fields['opresulttype'] === '16' || TOTAL_OPERATORS.has(name ?? '');
        return name !== undefined && plain && this.#all(fields['args'], scope);
      }
      case 'AGGREF':
        return this.#aggregate(fields, scope);
      case 'WINDOWFUNC': {
        const name = this.#catalog.functions.get(word(fields['winfnoid'])) ?? '';
        return name === 'count' || NUMBERING.has(name);
      }
      case 'SUBLINK':
        return this.#sublink(fields, scope);
      default:
        return false;
    }
  }

  #aggregate(fields: Node['fields'], scope: Scope): boolean {
    const name = this.#catalog.functions.get(word(fields['aggfnoid'])) ?? '';
    if (name === 'count') return true;
    // A group has at least one row, and therefore a maximum.
    const query = scope[0]?.fields;
    const grouped = list(query?.['groupClause']).length > 0 && query?.['groupingSets'] === '<>';
    if (!AGGREGATES.has(name) || !grouped || fields['aggfilter'] !== '<>' || fields['agglevelsup'] !== '0')
      return false;
    return list(fields['args']).every((one) => this.#total(node(node(one)?.fields['expr']), scope));
  }

  #sublink(fields: Node['fields'], scope: Scope): boolean {
    // EXISTS and ARRAY are never null.
    if (fields['subLinkType'] === '0' || fields['subLinkType'] === '6') return true;
    const query = node(fields['subselect']);
    if (fields['subLinkType'] !== '4' || !query) return false;
    // A select without tables, or an aggregate without groups, has one row whatever it finds.
    const { hasAggs, groupClause, groupingSets, havingQual, limitCount, limitOffset, jointree, setOperations } =
      query.fields;
    if ([groupClause, groupingSets, havingQual, limitCount, limitOffset, setOperations].some((one) => one !== '<>'))
      return false;
    const from = node(jointree)?.fields;
    const oneRow = hasAggs === 'true' || (from?.['fromlist'] === '<>' && from['quals'] === '<>');
    return oneRow && (this.columns(query, scope)[0] ?? false);
  }

  #column(fields: Node['fields'], scope: Scope): boolean {
    const nulling = list(fields['varnullingrels']);
    // `(b)` is the empty set: no outer join makes it null. Older servers do not provide it.
    if (nulling.length !== 1 || fields['varreturningtype'] === '1') return false;
    const from = scope.slice(number(fields['varlevelsup']));
    const [query] = from;
    const relation = node(list(query?.fields['rtable'])[number(fields['varno']) - 1])?.fields;
    const at = number(fields['varattno']);
    if (!query || !relation) return false;
    switch (relation['rtekind']) {
      case '0':
        return this.#catalog.notNull.has(`${word(relation['relid'])}.${at}`);
      case '1': {
        const subquery = node(relation['subquery']);
        return subquery !== undefined && (this.columns(subquery, from)[at - 1] ?? false);
      }
      case '2':
        return this.#total(node(list(relation['joinaliasvars'])[at - 1]), from);
      case '6': {
        const owner = from.slice(number(relation['ctelevelsup']));
        const named = list(owner[0]?.fields['cteList'])
          .map(node)
          .find((one) => one?.fields['ctename'] === relation['ctename']);
        const body = node(named?.fields['ctequery']);
        // Nothing is proved for recursive queries.
        return (
          body !== undefined &&
          named?.fields['cterecursive'] === 'false' &&
          (this.columns(body, owner)[at - 1] ?? false)
        );
      }
      case '9': {
        // With grouping sets a grouped column may be left out.
        const grouped = query.fields['groupingSets'] === '<>';
        return grouped && this.#total(node(list(relation['groupexprs'])[at - 1]), from);
      }
      default:
        return false;
    }
  }
}

async function readCatalog(client: pg.ClientBase): Promise<Catalog> {
  const [{ rows: columns }, { rows: functions }, { rows: operators }] = [
    await client.query(`select attrelid || '.' || attnum as at from pg_attribute a join pg_class c on c.oid = attrelid
      where attnotnull and attnum > 0 and c.relkind in ('r', 'p')`),
    await client.query(
      `select oid::text, proname as name from pg_proc where pronamespace = 'pg_catalog'::regnamespace`,
    ),
    await client.query(
      `select oid::text, oprname as name from pg_operator where oprnamespace = 'pg_catalog'::regnamespace`,
    ),
  ];
  const names = (rows: { oid: string; name: string }[]) => new Map(rows.map(({ oid, name }) => [oid, name]));
  return {
    notNull: new Set(columns.map(({ at }: { at: string }) => at)),
    functions: names(functions),
    operators: names(operators),
  };
}

/**
 * Of each column of a statement whether it is proved that it is never null.
 *
 * @param parameters of the statement, by its place: the name of its type, and whether it may be null.
 */
export async function neverNull(
  client: pg.ClientBase,
  statement: string,
  parameters: { name: string; nullable: boolean }[],
): Promise<boolean[]> {
  await client.query('begin');
  try {
    await client.query(
      `create function pg_temp.described(${parameters.map(({ name }) => name).join(', ')}) returns setof record
       language sql begin atomic ${statement}; end`,
    );
    const { rows } = await client.query<{ body: string }>(
      `select prosqlbody::text as body from pg_proc where pronamespace = pg_my_temp_schema() and proname = 'described'`,
    );
    // A list of the lists of statements.
    const [[query] = []] = list(parseTree(rows[0]?.body ?? '()')) as Tree[][];
    const proof = new Proof(
      await readCatalog(client),
      parameters.map(({ nullable }) => !nullable),
    );
    return proof.columns(node(query) as Node, []);
  } finally {
    await client.query('rollback');
  }
}

// Migrations run while people write: this refuses statements that rewrite a table, read all of it, or change all of its
// rows under a lock that writers wait for. ADR 0023 describes the alternatives. Also refuses two migrations of one time.
import { readMigrations } from '#server/db/migrate.ts';
import { isOnline } from '#server/db/online-migration.ts';
import { type Statement, statementsOf } from '#server/db/statements.ts';

/** Earlier numbers were released before these rules existed. 0025 follows them: it was replaced. */
const FIRST = '0025';

/** Up to this time migrations of two branches share a time; they were released, and a name never changes. */
const LAST_SHARED = '20261123152500';

/** Tables that always stay small, a few thousand rows at most: every statement is quick there. All others may grow. */
const SMALL = new Set([
  'admin_profiles',
  'admin_users',
  'blockchain_networks',
  'chain_lanes',
  'networks',
  'next_projects',
  'projects',
  'schema_migrations',
  'settings',
  'signer_workers',
  'voting_candidates',
  'voting_rounds',
]);

interface Finding {
  line: number;
  message: string;
}

interface MigrationContext {
  online: boolean;
  batch: boolean;
  /** Tables that this migration creates: nobody uses them yet. */
  fresh: Set<string>;
  /** Tables with a constraint that this migration validated. */
  validated: Set<string>;
}

interface Rule {
  message: string;
  /** The first group is the table. */
  breaks: RegExp;
  unless?: (text: string, context: MigrationContext, table: string) => boolean;
}

const TABLE = String.raw`(?:only\s+)?(?:if\s+exists\s+)?(?:public\.)?"?(\w+)"?`;
const ALTER = String.raw`^alter\s+table\s+${TABLE}\b[\s\S]*`;
const rule = (message: string, breaks: string, unless?: Rule['unless']): Rule => ({
  message,
  breaks: new RegExp(breaks, 'i'),
  ...(unless ? { unless } : {}),
});

const RULES: Rule[] = [
  rule(
    'creating an index blocks writes: create it concurrently',
    String.raw`^create\s+(?:unique\s+)?index\s+(?!concurrently)[\s\S]*?\son\s+${TABLE}`,
  ),
  rule(
    'changing the type rewrites the table: add a column and fill it in batches',
    String.raw`${ALTER}\balter\s+(?:column\s+)?\w+\s+(?:set\s+data\s+)?type\b`,
  ),
  rule(
    'a generated column rewrites the table: add an ordinary column and fill it with a trigger',
    String.raw`${ALTER}\badd\s+(?:column\s+)?(?:if\s+not\s+exists\s+)?\w+[\s\S]*\bgenerated\s+always\s+as\s*\(`,
  ),
  rule(
    'a serial or identity column rewrites the table',
    String.raw`${ALTER}\badd\s+(?:column\s+)?(?:if\s+not\s+exists\s+)?\w+\s+(?:(?:small|big)?serial\b|[\s\S]*\bgenerated\s+(?:always|by\s+default)\s+as\s+identity)`,
  ),
  rule(
    'a default that is computed for each row rewrites the table: add the column without it, set the default, fill in batches',
    String.raw`${ALTER}\badd\s+(?:column\s+)?(?:if\s+not\s+exists\s+)?\w+[^,]*\bdefault\s+\(?\s*(?!now\s*\(\))\w+\s*\(`,
  ),
  rule(
    'set not null scans the whole table: validate a check (… is not null) first',
    String.raw`${ALTER}\bset\s+not\s+null\b`,
    (_text, { validated }, table) => validated.has(table),
  ),
  rule(
    'a constraint scans the whole table: add it not valid, validate it in a separate statement',
    String.raw`${ALTER}\badd\s+(?:constraint\s+\w+\s+)?(?:foreign\s+key|check)\b`,
    (text) => /\bnot\s+valid\b/i.test(text),
  ),
  rule(
    'a foreign key in the same statement as its column is checked under a lock: add it not valid, validate it in a separate statement',
    String.raw`${ALTER}\badd\s+(?:column\s+)?(?:if\s+not\s+exists\s+)?(?!constraint\b|foreign\b)\w+[^,]*\breferences\b`,
  ),
  rule(
    'a key builds its index under a lock: create the index concurrently, add the key using it',
    String.raw`${ALTER}\badd\s+(?:constraint\s+\w+\s+)?(?:unique|primary\s+key|exclude)\b`,
    (text) => /\busing\s+index\b/i.test(text),
  ),
  rule(
    'validating would hold the locks of the whole migration: it needs -- Mode: online',
    String.raw`${ALTER}\bvalidate\s+constraint\b`,
    (_text, { online }) => online,
  ),
  rule('this rewrites the table', String.raw`${ALTER}\bset\s+(?:tablespace|logged|unlogged|access\s+method)\b`),
  rule(
    'this rewrites or scans the table under a lock',
    String.raw`^(?:cluster|vacuum\s+full|lock(?:\s+table)?|reindex\s+table(?!\s+concurrently))\s+${TABLE}`,
  ),
  rule(
    'many rows change in one transaction: limit them and say -- Batch, in a migration with -- Mode: online',
    String.raw`^(?:with\b[\s\S]*?\b)?(?:update|delete\s+from)\s+${TABLE}`,
    (text, { online, batch }) => online && batch && /\blimit\s+\d+/i.test(text),
  ),
];

/** The statements inside of `do $$ begin … end $$`, as far as they can be separated; any other statement unchanged. */
function unfolded(statement: Statement): Statement[] {
  const body = /^do\s+(\$\w*\$)([\s\S]*)\1/i.exec(statement.text)?.[2];
  if (body === undefined) return [statement];
  return statementsOf(body).map((inner) => ({
    ...inner,
    text: inner.text.replace(/^(?:begin|then|else|if\b[\s\S]*?\bthen|\s)+/i, ''),
    line: statement.line,
  }));
}

/**
 * Statements of a migration that are not allowed on a table that may be large.
 * @param name of the file; those released before the rules are skipped.
 */
export function findingsIn(name: string, sql: string): Finding[] {
  if (name.slice(0, 4) < FIRST) return [];
  const statements = statementsOf(sql).flatMap(unfolded);
  const context: MigrationContext = { online: isOnline(sql), batch: false, fresh: new Set(), validated: new Set() };
  const found: Finding[] = [];
  for (const { text, notes, line } of statements) {
    const made = /^create\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(?:public\.)?"?(\w+)/i.exec(text)?.[1];
    if (made) context.fresh.add(made);
    context.batch = notes.some((note) => note.startsWith('Batch'));
    if (/\bindex\s+concurrently\b/i.test(text) && !context.online)
      found.push({
        line,
        message: 'concurrently works only outside of a transaction: the header needs -- Mode: online',
      });
    for (const { message, breaks, unless } of RULES) {
      const table = breaks.exec(text)?.[1];
      if (!table || SMALL.has(table) || context.fresh.has(table) || unless?.(text, context, table)) continue;
      found.push({ line, message: `${table}: ${message}` });
    }
    const valid = new RegExp(String.raw`${ALTER}\bvalidate\s+constraint\b`, 'i').exec(text)?.[1];
    if (valid) context.validated.add(valid);
  }
  return found;
}

/** Migrations with the time of the previous one: their order would be that of the words after it. @param names in order. */
export const sharedTimes = (names: readonly string[]): { name: string; other: string }[] => {
  const timeOf = (name: string) => name.split('_', 1)[0] ?? '';
  return names.flatMap((name, index) => {
    const other = names[index - 1] ?? '';
    return timeOf(name) === timeOf(other) && timeOf(name) > LAST_SHARED ? [{ name, other }] : [];
  });
};

if (import.meta.main) {
  const migrations = readMigrations('server/db/migrations');
  for (const { name, other } of sharedTimes(migrations.map(({ name }) => name))) {
    console.log(`server/db/migrations/${name}: has the time of ${other}: give the new one a later time`);
    process.exitCode = 1;
  }
  for (const { name, sql } of migrations)
    for (const { line, message } of findingsIn(name, sql)) {
      console.log(`server/db/migrations/${name}:${line} ${message}`);
      process.exitCode = 1;
    }
}

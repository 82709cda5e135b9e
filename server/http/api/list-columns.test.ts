import { expect, it } from 'vitest';
import { z } from 'zod';
import { PLANS } from '#contract/limits.ts';
import { FILES_FOR_PEOPLE, type FileColumn } from '#contract/text/file-headings.ts';
import { router } from '#server/router.ts';
import { columnsOf, textOf, valueAt } from './list-columns.ts';

it('an object has a column per property, also in rows where it is null, and a list of figures one per figure', () => {
  const owner = z.object({ id: z.string(), name: z.string() }).nullable();
  const columns = columnsOf(z.object({ id: z.string(), owner, weeks: z.array(z.int().nonnegative()).max(3) })) ?? [];
  expect(columns.map(({ name }) => name)).toEqual(['id', 'owner.id', 'owner.name', 'weeks.0', 'weeks.1', 'weeks.2']);
  const cells = (row: unknown) => columns.map(({ path }) => valueAt(row, path));
  expect(cells({ id: 'a', owner: { id: 'b', name: 'Ana' }, weeks: [2, 1] })).toEqual([
    'a',
    'b',
    'Ana',
    2,
    1,
    undefined,
  ]);
  const none = Array.from({ length: 5 }, () => undefined);
  expect(cells({ id: 'a', owner: null, weeks: [] })).toEqual(['a', ...none]);
});

it('the items of a list in one cell are separated by semicolons, and records are shown by name', () => {
  expect(textOf(['editor', 'finance'])).toBe('editor; finance');
  expect(textOf([{ title: 'Uno' }, { title: 'Dos' }])).toBe('Uno; Dos');
  expect(textOf({ ip: '10.0.0.1', n: 4 }, true)).toBe('ip: 10.0.0.1; n: 4');
  // Without a schema it is no record of named values.
  expect(textOf({ ip: '10.0.0.1' })).toBe('{"ip":"10.0.0.1"}');
  expect(textOf([])).toBe('');
});

const inner = (one: unknown): unknown =>
  one instanceof z.ZodNullable || one instanceof z.ZodOptional || one instanceof z.ZodDefault
    ? inner(one.def.innerType)
    : one;

/** True when a value of this schema would be JSON in its cell. */
function isRaw(schema: unknown): boolean {
  const one = inner(schema);
  const item = one instanceof z.ZodArray ? inner(one.element) : one;
  if (item instanceof z.ZodObject) return !('name' in item.shape || 'title' in item.shape);
  return item instanceof z.ZodUnknown || item instanceof z.ZodAny || item instanceof z.ZodArray;
}

function schemaAt(row: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, step) => {
    const of = inner(at);
    return of instanceof z.ZodObject ? of.shape[step] : of instanceof z.ZodArray ? of.element : undefined;
  }, row);
}

it('no exported list has a column with JSON, except what the audit log stores', () => {
  const raw: string[] = [];
  let lists = 0;
  for (const [name, part] of Object.entries(router.admin)) {
    const { list } = part as { list?: { '~orpc': { outputSchema?: unknown } } };
    const output = list?.['~orpc'].outputSchema;
    const row: unknown = output instanceof z.ZodObject ? output.shape['rows']?.element : undefined;
    if (row === undefined) continue;
    lists++;
    const columns = columnsOf(row);
    if (!columns) raw.push(name);
    for (const column of columns ?? []) if (isRaw(schemaAt(row, column.path))) raw.push(`${name}.${column.name}`);
  }
  expect(lists).toBeGreaterThan(20);
  expect(raw).toEqual(['audit.before', 'audit.after']);
});

/**
 * Columns that a file for people omits: ids and versions; `weeks.0`, the number of voters; the times of a payment, which it has as `at`;
 * of a request the payment status, which its stage includes, and the total received, which is the sum of what was returned and what is
 * left; of a refund the amount in smallest units, the chain, which its coin implies, and values about the reader; of a deliverable the
 * line of its plan, and the options of its forms.
 */
const LEFT_OUT = [
  'id',
  'version',
  'memberId',
  'requestId',
  'paymentId',
  'weeks.0',
  'createdAt of payments',
  'confirmedAt of payments',
  'paymentStatus of tokenRequests',
  'returned.receivedUsd of tokenRequests',
  'units of refunds',
  'chain of refunds',
  'addressShown of refunds',
  'claim.mine of refunds',
  'claim.over of refunds',
  'owner.id',
  'line of deliverables',
  'homes of deliverables',
  'assets of deliverables',
];
it.each(Object.entries(FILES_FOR_PEOPLE))(
  'the file of %s for people has every figure of its rows',
  (list, headings) => {
    const output = router.admin[list as 'money'].list['~orpc'].outputSchema as z.ZodObject | undefined;
    const rows = output?.shape['rows'] as z.ZodArray<z.ZodObject>;
    const columns = (columnsOf(rows.element) ?? []).map(({ name }) => name);
    expect(Object.keys(headings).toSorted()).toEqual(
      columns.filter((name) => !LEFT_OUT.includes(name) && !LEFT_OUT.includes(`${name} of ${list}`)).toSorted(),
    );
  },
);

/** Columns with codes whose schema is only a text. */
const CODED: Record<string, FileColumn['of']> = {
  network: 'network',
  asset: 'coin',
  amounts: 'amounts',
  fees: 'amounts',
  unplaced: 'amounts',
  refunds: 'refunds',
};

it.each(Object.entries(FILES_FOR_PEOPLE))('the file of %s for people has a name for every code', (list, columns) => {
  const output = router.admin[list as 'money'].list['~orpc'].outputSchema as z.ZodObject | undefined;
  const rows = output?.shape['rows'] as z.ZodArray<z.ZodObject>;
  for (const [name, column] of Object.entries(columns)) {
    const of = inner(schemaAt(rows.element, name.split('.')));
    // The plan of money without an order is empty, so its schema is a text.
    const codes = of instanceof z.ZodEnum ? of.options.map(String) : name === 'plan' ? Object.keys(PLANS) : [];
    for (const locale of ['es', 'en'] as const)
      expect(Object.keys(column.names?.[locale] ?? {}).toSorted(), `${list}.${name} in ${locale}`).toEqual(
        codes.toSorted(),
      );
    expect(column.of, `${list}.${name}`).toBe(CODED[name]);
  }
});

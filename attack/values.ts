// Values for a JSON schema: mostly valid, so that a request passes the first check, and some invalid.
import type { Random } from './random.ts';

export interface Schema {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  pattern?: string;
  additionalProperties?: boolean | Schema;
}

/** Existing ids and names of the attacked site, by field. */
export interface Known {
  ids: readonly string[];
  emails: readonly string[];
  slugs: readonly string[];
  /** Text for every free field, cut to its length, instead of harmless words. */
  text?: (max: number) => string;
  /** The value of a field or of a part of an address, by its name and schema; undefined leaves it to `sampleOf`. */
  field?: (name: string, schema: Schema) => unknown;
  /** Share of optional fields that are sent; 0.5 by default. */
  optional?: number;
}

const HOSTILE_TEXTS = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e\u200b\ufeff',
  '<script>attackRan()</script>',
  `"'><img src=x onerror=attackRan()>`,
  'javascript:attackRan()',
  `'; drop table users; --`,
  `' or '1'='1`,
  '%00%0d%0aset-cookie: a=b',
  '../../../../etc/passwd',
  '{{7*7}}',
  '__proto__',
  'constructor',
  '-1',
  '1e309',
  'NaN',
  '٣٤٥',
  '𝕬'.repeat(300),
  'a'.repeat(70_000),
  '\\',
  '%',
  '_',
  '(((((((((((((((((((((a+)+)+)+',
  '2026-02-30T25:61:61Z',
  '-infinity',
  'http://169.254.169.254/latest/meta-data',
  'file:///etc/passwd',
  'null',
];
const HOSTILE_VALUES: unknown[] = [
  null,
  true,
  -1,
  0.1,
  2 ** 53,
  -(2 ** 63),
  1e308,
  [],
  {},
  [[[[[[]]]]]],
  { $ne: null },
  { toString: 1 },
  { length: 1e9 },
  [null],
  'x',
];
/** Names of fields that inputs must not set: columns, and properties of every JavaScript object. */
const FOREIGN_FIELDS = [
  'id',
  'role',
  'userId',
  'user_id',
  'isAdmin',
  'is_admin',
  'emailVerified',
  'status',
  'payment_status',
  'plan_price_usd',
  'version',
  'createdAt',
  'adminEmail',
  'voterIp',
  '__proto__',
  'constructor',
  'prototype',
];

const uuid = (random: Random) =>
  'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, () => random.below(16).toString(16));

/**
 * A value for a schema.
 *
 * @param invalidRatio share of values of another type than declared, 0 to 1.
 */
export function sampleOf(
  schema: Schema | undefined,
  random: Random,
  known: Known,
  invalidRatio: number,
  depth = 0,
): unknown {
  if (random.chance(invalidRatio)) return random.chance(0.6) ? random.pick(HOSTILE_TEXTS) : random.pick(HOSTILE_VALUES);
  if (!schema || depth > 8) return random.pick(HOSTILE_VALUES);
  if ('const' in schema) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return sampleOf(random.pick(choices), random, known, invalidRatio, depth + 1);
  if (schema.allOf) return sampleOf(schema.allOf[0], random, known, invalidRatio, depth + 1);
  const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type;
  switch (type) {
    case 'object':
      return objectOf(schema, random, known, invalidRatio, depth);
    case 'array':
      return Array.from({ length: (schema.minItems ?? 0) + random.below(3) }, () =>
        sampleOf(schema.items, random, known, invalidRatio, depth + 1),
      );
    case 'integer':
    case 'number':
      return numberOf(schema, random, type === 'integer');
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    default:
      return textOf(schema, random, known);
  }
}

function objectOf(
  schema: Schema,
  random: Random,
  known: Known,
  invalidRatio: number,
  depth: number,
): Record<string, unknown> {
  const made: [string, unknown][] = [];
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const needed = schema.required?.includes(name) ?? false;
    if (needed ? random.chance(invalidRatio / 3) : !random.chance(known.optional ?? 0.5)) continue;
    const own = known.field?.(name, field);
    const value = own === undefined ? named(name, random, known) : own;
    made.push([name, value === undefined ? sampleOf(field, random, known, invalidRatio, depth + 1) : value]);
  }
  if (random.chance(invalidRatio)) made.push([random.pick(FOREIGN_FIELDS), random.pick(HOSTILE_VALUES)]);
  // Defined as own properties, because an assignment to `__proto__` would not create one.
  const object: Record<string, unknown> = {};
  for (const [name, value] of made)
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  return object;
}

/** An existing value, for a field whose name identifies its kind. */
function named(name: string, random: Random, known: Known): string | undefined {
  if (random.chance(0.4)) return undefined;
  if (/(^|[a-z])id$/i.test(name) && known.ids.length > 0) return random.pick(known.ids);
  if (/email/i.test(name) && known.emails.length > 0) return random.pick(known.emails);
  if (/slug/i.test(name) && known.slugs.length > 0) return random.pick(known.slugs);
  return undefined;
}

function numberOf({ minimum = -3, maximum = 2 ** 31 }: Schema, random: Random, whole: boolean): number {
  const edges = [minimum, maximum, minimum - 1, maximum + 1, 0, 1];
  const value = random.chance(0.3) ? random.pick(edges) : minimum + random.next() * Math.min(maximum - minimum, 200);
  return whole ? Math.trunc(value) : value;
}

function textOf(schema: Schema, random: Random, known: Known): string {
  if (schema.format === 'uuid')
    return random.chance(0.8) && known.ids.length > 0 ? random.pick(known.ids) : uuid(random);
  if (schema.format === 'email') return random.pick([...known.emails, 'x@y.test']);
  if (schema.format === 'date-time') return new Date(1.7e12 + random.below(1e9) * 1_000).toISOString();
  if (schema.format === 'date') return new Date(1.7e12 + random.below(1e9) * 1_000).toISOString().slice(0, 10);
  if (schema.format === 'uri') return random.pick(['https://example.org/a', 'http://127.0.0.1/', 'javascript:1']);
  if (schema.pattern) {
    const shapes = [
      '123456',
      'x@y.test',
      'abc',
      `FL-${'A'.repeat(10)}`,
      'A'.repeat(43),
      'A'.repeat(87),
      '1',
      '1.5',
      'ñandú',
    ];
    const fitting = shapes.filter((shape) => new RegExp(schema.pattern ?? '', 'u').test(shape));
    if (fitting.length > 0) return random.pick(fitting);
  }
  if (known.text) return known.text(schema.maxLength ?? 10_000);
  const edges = [schema.minLength ?? 0, schema.maxLength ?? 40, (schema.maxLength ?? 40) + 1];
  const length = random.chance(0.2) ? random.pick(edges) : Math.max(schema.minLength ?? 1, 1 + random.below(20));
  const sign = random.pick(['a', 'Z', 'ñ', '7', '🎪', ' x']);
  return sign.repeat(Math.ceil(Math.min(length, 20_000) / sign.length)).slice(0, Math.min(length, 20_000));
}

/** A text for a parameter of an address. */
export const hostileText = (random: Random): string => random.pick(HOSTILE_TEXTS).slice(0, 300);

import type { HttpClient } from './people.ts';
import type { Random } from './random.ts';
import { hostileText, type Known, type Schema, sampleOf } from './values.ts';

/** One operation of the API's description. */
export interface Operation {
  method: string;
  /** Contains {parameters}; without /api. */
  path: string;
  /** Name in the site's own protocol, such as 'forum.create'. */
  id: string;
  /** Statuses that the description names. */
  statuses: number[];
  body?: Schema | undefined;
  parameters: { in: string; name: string; schema?: Schema }[];
}

interface Described {
  operationId?: string;
  responses?: Record<string, unknown>;
  requestBody?: { content?: Record<string, { schema?: Schema }> };
  parameters?: { in: string; name: string; schema?: Schema }[];
}

/** Every operation, as the site itself describes it. */
export async function readOperations(who: HttpClient): Promise<Operation[]> {
  const answer = await who.request('GET', '/api/openapi.json');
  const { paths } = JSON.parse(answer.text) as { paths: Record<string, Record<string, Described>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({
      method: method.toUpperCase(),
      path,
      id: one.operationId ?? '',
      statuses: Object.keys(one.responses ?? {}).map(Number),
      body: one.requestBody?.content?.['application/json']?.schema,
      parameters: one.parameters ?? [],
    })),
  );
}

/**
 * The operation that was really requested, when an operation's address was called with another method: a public read may share its
 * address with a write that needs a session. HEAD is handled as GET.
 */
export function requestedOperation(operations: Operation[], meant: Operation, method: string): Operation {
  if (method === meant.method) return meant;
  const named = method === 'HEAD' ? 'GET' : method;
  const same = operations.find((one) => one.path === meant.path && one.method === named);
  return { ...meant, method, id: same?.id ?? '', statuses: same?.statuses ?? [] };
}

export const nameOf = ({ method, path }: Operation): string => `${method} /api${path}`;

/** The path and query of an operation with all parameters filled. @param wild as for `sampleOf`. */
export function targetOf(operation: Operation, random: Random, known: Known, wild: number): string {
  const path = operation.path.replace(/\{\+?([^}]+)\}/g, (_whole, name: string) => {
    if (random.chance(wild)) return encodeText(hostileText(random));
    const schema = operation.parameters.find((one) => one.in === 'path' && one.name === name)?.schema;
    const own = known.field?.(name, schema ?? {});
    if (own !== undefined) return encodeText(String(own)) || 'x';
    const value =
      /id$/i.test(name) && known.ids.length > 0 ? random.pick(known.ids) : sampleOf(schema, random, known, 0);
    return encodeText(String(value)) || 'x';
  });
  const query = new URLSearchParams();
  for (const { in: place, name, schema } of operation.parameters) {
    if (place !== 'query' || random.chance(0.5)) continue;
    const value = sampleOf(schema, random, known, wild);
    query.append(name, (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 2_000));
  }
  return `${path}${query.size > 0 ? `?${query}` : ''}`;
}

/** A lone surrogate cannot be encoded in an address. */
const encodeText = (text: string) => encodeURIComponent(text.toWellFormed());

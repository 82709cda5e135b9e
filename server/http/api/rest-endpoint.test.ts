import { isContractProcedure } from '@orpc/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { contract } from '#contract/index.ts';
import { admin, app, ID, raw } from '#tests/fixtures/http.ts';

/** Headers that depend on the framing, the moment, or the number of requests before. */
const VARYING = ['date', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'x-request-id'];

/** @param framing `none` is answered by the endpoint under test, `chunked` by the application of api.ts. */
async function get(target: string, framing: 'none' | 'chunked', headers: Record<string, string> = {}) {
  const answer = await raw(target, {
    method: 'GET',
    headers: { ...headers, ...(framing === 'chunked' ? { 'transfer-encoding': 'chunked' } : {}) },
  });
  const kept = Object.entries(answer.headers).filter(([name]) => !VARYING.includes(name));
  return { ...answer, headers: Object.fromEntries(kept) };
}

describe('a GET of the REST API has the same response from the endpoint as from the application', () => {
  it.each<[string, number, string, ('admin' | null)?]>([
    ['a member’s read', 200, '/api/votes/mine', 'admin'],
    ['a member’s read by a visitor', 401, '/api/account'],
    ['a page after the first', 400, '/api/projects?cursor=none'],
    ['a parameter twice', 400, '/api/projects?limit=3&limit=3'],
    ['a list that is not cached', 200, '/api/forum/tags'],
    ['an input that is refused', 400, '/api/projects?limit=0'],
    ['a parameter that nobody declared', 400, '/api/projects?limit=5&secret=1'],
    ['a parameter in brackets', 400, '/api/projects?limit[__proto__][x]=1'],
    ['a parameter with an escape', 400, '/api/projects?order=%E2%82%AC'],
    ['a broken escape in the query', 400, '/api/projects?order=%zz'],
    ['an unknown member', 404, '/api/members/nobody-at-all'],
    ['an escape in the path', 404, '/api/members/nobody%2Dat%2Dall'],
    ['a broken escape in the path', 404, '/api/members/%zz'],
    ['a list of the back office', 200, '/api/admin/users', 'admin'],
    ['a list of the back office for a visitor', 401, '/api/admin/users'],
    ['a list of the back office as a file', 200, '/api/admin/users.csv', 'admin'],
    ['a list of the back office as a file for a visitor', 401, '/api/admin/users.csv'],
    ['a list as a file, its name with an escape', 200, '/api/admin/users%2Ecsv', 'admin'],
    ['the OpenAPI document', 200, '/api/openapi.json'],
    ['an unknown path', 404, '/api/none'],
    ['a path above the API', 404, '/api/../account'],
    ['a write by GET', 405, '/api/saved/merge'],
    ['a prototype', 404, '/api/__proto__'],
  ])('%s: %i', async (_what, status, target, by) => {
    const headers: Record<string, string> = by ? { cookie: admin.cookie } : {};
    const usual = await get(target, 'none', headers);
    expect(usual.status, usual.body).toBe(status);
    const other = await get(target, 'chunked', headers);
    expect(usual).toEqual(other);
    expect(usual.headers).toHaveProperty('x-content-type-options', 'nosniff');
    if (target.startsWith('/api/votes')) expect(usual.headers).toHaveProperty('cache-control', 'no-store');
  });

  it('a rate-limited request gets Retry-After', async () => {
    const address = { 'x-forwarded-for': '203.0.113.77' };
    for (;;) {
      const { status, headers } = await get('/api/search?q=limit-of-searches', 'none', address);
      if (status === 200) continue;
      expect(status).toBe(429);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      break;
    }
  });

  it('HEAD is left to the application', async () => {
    const { status, body } = await raw('/api/votes/mine', { method: 'HEAD', headers: { cookie: admin.cookie } });
    expect([status, body]).toEqual([405, '']);
  });
});

it('a GET with a body is answered like one without', async () => {
  const answer = await raw(`/api/members/${ID}`, { method: 'GET', headers: { 'content-length': '4' } }, 'body');
  expect(answer.status).toBe(404);
  expect((await fetch(`${app.origin}/api/votes/mine`, { headers: { cookie: admin.cookie } })).status).toBe(200);
});

/** The outputs and error data of all procedures, by name. */
function* schemasOf(node: object, names: string[] = []): Generator<[name: string, schema: unknown]> {
  for (const [name, part] of Object.entries(node) as [string, unknown][]) {
    const path = [...names, name];
    if (isContractProcedure(part)) {
      const { outputSchema, errorMap } = part['~orpc'];
      yield [path.join('.'), outputSchema];
      for (const [code, error] of Object.entries(errorMap))
        yield [`${path.join('.')} ${code}`, (error as { data?: unknown } | undefined)?.data];
    } else if (typeof part === 'object' && part !== null) yield* schemasOf(part, path);
  }
}

it('every response is plain JSON, so it is sent without the library’s search for files and other types', () => {
  let schemas = 0;
  for (const [name, schema] of schemasOf(contract)) {
    if (!(schema instanceof z.ZodType)) continue;
    schemas++;
    // Throws for dates, large integers, sets, maps, files and what else JSON does not have.
    expect(() => z.toJSONSchema(schema, { io: 'output', unrepresentable: 'throw' }), name).not.toThrow();
  }
  expect(schemas).toBeGreaterThan(150);
  expect(() => z.toJSONSchema(z.object({ at: z.date() }), { io: 'output', unrepresentable: 'throw' })).toThrow();
});

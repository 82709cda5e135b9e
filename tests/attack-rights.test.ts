import { describe, expect, it } from 'vitest';
import { accessViolation, hasSession } from '../attack/access.ts';
import { CHANGING_FIELDS } from '../attack/attack-context.ts';
import { sendRequest } from '../attack/fuzz.ts';
import { type Operation, requestedOperation } from '../attack/operations.ts';
import { KINDS } from '../attack/people.ts';
import { Random } from '../attack/random.ts';
import { commonOf, storedValue } from '../attack/stored.ts';
import { declaredType, FILES, OPEN_BUCKETS, uploadViolation } from '../attack/uploads.ts';

const operation = (method: string, path: string, statuses: number[]): Operation => ({
  method,
  path,
  id: '',
  statuses,
  parameters: [],
});
const list = operation('GET', '/forum/posts', [200]);
const create = operation('POST', '/forum/posts', [200, 401]);
const own = operation('GET', '/me/orders', [200, 401]);
const remove = operation('DELETE', '/admin/posts', [200]);
const operations = [list, create, own, remove];

describe('a value that a sequence of the attack run sends', () => {
  const random = new Random(11);
  const common = commonOf(1, random);
  const many = (name: string, schema: Parameters<typeof storedValue>[1]) =>
    Array.from({ length: 300 }, () => storedValue(name, schema, random, common, 0.5));

  it('fits its schema, is sometimes unusual, and is undefined for a schema that the generator does not cover', () => {
    const texts = many('tokenName', { type: 'string', maxLength: 12 }) as string[];
    expect(texts.filter((text) => text.length > 12)).toEqual([]);
    expect(new Set(texts.map((text) => text.startsWith('Ajolote')))).toEqual(new Set([true, false]));
    for (const value of many('orderIndex', { type: 'integer', minimum: 2, maximum: 5 }) as number[])
      expect([2, 3, 4, 5]).toContain(value);
    expect(many('websiteUrl', { anyOf: [{ type: 'string', maxLength: 500 }, { type: 'null' }] })).toContain(null);
    expect(many('plan', { enum: ['entry'] }).concat(many('id', { type: 'string', format: 'uuid' }))).toEqual(
      Array.from({ length: 600 }, () => undefined),
    );
  });
});

describe('the attack run', () => {
  it.each([
    ['a visitor who writes', create, 'POST', 200, true],
    ['a visitor who reads the list at the same address', create, 'GET', 200, false],
    ['a visitor who sends HEAD for the list', create, 'HEAD', 200, false],
    ['a visitor who reads what is somebody’s own', own, 'GET', 200, true],
    ['a visitor who sends HEAD for what is somebody’s own', own, 'HEAD', 200, true],
    ['a visitor in the back office, with whatever method', remove, 'PATCH', 200, true],
  ] as const)('distinguishes unauthorized access from permitted access: %s', (_who, meant, method, status, found) => {
    expect(accessViolation('visitor', requestedOperation(operations, meant, method), status) !== undefined).toBe(found);
  });

  it.each([
    ['an editor who reads the news', 'editor', 'admin.news.list', 200, false],
    ['an editor who reads members', 'editor', 'admin.users.list', 200, true],
    ['an editor who is refused there', 'editor', 'admin.users.list', 403, false],
    ['support that bans', 'support', 'admin.users.ban', 200, false],
    ['support that gives a role', 'support', 'admin.roles.assign', 200, true],
    ['support whose input was validated before its rights', 'support', 'admin.roles.assign', 404, true],
    ['moderation that reads the money', 'moderation', 'admin.money.list', 200, true],
    ['finance that reads the money', 'finance', 'admin.money.list', 200, false],
    ['a caller who reads their own session', 'finance', 'admin.session', 200, false],
    ['a caller of an operation that no role’s list contains', 'finance', '', 200, true],
    ['an owner', 'admin', 'admin.roles.assign', 200, false],
  ] as const)('distinguishes unauthorized from permitted back office access: %s', (_who, kind, id, status, found) => {
    const operationOf = { ...operation('POST', '/admin/somewhere', [200, 403]), id };
    expect(accessViolation(kind, operationOf, status) !== undefined).toBe(found);
  });

  it.each([
    ['a member’s own', 'member', 'token-images', 200, undefined],
    ['a member’s in the forum', 'member', 'forum-images', 200, undefined],
    ['a member’s for the team', 'member', 'project-images', 200, 'unauthorized access'],
    ['a moderator’s for the team', 'moderator', 'voting-candidate-images', 200, 'unauthorized access'],
    ['support’s for the team', 'support', 'project-images', 200, 'unauthorized access'],
    ['an editor’s for the team', 'editor', 'project-images', 200, undefined],
    ['an owner’s without a purpose', 'admin', '', 200, 'unauthorized access'],
    ['a visitor’s', 'visitor', 'token-images', 200, 'unauthorized access'],
    ['one of the banned', 'banned', 'forum-images', 200, 'unauthorized access'],
    ['one of another site', 'foreign', 'token-images', 200, 'unauthorized access'],
    ['a member’s that is refused', 'member', 'token-images', 429, 'other'],
    ['a member’s for the team that is refused', 'member', 'project-images', 403, undefined],
  ] as const)(
    'distinguishes a permitted upload of an image from a forbidden one: %s',
    (_whose, kind, bucket, status, found) => {
      expect(uploadViolation(kind, bucket, 'a picture', status)).toBe(found);
    },
  );

  it('compares every field except those that other requests may change meanwhile', () => {
    const leftOut = (field: string) => new RegExp(CHANGING_FIELDS).test(field);
    expect(
      ['total_votes', 'votes_void', 'comment_count', 'updated_at', 'last_seen', 'told_promoted'].every(leftOut),
    ).toBe(true);
    expect(
      ['price_usd', 'plan_price_usd', 'show_votes', 'account_id', 'counter', 'terms_version'].filter(leftOut),
    ).toEqual([]);
  });

  it('sends each file with an accepted type to each bucket that members may use', () => {
    const kinds = KINDS.filter(hasSession);
    for (const file of Object.keys(FILES))
      for (const bucket of OPEN_BUCKETS)
        expect(kinds.map((kind) => declaredType(file, bucket, kind))).toEqual(
          expect.arrayContaining(file === 'a picture' ? ['image/png'] : ['image/png', 'application/octet-stream', '']),
        );
  });

  it('judges an RPC request by the procedure in its address, whatever its method', async () => {
    const read = { ...operation('GET', '/admin/rounds/current', [200, 403]), id: 'admin.rounds.current' };
    const sent: string[] = [];
    const who = {
      request: async (method: string, target: string) => {
        sent.push(`${method} ${target}`);
        return { method, status: 200, headers: new Headers(), text: '' };
      },
    };
    const known = { ids: ['11111111-1111-4111-8111-111111111111'], emails: ['a@b.test'], slugs: ['a'] };
    const random = new Random(7);
    const methods = new Set<string>();
    for (let shot = 0; shot < 300; shot++) {
      const { method } = await sendRequest(who, read, random, { known });
      if (sent.at(-1)?.includes('/rpc/admin/rounds/current')) methods.add(method);
    }
    expect(sent.some((line) => line.startsWith('POST /rpc/admin/rounds/current'))).toBe(true);
    expect([...methods]).toEqual(['GET']);
  });
});

import { describe, expect, it } from 'vitest';
import { wrongRight } from '../attack/access.ts';
import { askedOf, type Operation } from '../attack/operations.ts';

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

describe('the attack run', () => {
  it.each([
    ['a visitor who writes', create, 'POST', 200, true],
    ['a visitor who reads the list at the same address', create, 'GET', 200, false],
    ['a visitor who asks for the head of the list', create, 'HEAD', 200, false],
    ['a visitor who reads what is somebody’s own', own, 'GET', 200, true],
    ['a visitor who asks for the head of it', own, 'HEAD', 200, true],
    ['a visitor in the back office, with whatever method', remove, 'PATCH', 200, true],
  ] as const)('tells a wrong right of %s from none', (_who, meant, method, status, found) => {
    expect(wrongRight('visitor', askedOf(operations, meant, method), status) !== undefined).toBe(found);
  });
});

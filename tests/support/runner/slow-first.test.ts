import path from 'node:path';
import { expect, it } from 'vitest';
import { slowFirst } from './slow-first.ts';

const spec = (name: string, file: string) => ({ project: { name }, moduleId: path.resolve(file) });

it('slow files run before others of their project, and projects stay together', () => {
  const [page, access, forgeries, own] = [
    spec('shared', 'app/ui/page.test.tsx'),
    spec('shared', 'server/http/api/access.test.ts'),
    spec('shared', 'server/domains/token-creation/forgeries.test.ts'),
    spec('isolated', 'server/own.test.ts'),
  ] as const;
  const other = spec('shared', 'app/ui/other.test.tsx');
  expect(slowFirst([own, page, other, forgeries, access])).toEqual([own, access, forgeries, page, other]);
});

import { globSync, readFileSync } from 'node:fs';
import { isProcedure } from '@orpc/server';
import { expect, it } from 'vitest';
import { opensTo, withOwners } from '#server/lib/staff-rights.ts';
import { router } from '#server/router.ts';
import { ADMIN_GUARANTEES } from '#tests/fixtures/guarantees/admin.ts';
import { PUBLIC_GUARANTEES } from '#tests/fixtures/guarantees/public.ts';
import { joinParts } from '#tests/support/runner/join-parts.ts';

/** The property in which middlewares store their declarations. */
const DECLARED = Symbol.for('florka.guarantees');

/** The guarantees of a procedure in the order of the checks: access first, rate limit last. */
function guaranteesOf(procedure: { '~orpc': { middlewares: readonly unknown[]; meta: object } }): string[] {
  const words = procedure['~orpc'].middlewares.flatMap(
    (one) => (one as { [DECLARED]?: readonly string[] })[DECLARED] ?? [],
  );
  // Guarantees that the contract declares for the procedure.
  const named = words.map((word) =>
    word === 'staff role' ? `${word} ${withOwners(opensTo(procedure)).join(', ')}` : word,
  );
  return words.includes('member') ? named : ['everyone', ...words];
}

/**
 * The guarantees of every procedure before its handler runs, in the order of the checks: access, confirmation, rate limit. A
 * new procedure needs a line.
 */
const TABLE = joinParts<readonly string[]>(PUBLIC_GUARANTEES, ADMIN_GUARANTEES);

function* proceduresIn(part: object, path: string[] = []): Generator<[string, readonly string[]]> {
  for (const [name, one] of Object.entries(part)) {
    if (isProcedure(one)) yield [[...path, name].join('.'), guaranteesOf(one)];
    else if (typeof one === 'object' && one !== null) yield* proceduresIn(one, [...path, name]);
  }
}

it('the list contains the guarantees of every procedure', () => {
  expect(Object.fromEntries(proceduresIn(router))).toEqual(TABLE);
});

it('rate limits are declared at procedures: no service of a domain uses LIMITS', () => {
  const taking = globSync('server/domains/**/*.service.ts', { cwd: process.cwd() }).filter(
    // A guarantee is declared in that file and used at procedures.
    (file) => !file.endsWith('confirm-password.service.ts') && /\bLIMITS\b/.test(readFileSync(file, 'utf8')),
  );
  expect(taking).toEqual([]);
});

import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The slowest files, the slowest first: a fresh checkout has no measured times. Vitest starts with the largest files, and these are not among
 * them: started late they would run alone at the end, with the other workers idle. That is all that a missing entry costs.
 */
const SLOW = [
  'server/http/api/access.test.ts',
  'server/domains/token-creation/forgeries.test.ts',
  'tests/ledger-attack.test.ts',
  'server/domains/ledger/rollback.test.ts',
  'server/signer/signer.test.ts',
  'server/domains/ledger/crash.test.ts',
  'server/domains/admin/audit/audit-coverage.test.ts',
  'server/records/resemblance-rate.test.ts',
  'scripts/operator/backup.test.ts',
  'scripts/operator/accounts.test.ts',
  'server/db/online-migration.test.ts',
  'server/http/api/access-admin.test.ts',
  'server/domains/payments/provider/reconcile.test.ts',
  'server/db/embedded.test.ts',
  'server/http/api/every-procedure.test.ts',
  'server/domains/payments/facts/reduce-schedules.test.ts',
  'server/domains/vote-review/decide-kill.test.ts',
  'server/domains/admin/power-cut.test.ts',
  'scripts/operator/simulation/simulate.test.ts',
  'server/jobs/queue.test.ts',
  'server/db/first-start.test.ts',
  'scripts/operator/operator.test.ts',
  'server/domains/payments/provider/emulator.test.ts',
];

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** Puts the slow files of a project first and leaves the order of the others; shards stay the same. */
export function slowFirst<Spec extends Pick<TestSpecification, 'moduleId'> & { project: { name: string } }>(
  files: readonly Spec[],
): Spec[] {
  const projects = [...new Set(files.map(({ project }) => project.name))];
  const rank = ({ moduleId }: Spec) => {
    const place = SLOW.indexOf(path.relative(ROOT, moduleId).replaceAll('\\', '/'));
    return place === -1 ? SLOW.length : place;
  };
  return projects.flatMap((name) =>
    files.filter(({ project }) => project.name === name).toSorted((a, b) => rank(a) - rank(b)),
  );
}

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return slowFirst(await super.sort(files));
  }
}

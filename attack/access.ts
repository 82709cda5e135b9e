// Calls every operation as every kind of person: operations that need a session must refuse requests without one, the
// back office is closed to everybody but admins, each part of it to admins of other parts, and requests from pages of
// other sites must not write.
import type { StaffRole } from '#contract/staff.ts';
import { ADMIN_GUARANTEES } from '#tests/fixtures/guarantees/admin.ts';
import type { AttackContext } from './attack-context.ts';
import type { Findings } from './findings.ts';
import { checkResponse } from './judge.ts';
import { nameOf, type Operation, targetOf } from './operations.ts';
import { clearLimits, type HttpClient, KINDS, type Kind, newPerson, staffRoleOf } from './people.ts';
import type { Random } from './random.ts';
import { sampleOf } from './values.ts';

/** Statuses of a refusal. */
const REFUSED = new Set([401, 403]);
/** Sent before rights are checked: for an invalid body, and beyond rate limits. */
const EARLIER = new Set([400, 429]);

/** Methods that change nothing; other sites may send them, and cannot read the response. */
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Maximum number of inputs for one operation, as long as each is refused before rights are checked; then the pair
 * counts as not tested.
 */
const MAX_INPUTS = 6;

/**
 * @returns how many requests were made, and how many pairs of operation and kind of person had no input that reached
 *   the check of rights.
 */
export async function attackAccess(
  context: AttackContext,
  operations: Operation[],
  random: Random,
  findings: Findings,
): Promise<{ made: number; unjudged: number }> {
  let made = 0;
  let unjudged = 0;
  // Admins last: their calls take effect.
  for (const kind of KINDS.toSorted((a, b) => Number(a === 'admin') - Number(b === 'admin'))) {
    await clearLimits(context.target);
    let who = await newPerson(context.target, kind);
    for (const [at, operation] of operations.entries()) {
      const closed = closedBy(kind, operation) !== undefined;
      for (let inputs = 1; ; inputs++) {
        const answer = await call(who, operation, random, context);
        made++;
        checkResponse(findings, kind, nameOf(operation), answer, context.secrets);
        const wrong = accessViolation(kind, operation, answer.status);
        if (wrong) findings.add('unauthorized access', `${nameOf(operation)} as ${kind}: ${wrong}, ${answer.status}`);
        if (!closed || !EARLIER.has(answer.status)) break;
        if (inputs < MAX_INPUTS) continue;
        unjudged++;
        break;
      }
      if (changesSession(operation) && hasSession(kind))
        who = (await isSignedIn(who)) ? who : await newPerson(context.target, kind);
      if (at % 50 === 49) await clearLimits(context.target);
    }
  }
  return { made, unjudged };
}

function call(who: HttpClient, operation: Operation, random: Random, { known }: AttackContext) {
  const target = `/api${targetOf(operation, random, known, 0)}`;
  if (!operation.body) return who.request(operation.method, target);
  return who.send(operation.method, target, sampleOf(operation.body, random, known, 0));
}

/** The statuses of which a kind of person must get one, whatever the input; undefined where no refusal is required. */
function closedBy(kind: Kind, { path, id, statuses }: Operation): ReadonlySet<number> | undefined {
  if (kind === 'foreign' || kind === 'admin') return undefined;
  const staffRole = staffRoleOf(kind);
  if (path.startsWith('/admin/')) return staffRole && isOpen(id, staffRole) ? undefined : REFUSED;
  const nobody = kind === 'visitor' || kind === 'banned' || kind === 'signed-out';
  return nobody && statuses.includes(401) ? REFUSED : undefined;
}

/** Describes what is wrong about a status; undefined when nothing is. */
export function accessViolation(kind: Kind, operation: Operation, status: number): string | undefined {
  if (kind === 'foreign' && !READS.has(operation.method) && status !== 403)
    return 'a write from another site was accepted';
  const closed = closedBy(kind, operation);
  if (!closed || closed.has(status) || EARLIER.has(status)) return undefined;
  return `${[...closed].join(' or ')} was due`;
}

/** From the list of the tests of rights, not from the product's own. */
function isOpen(id: string, role: StaffRole): boolean {
  const words = ADMIN_GUARANTEES[id]?.find((word) => word.startsWith('staff role '));
  // Everybody with access to the back office: their own session.
  return words ? words.slice('staff role '.length).split(', ').includes(role) : Object.hasOwn(ADMIN_GUARANTEES, id);
}

/** Kinds of people who keep a session after a call, unless the call ended it. */
export const hasSession = (kind: Kind): boolean =>
  kind === 'member' || kind === 'moderator' || kind === 'admin' || staffRoleOf(kind) !== undefined;

const changesSession = ({ path }: Operation) => /^\/(auth|account|me)/.test(path);

export async function isSignedIn(who: HttpClient): Promise<boolean> {
  const { status, text } = await who.request('GET', '/api/me');
  return status === 200 && text !== 'null' && text !== '';
}

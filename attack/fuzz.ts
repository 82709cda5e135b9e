// Requests generated from the API's description, by every kind of person, many of them invalid.
import { accessViolation, hasSession, isSignedIn } from './access.ts';
import { type AttackContext, changedIn, fingerprints, readKnown, staffRolesNow } from './attack-context.ts';
import type { Findings } from './findings.ts';
import { checkResponse } from './judge.ts';
import { nameOf, type Operation, requestedOperation, targetOf } from './operations.ts';
import { type Answer, clearLimits, type HttpClient, type Kind, newPerson, STAFF_KINDS, staffRoleOf } from './people.ts';
import type { Random } from './random.ts';
import { sampleOf } from './values.ts';

const STRANGERS: Kind[] = ['visitor', 'member', 'banned', 'signed-out', 'foreign'];
/** Concurrent requests. */
const CONCURRENCY = 6;
const TIMEOUT_MS = 30_000;
/** Share of fields of another type than declared. */
const WRONG_TYPE_SHARE = 0.12;
/** Number of requests between two checks of the sessions, after which the known rows are read again. */
const BATCH_SIZE = 250;

/**
 * @param requests total: six tenths by strangers, one by moderators, one by admins of one part, two by owners.
 * @returns the number of responses by the first digit of their status.
 */
export async function attackByFuzz(
  context: AttackContext,
  operations: Operation[],
  random: Random,
  findings: Findings,
  requests: number,
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  const before = await fingerprints(context);
  await phase(STRANGERS, Math.round(requests * 0.6));
  const between = await fingerprints(context);
  for (const table of changedIn(before, between)) findings.add('unauthorized access', `strangers changed ${table}`);
  await phase(['moderator'], Math.round(requests * 0.1));
  // Moderators may hide and remove what people wrote, and nothing else.
  for (const table of changedIn(between, await fingerprints(context)))
    if (!/^forum_/.test(table)) findings.add('unauthorized access', `moderators changed ${table}`);
  await staffPhase(Math.round(requests * 0.1));
  await phase(['admin'], Math.round(requests * 0.2));
  return statuses;

  /** Admins of one part cannot change roles, including their own, nor what only owners may change. */
  async function staffPhase(max: number): Promise<void> {
    const [rights, prints] = [await staffRolesNow(context.target), await fingerprints(context)];
    const made = await phase([...STAFF_KINDS], max);
    const expected = new Map([...rights, ...made]);
    const now = await staffRolesNow(context.target);
    for (const [id, roles] of now)
      if (expected.get(id) !== roles)
        findings.add('unauthorized access', `a staff role gave ${roles} where ${expected.get(id) ?? 'nothing'} was`);
    for (const [id, roles] of rights)
      if (!now.has(id)) findings.add('unauthorized access', `a staff role took ${roles} from an admin`);
    for (const table of changedIn(prints, await fingerprints(context)))
      if (/^(settings|admin_users|blockchain_networks):/.test(table))
        findings.add('unauthorized access', `a staff role changed ${table}`);
  }

  /** @returns the staff roles of the admins that were created for the run. */
  async function phase(kinds: Kind[], max: number): Promise<Map<string, string>> {
    const staff = new Map<string, string>();
    const people = new Map<Kind, HttpClient>();
    let { known } = context;
    let made = 0;
    while (made < max) {
      await clearLimits(context.target);
      known = await readKnown(context.target, known.emails);
      for (const kind of kinds) {
        const one = people.get(kind);
        const lost = !one || ((hasSession(kind) || kind === 'foreign') && !(await isSignedIn(one)));
        if (!lost) continue;
        const next = await newPerson(context.target, kind);
        people.set(kind, next);
        const role = staffRoleOf(kind);
        if (role) staff.set(next.id, role);
      }
      const share = Math.min(BATCH_SIZE, max - made);
      let left = share;
      const work = async () => {
        while (left-- > 0) {
          const kind = random.pick(kinds);
          const operation = random.pick(operations);
          const who = people.get(kind) as HttpClient;
          const answer = await sendRequest(who, operation, random, { ...context, known }).catch(
            (error: unknown) => error as Error,
          );
          if (answer instanceof Error) {
            findings.add('other', `${nameOf(operation)}: no answer (${answer.name} ${answer.cause ?? answer.message})`);
            continue;
          }
          const first = Math.floor(answer.status / 100);
          statuses.set(first, (statuses.get(first) ?? 0) + 1);
          checkResponse(findings, kind, nameOf(operation), answer, context.secrets);
          const expected = requestedOperation(operations, operation, answer.method);
          const succeeded = answer.status < 300 && accessViolation(kind, expected, answer.status);
          if (succeeded)
            findings.add('unauthorized access', `${nameOf(expected)} as ${kind}: ${succeeded}, ${answer.status}`);
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, work));
      made += share;
    }
    return staff;
  }
}

/** One request of one of several shapes. */
export async function sendRequest(
  who: Pick<HttpClient, 'request'>,
  operation: Operation,
  random: Random,
  { known }: Pick<AttackContext, 'known'>,
): Promise<Answer> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const target = targetOf(operation, random, known, WRONG_TYPE_SHARE);
  const input = operation.body && sampleOf(operation.body, random, known, WRONG_TYPE_SHARE);
  const json = { 'content-type': 'application/json' };
  const procedure = `/rpc/${operation.id.replaceAll('.', '/')}`;
  /** In this protocol the address names the procedure, whatever the method. */
  const asMeant = (answer: Answer): Answer => ({ ...answer, method: operation.method });
  const shape = random.next();
  if (shape < 0.1 && operation.id) {
    // The site's own protocol, with its notes about types.
    const meta = random.chance(0.3) ? [[random.below(9), random.pick(['a', '__proto__', 'id'])]] : undefined;
    const body = JSON.stringify({ json: input ?? Object.fromEntries(new URL(`http://x${target}`).searchParams), meta });
    const method = random.chance(0.9) ? 'POST' : 'GET';
    const init = { signal, ...(method === 'POST' ? { headers: json, body } : {}) };
    return asMeant(await who.request(method, procedure, init));
  }
  if (shape < 0.2 && operation.method !== 'GET') {
    const broken = random.pick([
      '{',
      '[]',
      '"text"',
      '',
      '{"a":',
      '\u0000',
      'null',
      `${'['.repeat(5_000)}`,
      '{"a":1,"a":2}',
      '1e999',
    ]);
    const type = random.pick([
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      '',
    ]);
    return who.request(operation.method, `/api${target}`, { signal, headers: { 'content-type': type }, body: broken });
  }
  if (shape < 0.27) {
    const path = random.pick([
      `/api/${target}`,
      `/API${target}`,
      `/api${target}/`,
      `/api/%2e%2e/api${target}`,
      `/api${target}%00`,
      `/rpc${target}`,
    ]);
    const method = random.pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', operation.method]);
    const headers = random.pick<Record<string, string>>([
      {},
      { 'x-http-method-override': 'DELETE' },
      { 'x-user-id': random.pick(known.ids) },
      { host: 'evil.test' },
    ]);
    const answer = await who.request(method, path, { signal, headers });
    return path.split('?')[0] === procedure ? asMeant(answer) : answer;
  }
  if (!operation.body) return who.request(operation.method, `/api${target}`, { signal });
  return who.request(operation.method, `/api${target}`, { signal, headers: json, body: JSON.stringify(input) });
}

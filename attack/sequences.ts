// Sequences of steps on one object: later steps, the pages and the jobs have to work with what one step stored.
import { isSignedIn } from './access.ts';
import type { AttackContext } from './attack-context.ts';
import type { Findings } from './findings.ts';
import { checkResponse } from './judge.ts';
import { nameOf, type Operation, targetOf } from './operations.ts';
import { type Answer, clearLimits, type HttpClient, newPerson } from './people.ts';
import type { Random } from './random.ts';
import { passTime, type Row, readFocus, runJobs } from './sequence-database.ts';
import { readSite } from './sequence-reads.ts';
import { type Common, commonOf, settingValue, storedValue } from './stored.ts';
import { type Known, type Schema, sampleOf } from './values.ts';

/** Concurrent sequences: some of them compete for the same place, name or account. */
const CONCURRENCY = 3;
const STEPS = 24;
/** Shares of unusual values, one for each step; a form with many of them is refused. */
const UNUSUAL = [0, 0.03, 0.1, 0.4];
/** Optional fields that need a proof or an upload of their own. */
const LEFT_OUT = /^(challenge|claim|attempt|images|imageId|about|quoted|staffRoles)$/;
/** Actions that would end the session or the role of the caller, or the run's own connection to a provider. */
const NOT_CALLED =
  /^\/(auth|account|me)|\/users\/(remove|ban|reset|revoke)|\/admin\/(roles|settings\/test)|forum-user-management/;
const SIMULATED = ['pay_all', 'pay_part', 'top_up', 'pay_more', 'late', 'fail', 'expire', 'wrong_asset', 'refund'];
const COINS = ['usdttrc20', 'btc', 'eth', 'sol', 'bnbbsc'];

/** The table that a parameter of an address refers to, by its name; for `id` it depends on the beginning of the address. */
const ROWS: readonly [RegExp, string][] = [
  [/paymentId$/, 'payments'],
  [/refundId$/, 'refund_cases'],
  [/proposalId$/, 'token_proposals'],
  [/commentId$/, 'forum_comments'],
  [/^\/admin\/deliverables/, 'deliverables'],
  [/^\/admin\/refunds/, 'refund_cases'],
  [/^\/admin\/mails/, 'mails'],
  [/^\/admin\/rounds.*[^a-z]id$/, 'voting_rounds'],
  [/^\/forum\/comments/, 'forum_comments'],
  [/proofs/, 'ownership_proofs'],
  [/^\/admin\/ownership\/\{id/, 'ownership_proofs'],
  [/notes\/\{id/, 'staff_notes'],
];
/** Records whose tables have check constraints, which no valid form may violate. */
const RECORDS =
  /^\/admin\/(projects|candidates|next-projects|news|networks|submissions|versions|records|token-requests)/;
/** Settings that would disable the run's own mails and payments, or need more than a value. */
const SETTINGS_LEFT_ALONE = /^(smtp|telegram|payments|siteMark)/;

/** Kind of object: the operation that creates it, who may, and the paths of the operations on it. */
interface Subject {
  name: string;
  create: string;
  by: 'member' | 'admin';
  paths: RegExp;
  /** The operations of every second step. */
  core: RegExp;
}

const RECORD_PATHS = /^\/admin\/(records|schedules|versions|editing|previews|market|ownership|media|lists)|^\/saved/;
const CHANGES = /^PUT|restore$|^POST .*(top3|reset|undo|project|winner)/;
const record = (name: string, paths: string): Subject => ({
  name,
  create: `POST /api/admin/${name}`,
  by: 'admin',
  paths: new RegExp(`^/admin/${name}|${paths}|${RECORD_PATHS.source}`),
  core: CHANGES,
});
const ORDER: Subject = {
  name: 'order',
  create: 'POST /api/token-requests',
  by: 'member',
  paths:
    /^\/(token-requests|orders)|^\/admin\/(token-requests|refunds|deliverables|unplaced|inbox|mails|mailbox|money)/,
  core: /^PUT .*token-requests\/\{id|\/(payment|check|close|reopen|link|proposal|refunds|address|deliver|withdraw|accept)$/,
};
const SUBJECTS: readonly Subject[] = [
  ORDER,
  {
    name: 'submission',
    create: 'POST /api/submissions',
    by: 'member',
    paths: /^\/submissions|^\/admin\/submissions/,
    core: /\/admin\/submissions/,
  },
  ORDER,
  {
    name: 'post',
    create: 'POST /api/forum/posts',
    by: 'member',
    paths: /^\/forum|^\/admin\/forum/,
    core: /^PUT|comments|appeal|restore|hide/,
  },
  ORDER,
  {
    name: 'person',
    create: 'POST /api/admin/users',
    by: 'admin',
    paths: /^\/admin\/(users|people|mailbox)|^\/forum\/trust/,
    core: CHANGES,
  },
  record('projects', '^/ownership'),
  record('candidates', '^/(candidates|ownership)|^/admin/rounds'),
  record('next-projects', '^/ownership'),
  record('news', '^/news'),
  record('networks', '^/networks'),
];
/** Paths that belong to no single object: settings, pages, lists. */
const SITE_PATHS = /^\/admin\/(settings|site-pages|deliverables\/terms|rounds|lists)/;

/** The people of one sequence, and the values they need to work on its object. */
interface Track {
  subject: Subject;
  member: HttpClient;
  admin: HttpClient;
  common: Common;
  root: string;
  secret: string | undefined;
  key: string | undefined;
  /** Payment pages of the simulation. */
  paymentPages: string[];
}

interface Run {
  context: AttackContext;
  operations: Operation[];
  random: Random;
  findings: Findings;
  serial: number;
  made: number;
  taken: number;
}

/**
 * Runs sequences, then lets time pass, runs every job, and reads the site again.
 *
 * @param options.sequences how many; each creates one object and performs steps on it.
 * @param options.pages as for `readSite`.
 */
export async function attackSequences(
  context: AttackContext,
  operations: Operation[],
  random: Random,
  findings: Findings,
  options: { sequences: number; pages: number },
): Promise<string> {
  const run: Run = { context, operations, random, findings, serial: 0, made: 0, taken: 0 };
  // Without a signer orders are only taken on networks with delivery by hand.
  await context.target.db.query('update blockchain_networks set manual_days = 7 where manual_days is null');
  let next = 0;
  const work = async () => {
    while (next < options.sequences) await sequence(run, SUBJECTS[next++ % SUBJECTS.length] as Subject);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  await passTime(context.target);
  const jobs = await runJobs(context.target);
  for (const name of jobs.left) findings.add('other', `job not done: ${name}`);
  const read = await readSite(context, operations, random, findings, options.pages);
  return `${options.sequences} sequences, ${run.made} requests, ${run.taken} of them accepted; ${jobs.done} jobs; ${read} addresses read`;
}

async function sequence(run: Run, subject: Subject): Promise<void> {
  const { context, random, operations } = run;
  await clearLimits(context.target);
  const track: Track = {
    subject,
    member: await newPerson(context.target, 'member'),
    admin: await newPerson(context.target, 'admin'),
    common: commonOf(++run.serial, random),
    root: '',
    secret: undefined,
    key: undefined,
    paymentPages: [],
  };
  await create(run, track);
  if (!track.root) return;
  const possible = operations.filter(
    ({ path }) => !NOT_CALLED.test(path) && (subject.paths.test(path) || SITE_PATHS.test(path)),
  );
  const own = possible.filter(({ path }) => subject.paths.test(path));
  const writes = own.filter(({ method, path }) => method !== 'GET' && !RECORD_PATHS.test(path));
  const core = writes.filter((one) => subject.core.test(nameOf(one)));
  for (let step = 0; step < STEPS; step++) {
    if (track.paymentPages.length > 0 && random.chance(0.25)) await simulatePayment(run, track);
    else if (random.chance(0.03)) await changeSetting(run, track);
    else
      await perform(
        run,
        track,
        random.pick(random.chance(0.5) ? core : random.chance(0.5) ? writes : random.chance(0.8) ? own : possible),
      );
    if (!(await isSignedIn(track.admin))) track.admin = await newPerson(context.target, 'admin');
  }
  for (const operation of own) if (operation.method === 'GET') await perform(run, track, operation);
}

/** Creates the object; repeats with other values if it is refused. */
async function create(run: Run, track: Track): Promise<void> {
  const operation = run.operations.find((one) => nameOf(one) === track.subject.create);
  if (!operation) throw new Error(`no operation ${track.subject.create}`);
  for (let attempt = 0; attempt < 12 && !track.root; attempt++) {
    await clearLimits(run.context.target);
    const answer = await perform(run, track, operation);
    if (answer.status !== 200) continue;
    const made = JSON.parse(answer.text) as { id?: string; secret?: string; orderKey?: string; key?: string };
    track.root = made.id ?? '';
    track.secret = made.secret;
    track.key = made.orderKey ?? made.key;
  }
}

/** Sends one valid request, as somebody who may send it. */
async function perform(run: Run, track: Track, operation: Operation): Promise<Answer> {
  const { context, random, findings } = run;
  const rows = track.root ? await readFocus(context.target, track.root) : [];
  const ids = track.root ? [track.root, ...rows.map(({ id }) => id)] : [];
  const known: Known = {
    ...context.known,
    ids,
    slugs: ids,
    optional: 0.8,
    field: fieldOf(track, operation, rows, random),
  };
  const send = (body: unknown) =>
    operation.body ? who.send(operation.method, target, body) : who.request(operation.method, target);
  const byAdmin = track.subject.by === 'admin' || /^\/(admin|forum\/(review|trust))/.test(operation.path);
  const who = byAdmin ? track.admin : track.member;
  const target = `/api${targetOf(operation, random, known, 0)}`;
  const body = operation.body && leaveOut(sampleOf(operation.body, random, known, random.pick([0, 0, 0, 0.02])));
  let answer = await send(body);
  const current = /"code":"VERSION_CONFLICT".*?"version":(\d+)/.exec(answer.text)?.[1];
  if (current && body && typeof body === 'object') answer = await send({ ...body, version: Number(current) });
  run.made++;
  if (answer.status < 300) run.taken++;
  const about = answer.status >= 500 ? ` ${target} ${JSON.stringify(body)?.slice(0, 900)}` : '';
  checkResponse(findings, who.kind, `${nameOf(operation)}${about}`, answer, []);
  if (RECORDS.test(operation.path) && answer.text.includes('"NOT_VALID"'))
    findings.add(
      'other',
      `${nameOf(operation)}: a form that passes its schema is refused by the database, ${JSON.stringify(body)?.slice(0, 900)}`,
    );
  const page = /"paymentUrl":"[^"]*(\/sandbox\/pay\/\d+)"/.exec(answer.text)?.[1];
  if (page && !track.paymentPages.includes(page)) track.paymentPages.push(page);
  if (answer.status === 200 && operation.path === '/orders/{id}/link')
    track.key = (JSON.parse(answer.text) as { key: string | null }).key ?? track.key;
  return answer;
}

function leaveOut(body: unknown): unknown {
  if (body && typeof body === 'object')
    for (const name of Object.keys(body)) if (LEFT_OUT.test(name)) Reflect.deleteProperty(body, name);
  return body;
}

/** Values of fields: what this sequence has, rows that exist, and values that the API stores. */
function fieldOf(track: Track, operation: Operation, rows: Row[], random: Random) {
  const unusual = random.pick(UNUSUAL);
  let chosen = rows.find(({ id }) => id === track.root);
  return (name: string, schema: Schema): unknown => {
    if (name === 'secret') return track.secret;
    if (name === 'key') return track.key;
    if (/[iI]d$/.test(name) && rows.length > 0 && random.chance(0.95)) {
      const table = ROWS.find(([place]) => place.test(`${operation.path} ${name}`))?.[1];
      const fitting = rows.filter((row) => (table ? row.table === table : row.id === track.root));
      chosen = fitting.length > 0 ? random.pick(fitting) : random.pick(rows);
      return chosen.id;
    }
    if (/^(seenV|v)ersion$/.test(name)) return chosen?.version ?? random.below(3);
    if (name === 'kind' || name === 'as')
      return schema.enum?.find((one) => track.subject.name.replace('-', '_').startsWith(String(one)));
    if (/Accepted$/.test(name)) return random.chance(0.9);
    if (schema.type === 'boolean' || LEFT_OUT.test(name)) return undefined;
    return storedValue(name, schema, random, track.common, unusual);
  };
}

/** Changes one setting, as the back office shows it. */
async function changeSetting(run: Run, track: Track): Promise<void> {
  const { random } = run;
  const list = await track.admin.request('GET', '/api/admin/settings');
  if (list.status !== 200) return;
  const all = JSON.parse(list.text) as { name: string; kind: string; version: number }[];
  const { name, kind, version } = random.pick(all.filter((one) => !SETTINGS_LEFT_ALONE.test(one.name)));
  const answer = await track.admin.send('PUT', '/api/admin/settings', {
    changes: [{ name, version, value: settingValue(kind, random) }],
  });
  run.made++;
  if (answer.status < 300) run.taken++;
  checkResponse(run.findings, 'admin', `PUT /api/admin/settings of ${name}`, answer, []);
}

/** The payer and the network, on the simulation's page. */
async function simulatePayment(run: Run, track: Track): Promise<void> {
  const { random, findings } = run;
  const body = new URLSearchParams({ action: random.pick(SIMULATED), currency: random.pick(COINS) });
  const answer = await track.member.request('POST', random.pick(track.paymentPages), {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  });
  run.made++;
  if (answer.status >= 500) findings.add('server error', `the payment simulation: ${answer.status}`);
}

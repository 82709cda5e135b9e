// `npm run florka -- <command>`: what an operator does beside the running server, with the same environment variables. Each
// command is in the file of its first word in operator/.
import { StartError } from '#server/lib/errors/start-error.ts';
import { INSTALLATION_USAGE, installationCommand } from './operator/installation.ts';

const USAGE = `Usage: npm run florka -- <command>

  mail test you@example.org             send a test mail and show how it went
  admin create you@example.org          make an admin: a new account with a random password, or one that confirmed this e-mail
  admin create you@example.org editor,finance  with these staff roles instead of owner; also changes those of an admin
  admin disable you@example.org         shut an admin out at once; the last owner who may act stays
  admin enable you@example.org          open a disabled or banned account again
  admin invite you@example.org          let this person claim the admin role; staff roles may follow as above
  admin reset-password you@example.org  give the account a new random password and end its sessions
  admin key admin.key                   make a key with a passphrase: what it signs about payments, the signer believes
  admin sign admin.key statement.json   sign such a statement of the back office, without network and database
  second-factor reset you@example.org   forget the second factor of who lost phone and recovery codes, end the sessions
  sessions revoke you@example.org       end every session of an account
  sessions revoke-all                   end every session of everybody, yours as well
  user confirm you@example.org          approve an account
  submissions close                     take no more requests for publication; the page says that it comes soon
  submissions open                      take them again
  votes recount                         compare every total with its votes
  votes recount --fix                   and write what was counted
  votes months                          make the months of votes that are missing, and list them
  votes carry                           votes older than VOTES_KEEP_MONTHS become sums, their months go
  votes simulate --seed 7               made-up votes, honest and bought: what the signals would hold of them
  audit verify                          recompute the hash chain of the audit log
  audit verify 4711:9f86d0…             and look for this entry, which was noted elsewhere
  ledger accept checkpoint.txt          after a restore: the last checkpoint of the ledger that was published
  ledger accept --nothing-newer         the database has the last one itself
  witness run <key of a ledger>         sign what continues a ledger; for somebody else than its operator to run
${INSTALLATION_USAGE}`;

type Run = (...words: string[]) => Promise<boolean>;

/** A command whose file is loaded when it is called: loading the others takes half of the time of a short command. */
const from =
  <Module>(load: () => Promise<Module>, pick: (module: Module) => Run): Run =>
  async (...words) =>
    pick(await load())(...words);

const admin = () => import('./operator/admin.ts');
const adminKey = () => import('./operator/admin-key.ts');
const sessions = () => import('./operator/sessions.ts');
const submissions = () => import('./operator/submissions.ts');
const votes = () => import('./operator/votes.ts');
const runWitness = from(
  () => import('./operator/witness.ts'),
  (file) =>
    (key = '') =>
      file.runWitness(key),
);

/** Each takes the words after its name, of which `optional` ones may be missing, and returns true on success. */
const commands: Record<string, { words: number; optional?: number; run: Run }> = {
  'mail test': {
    words: 1,
    run: from(
      () => import('./operator/mail.ts'),
      (file) => file.testMail,
    ),
  },
  'admin create': { words: 1, optional: 1, run: from(admin, (file) => file.createAdmin) },
  'admin disable': { words: 1, run: from(admin, (file) => file.disableAdmin) },
  'admin enable': { words: 1, run: from(admin, (file) => file.enableAccount) },
  'admin invite': { words: 1, optional: 1, run: from(admin, (file) => file.inviteAdmin) },
  'admin reset-password': { words: 1, run: from(admin, (file) => file.resetPassword) },
  'admin key': {
    words: 1,
    run: from(
      adminKey,
      (file) =>
        (name = '') =>
          file.makeAdminKey(name),
    ),
  },
  'admin sign': {
    words: 2,
    run: from(
      adminKey,
      (file) =>
        (key = '', statement = '') =>
          file.signAcceptance(key, statement),
    ),
  },
  'second-factor reset': {
    words: 1,
    run: from(
      () => import('./operator/second-factor.ts'),
      (file) => file.resetSecondFactor,
    ),
  },
  'sessions revoke': { words: 1, run: from(sessions, (file) => file.revokeSessions) },
  'sessions revoke-all': { words: 0, run: from(sessions, (file) => file.revokeAllSessions) },
  'user confirm': {
    words: 1,
    run: from(
      () => import('./operator/user.ts'),
      (file) => file.confirmUser,
    ),
  },
  'submissions close': { words: 0, run: from(submissions, (file) => file.closeSubmissions) },
  'submissions open': { words: 0, run: from(submissions, (file) => file.openSubmissions) },
  'votes recount': { words: 0, optional: 1, run: from(votes, (file) => file.recount) },
  'ledger accept': {
    words: 1,
    run: from(
      () => import('./operator/ledger.ts'),
      (file) => file.acceptLedger,
    ),
  },
  'witness run': { words: 1, run: runWitness },
  'votes months': { words: 0, run: from(votes, (file) => file.months) },
  'votes carry': { words: 0, run: from(votes, (file) => file.carry) },
  'votes simulate': { words: 0, optional: 2, run: from(votes, (file) => file.simulate) },
  'audit verify': {
    words: 0,
    optional: 1,
    run: from(
      () => import('./operator/audit.ts'),
      (file) => file.verifyAudit,
    ),
  },
};

/** Description of one command, or of all. */
function helpFor(name: string): string {
  const lines = USAGE.split('\n').filter((line) => line.startsWith(`  ${name} `));
  return lines.length === 0 ? USAGE : lines.map((line) => `npm run florka -- ${line.trim()}`).join('\n');
}

async function main([topic = '', verb = '', ...words]: string[]): Promise<number> {
  // `witness <key>` works as well: a witness has only one command.
  if (topic === 'witness' && verb.includes('+')) return settled(() => runWitness(verb));
  const whole = installationCommand(topic, verb ? [verb, ...words] : words);
  if (whole) return settled(whole);
  const command = commands[`${topic} ${verb}`];
  if ([topic, verb, ...words].includes('--help')) {
    console.log(helpFor(`${topic} ${verb}`));
    return 0;
  }
  if (!command || words.length < command.words || words.length > command.words + (command.optional ?? 0)) {
    console.error(USAGE);
    return 2;
  }
  return settled(() => command.run(...words));
}

/** One line for an expected error, the whole error otherwise. */
async function settled(run: () => Promise<boolean>): Promise<number> {
  try {
    return (await run()) ? 0 : 1;
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error);
    return 1;
  }
}

process.exitCode = await main(process.argv.slice(2));

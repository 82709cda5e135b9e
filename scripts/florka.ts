// `npm run florka -- <command>`: what an operator does beside the running server, with the same environment variables.
import { StartError } from '#server/lib/start-error.ts';
import { inviteAdmin, resetPassword } from './operator/admin.ts';
import { verifyAudit } from './operator/audit.ts';
import { testMail } from './operator/mail.ts';

const USAGE = `Usage: npm run florka -- <command>

  mail test you@example.org             send a test mail and show how it went
  admin invite you@example.org          let this person claim the admin role
  admin reset-password you@example.org  give the account a new random password and end its sessions
  audit verify                          recompute the hash chain of the audit log
  audit verify 4711:9f86d0…             and look for this entry, which was noted elsewhere`;

/** Each takes the words after its name, `optional` ones may be missing, and answers whether all is well. */
const commands: Record<string, { words: number; optional?: number; run: (...words: string[]) => Promise<boolean> }> = {
  'mail test': { words: 1, run: testMail },
  'admin invite': { words: 1, run: inviteAdmin },
  'admin reset-password': { words: 1, run: resetPassword },
  'audit verify': { words: 0, optional: 1, run: verifyAudit },
};

async function main([topic = '', act = '', ...words]: string[]): Promise<number> {
  const command = commands[`${topic} ${act}`];
  if (!command || words.length < command.words || words.length > command.words + (command.optional ?? 0)) {
    console.error(USAGE);
    return 2;
  }
  try {
    return (await command.run(...words)) ? 0 : 1;
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error);
    return 1;
  }
}

process.exitCode = await main(process.argv.slice(2));

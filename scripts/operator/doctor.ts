import { effectiveEnv } from '#server/doctor/effective-env.ts';
import { doctorReport } from '#server/doctor/report.ts';
import { StartError } from '#server/lib/errors/start-error.ts';
import { withDatabase } from './database.ts';

export const DOCTOR_HELP = `Usage: npm run florka -- doctor

Reports how this installation is: versions, migrations, sizes, job queue, mails, uploads, payments, signer. It changes nothing, and
holds no secret, no address of a person and no token's data, so it can be sent to whoever helps. Lines that begin with !! say
what is wrong; then the command ends with 1.`;

/** Prints the report. */
export async function doctor(args: string[]): Promise<boolean> {
  if (args.length > 0) throw new StartError(`Unknown argument «${args[0]}» of doctor; see doctor --help.`);
  return withDatabase(async ({ env, pool, db }) => {
    const parts = await doctorReport(pool, await effectiveEnv(db, env, process.env));
    let problems = 0;
    for (const [title, lines] of parts) {
      console.log(title);
      for (const { name, value, problem } of lines) {
        console.log(`   ${name.padEnd(22)}${value}`);
        if (problem) {
          problems++;
          console.log(`!! ${problem}`);
        }
      }
    }
    console.log(
      problems === 0 ? 'Nothing is wrong.' : `${problems} ${problems === 1 ? 'thing needs' : 'things need'} a look.`,
    );
    return problems === 0;
  }, 'any');
}

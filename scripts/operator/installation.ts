import { StartError } from '#server/lib/errors/start-error.ts';
import { BACKUP_HELP, backUp } from './backup.ts';
import { DOCTOR_HELP, doctor } from './doctor.ts';
import { pauseInstallation, resumeInstallation } from './pause.ts';
import { RESTORE_HELP, restore } from './restore.ts';

const PAUSE_HELP = `Usage: npm run florka -- pause

Lets pages be served and nothing else be done: no mails, no jobs, no payments, nothing signed, until resume. A restored or
copied installation pauses by itself; this is for copies that can't be recognised, before their first start.`;

const RESUME_HELP = `Usage: npm run florka -- resume

Lets a paused installation act again: queued mails go out, jobs run, open payments are asked about. Be sure that no other
installation does the same work.`;

/** A command that takes no words. */
const without = (name: string, run: () => Promise<boolean>) => (args: string[]) => {
  if (args.length > 0) throw new StartError(`Unknown argument «${args[0]}» of ${name}; see ${name} --help.`);
  return run();
};

/** Commands about the installation as a whole: one word, and options of their own. */
const commands: Record<string, { help: string; run: (args: string[]) => Promise<boolean> }> = {
  backup: { help: BACKUP_HELP, run: backUp },
  restore: { help: RESTORE_HELP, run: restore },
  doctor: { help: DOCTOR_HELP, run: doctor },
  pause: { help: PAUSE_HELP, run: without('pause', pauseInstallation) },
  resume: { help: RESUME_HELP, run: without('resume', resumeInstallation) },
};

export const INSTALLATION_USAGE = `  backup [--to folder] [--secrets]      write database and uploads into a new folder
  restore <folder>                      bring a backup back in a fresh place
  pause                                 let nothing go out: no mails, jobs, payments, signing
  resume                                let a paused or restored installation act again
  doctor                                report how the installation is, without secrets`;

/** The command of this name, which takes the other words; undefined for any other name. */
export function installationCommand(name: string, args: string[]): (() => Promise<boolean>) | undefined {
  if (!Object.hasOwn(commands, name)) return undefined;
  const command = commands[name];
  return async () => {
    if (!command) return false;
    if (!args.includes('--help')) return command.run(args);
    console.log(command.help);
    return true;
  };
}

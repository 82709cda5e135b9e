import { StartError } from '#server/lib/errors/start-error.ts';

const PAUSE_HELP = `Usage: npm run florka -- pause

Lets pages be served and nothing else be done: no mails, no jobs, no payments, nothing signed, until resume. A restored or
copied installation pauses by itself; this is for copies that can't be recognised, before their first start. A site that runs
creates no payment from now on, but goes on with its jobs and mails until it is restarted.`;

const RESUME_HELP = `Usage: npm run florka -- resume

Lets a paused installation act again: queued mails go out, jobs run, open payments are asked about. Be sure that no other
installation does the same work.`;

/** A command that takes no words. */
const without = (name: string, run: () => Promise<boolean>) => (args: string[]) => {
  if (args.length > 0) throw new StartError(`Unknown argument «${args[0]}» of ${name}; see ${name} --help.`);
  return run();
};

interface Command {
  help: string;
  run: (args: string[]) => Promise<boolean>;
}

/** Commands about the installation as a whole: one word, and options of their own. Each is loaded when it is called. */
const commands: Record<string, () => Promise<Command>> = {
  backup: async () => {
    const { BACKUP_HELP, backUp } = await import('./backup.ts');
    return { help: BACKUP_HELP, run: backUp };
  },
  restore: async () => {
    const { RESTORE_HELP, restore } = await import('./restore.ts');
    return { help: RESTORE_HELP, run: restore };
  },
  doctor: async () => {
    const { DOCTOR_HELP, doctor } = await import('./doctor.ts');
    return { help: DOCTOR_HELP, run: doctor };
  },
  pause: async () => {
    const { pauseInstallation } = await import('./pause.ts');
    return { help: PAUSE_HELP, run: without('pause', pauseInstallation) };
  },
  resume: async () => {
    const { resumeInstallation } = await import('./pause.ts');
    return { help: RESUME_HELP, run: without('resume', resumeInstallation) };
  },
};

export const INSTALLATION_USAGE = `  backup [--to folder] [--secrets]      write database and uploads into a new folder
  restore <folder>                      bring a backup back in a fresh place
  pause                                 let nothing go out: no mails, jobs, payments, signing
  resume                                let a paused or restored installation act again
  doctor                                report how the installation is, without secrets`;

/** The command of this name, which takes the other words; undefined for any other name. */
export function installationCommand(name: string, args: string[]): (() => Promise<boolean>) | undefined {
  if (!Object.hasOwn(commands, name)) return undefined;
  const load = commands[name];
  return async () => {
    if (!load) return false;
    const command = await load();
    if (!args.includes('--help')) return command.run(args);
    console.log(command.help);
    return true;
  };
}

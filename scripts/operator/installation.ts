import { BACKUP_HELP, backUp } from './backup.ts';
import { DOCTOR_HELP, doctor } from './doctor.ts';
import { RESTORE_HELP, restore } from './restore.ts';

/** Commands about the installation as a whole: one word, and options of their own. */
const commands: Record<string, { help: string; run: (words: string[]) => Promise<boolean> }> = {
  backup: { help: BACKUP_HELP, run: backUp },
  restore: { help: RESTORE_HELP, run: restore },
  doctor: { help: DOCTOR_HELP, run: doctor },
};

export const INSTALLATION_USAGE = `  backup [--to folder] [--secrets]      write database and uploads into a new folder
  restore <folder>                      bring a backup back in a fresh place
  doctor                                report how the installation is, without secrets`;

/** The command of this name, which takes the other words; undefined for any other name. */
export function installationCommand(name: string, words: string[]): (() => Promise<boolean>) | undefined {
  if (!Object.hasOwn(commands, name)) return undefined;
  const command = commands[name];
  return async () => {
    if (!command) return false;
    if (!words.includes('--help')) return command.run(words);
    console.log(command.help);
    return true;
  };
}

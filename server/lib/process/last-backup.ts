import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** Name of the file in DATA_DIR with the time of the newest completed backup, as an ISO date. */
export const LAST_BACKUP = 'last-backup';

/** Time of the newest completed `florka backup` of this DATA_DIR; null if none is recorded there. */
export async function readLastBackup(dataDir: string): Promise<Date | null> {
  const text = await readFile(path.join(dataDir, LAST_BACKUP), 'utf8').catch(() => '');
  const at = Date.parse(text.trim());
  return Number.isNaN(at) ? null : new Date(at);
}

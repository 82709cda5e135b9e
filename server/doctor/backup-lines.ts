import type { Env } from '#server/env.ts';
import { readLastBackup } from '#server/lib/process/last-backup.ts';
import { type Line, timeAgo } from './lines.ts';

/** State of the archive of the database's log, from which a restore reaches any moment. */
export interface ArchiveState {
  /** PostgreSQL's `archive_mode`. */
  mode: string;
  archived: Date | null;
  failed: Date | null;
  /** The segment of the newest failure. */
  segment: string | null;
}

/** A segment that cannot be archived blocks every later one, which no other line reports. */
export function archiveLine({ mode, archived, failed, segment }: ArchiveState): Line {
  const name = 'Log of the database';
  if (mode === 'off') return { name, value: 'is not archived' };
  const value = `newest archived segment: ${timeAgo(archived)}`;
  if (!failed || (archived && archived >= failed)) return { name, value };
  return {
    name,
    value,
    problem: `PostgreSQL cannot archive ${segment ?? 'a segment'}, last tried ${timeAgo(failed)}: nothing newer can be restored, and its log grows. Its messages say why.`,
  };
}

/**
 * The newest backup that the program made, and where backups are described. No backup is not a problem: those made with other
 * programs, or by a start with another DATA_DIR, are unknown here.
 */
export async function backupLines({ DATA_DIR }: Pick<Env, 'DATA_DIR'>): Promise<Line[]> {
  const newest = await readLastBackup(DATA_DIR);
  return [
    {
      name: 'Newest by florka backup',
      value: newest ? `${newest.toISOString()} (${timeAgo(newest)})` : 'none recorded in this DATA_DIR',
    },
    {
      name: 'Not known here',
      value: 'backups by other programs, whether a backup still exists, and whether it can be restored',
    },
    {
      name: 'Made by',
      value: 'npm run florka -- backup --secrets --to FOLDER, on the server; nothing makes one by itself',
    },
    { name: 'Described in', value: 'docs/operating.md, "Backup and restore"' },
  ];
}

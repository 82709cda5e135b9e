import fs from 'node:fs';
import path from 'node:path';
import { StartError } from '#server/lib/errors/start-error.ts';

/** The system account that PostgreSQL runs under when this process is root, which PostgreSQL refuses. */
export interface Account {
  uid: number;
  gid: number;
}

/**
 * Undefined when PostgreSQL can run as the current user. For root, accounts that exist on every system are used, so nothing has to
 * be created.
 *
 * @param ownerOf existing cluster directory; its owner has priority, because no other account may open it
 * @throws {StartError} when root finds no account to switch to.
 */
export function accountFor(ownerOf: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const existing = fs.statSync(ownerOf, { throwIfNoEntry: false });
  if (existing && existing.uid !== 0) return { uid: existing.uid, gid: existing.gid };
  const lines = fs.readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new StartError('PostgreSQL refuses to run as root and the account "nobody" does not exist; use another user');
}

/** True when the account may access `dir` and all parent directories, e.g. false inside a 0700 home. */
export function canReach(account: Account | undefined, dir: string): boolean {
  if (!account) return true;
  for (let at = path.resolve(dir); ; at = path.dirname(at)) {
    const stat = fs.statSync(at, { throwIfNoEntry: false });
    if (stat) {
      const bit = stat.uid === account.uid ? 0o100 : stat.gid === account.gid ? 0o010 : 0o001;
      if (!(stat.mode & bit)) return false;
    }
    if (at === path.dirname(at)) return true;
  }
}

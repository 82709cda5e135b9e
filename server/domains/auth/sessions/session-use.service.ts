import type { Db } from '#server/db/client.ts';
import type { Viewer } from '#server/lib/viewer.ts';
import { noteUses } from './session-use.sql.ts';

/** Minimum age of the last recorded use before another is recorded: members see it to the minute. Milliseconds. */
const EVERY = 60_000;
/** Uses within this time are written together. Milliseconds. */
const COALESCE_MS = 1_000;

/** Records when sessions are used. It never delays or fails a request: a lost record is compensated by the next. */
export interface SessionUse {
  note(viewer: Viewer, now: Date): void;
  /** Writes the recorded uses. */
  flush(): Promise<void>;
}

export function createSessionUse(db: Db): SessionUse {
  let noted = new Map<string, Date>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const uses = noted;
    noted = new Map();
    if (uses.size === 0) return;
    await noteUses(db, { ids: [...uses.keys()], moments: [...uses.values()] }).catch(() => {});
  }
  return {
    note(viewer, now) {
      if (!viewer.sessionId || now.getTime() - viewer.sessionUsedAt.getTime() < EVERY) return;
      noted.set(viewer.sessionId, now);
      timer ??= setTimeout(() => void flush(), COALESCE_MS).unref();
    },
    flush,
  };
}

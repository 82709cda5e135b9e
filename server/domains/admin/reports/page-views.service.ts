import { PAGE_KINDS, type PageKind } from '#contract/page-views.ts';
import type { Db, Reader } from '#server/db/client.ts';
import { utcDay } from '#server/lib/clock.ts';
import type { PageViews } from './page-views.port.ts';
import { addPageViews, countViewedDays, dropPageViews, readPageViews } from './page-views.sql.ts';

/** Views within this time are written together. Milliseconds. */
const COALESCE_MS = 10_000;
const DAY = 86_400_000;

interface Count {
  day: string;
  kind: PageKind;
  views: number;
  arrivals: number;
}

/** @param onError receives the error of a failed write; the next one tries again. */
export function createPageViews(db: Db, onError: (error: unknown) => void): PageViews {
  // One entry per day and kind, so it remains small even while writes fail.
  let counts = new Map<string, Count>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function add({ day, kind, views, arrivals }: Count): void {
    const key = `${day} ${kind}`;
    const known = counts.get(key);
    if (known) {
      known.views += views;
      known.arrivals += arrivals;
    } else counts.set(key, { day, kind, views, arrivals });
    timer ??= setTimeout(() => void flush(), COALESCE_MS).unref();
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const written = [...counts.values()];
    counts = new Map();
    if (written.length === 0) return;
    try {
      await addPageViews(db, {
        days: written.map(({ day }) => day),
        kinds: written.map(({ kind }) => kind),
        views: written.map(({ views }) => views),
        arrivals: written.map(({ arrivals }) => arrivals),
      });
    } catch (error) {
      for (const one of written) add(one);
      onError(error);
    }
  }

  return {
    count(kind, arrived, now) {
      add({ day: utcDay(now), kind, views: 1, arrivals: arrived ? 1 : 0 });
    },
    flush,
  };
}

/** Days with their page views, newest first. */
export async function listPageViews(db: Reader, { page, size }: { page: number; size: number }) {
  const [found, [all]] = await Promise.all([
    readPageViews(db, { size, skip: (page - 1) * size }),
    countViewedDays(db, {}),
  ]);
  const days = [...new Set(found.map(({ day }) => day))];
  const rows = days.map((day) => {
    const ofDay = found.filter((one) => one.day === day);
    const kinds = PAGE_KINDS.map((kind) => [kind, ofDay.find((one) => one.kind === kind)?.views ?? 0]);
    return {
      day,
      views: ofDay.reduce((sum, one) => sum + one.views, 0),
      arrivals: ofDay.reduce((sum, one) => sum + one.arrivals, 0),
      ...(Object.fromEntries(kinds) as Record<PageKind, number>),
    };
  });
  return { rows, total: all?.days ?? 0 };
}

/**
 * Deletes the counts of days that are older than this many.
 *
 * @returns the number of rows.
 */
export const forgetPageViews = (db: Db, days: number, now: Date): Promise<number> =>
  dropPageViews(db, { before: utcDay(new Date(now.getTime() - days * DAY)) });

// What the parts of the doctor's report are made of.
import type pg from 'pg';

/** A part of the report; `problem` is what an operator has to do something about. */
export interface Line {
  name: string;
  value: string;
  problem?: string;
}

/** The only row of an answer. */
export const one = async <T extends pg.QueryResultRow>(pool: pg.Pool, text: string): Promise<T> => {
  const { rows } = await pool.query<T>(text);
  if (!rows[0]) throw new Error(`no answer to ${text}`);
  return rows[0];
};

/** Bytes for people. */
export const size = (bytes: number) => {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step]}`;
};

/** How long ago, for people. */
export const ago = (moment: Date | null) => {
  if (!moment) return 'never';
  const minutes = Math.round((Date.now() - moment.getTime()) / 60_000);
  if (minutes < 120) return `${minutes} min ago`;
  return minutes < 2_880 ? `${Math.round(minutes / 60)} h ago` : `${Math.round(minutes / 1_440)} days ago`;
};

// The building blocks of the doctor's report.
/** A line of the report; `problem` is what an operator has to act on. */
export interface Line {
  name: string;
  value: string;
  problem?: string;
}

/** The only row of a result. @throws Error if there is none. */
export function onlyRow<Row>([row]: Row[]): Row {
  if (!row) throw new Error('no row');
  return row;
}

/** Formats bytes: '1.5 MB'. */
export const formatBytes = (bytes: number) => {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step]}`;
};

/** Formats an identifier: `partially_paid` as "partially paid". */
export const inWords = (name: string) => name.replaceAll(/[_-]/g, ' ');

/** Formats the time since a moment: '5 min ago', 'never' for null. */
export const timeAgo = (moment: Date | null) => {
  if (!moment) return 'never';
  const minutes = Math.round((Date.now() - moment.getTime()) / 60_000);
  if (minutes < 120) return `${minutes} min ago`;
  return minutes < 2_880 ? `${Math.round(minutes / 60)} h ago` : `${Math.round(minutes / 1_440)} days ago`;
};

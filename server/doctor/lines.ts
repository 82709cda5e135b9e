// What the parts of the doctor's report are made of.
/** A part of the report; `problem` is what an operator has to do something about. */
export interface Line {
  name: string;
  value: string;
  problem?: string;
}

/** The only row of an answer. */
export function one<Row>([row]: Row[]): Row {
  if (!row) throw new Error('no row');
  return row;
}

/** Bytes for people. */
export const size = (bytes: number) => {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step]}`;
};

/** A name of the database or the code, for people: `partially_paid` is "partially paid". */
export const spoken = (name: string) => name.replaceAll(/[_-]/g, ' ');

/** How long ago, for people. */
export const ago = (moment: Date | null) => {
  if (!moment) return 'never';
  const minutes = Math.round((Date.now() - moment.getTime()) / 60_000);
  if (minutes < 120) return `${minutes} min ago`;
  return minutes < 2_880 ? `${Math.round(minutes / 60)} h ago` : `${Math.round(minutes / 1_440)} days ago`;
};

import type pg from 'pg';

/** Differences between database and journal; empty lists mean none. */
export interface Findings {
  /** Acknowledged, but missing. */
  lost: string[];
  /** Stored more than once, or without a request. */
  doubled: string[];
  /** Violations of other rules: counters, audit log, connections. */
  wrong: string[];
}

export type Row = Record<string, string | number | null>;

export const rowsOf = async (client: pg.Client, text: string, values: unknown[] = []): Promise<Row[]> =>
  (await client.query<Row>(text, values)).rows;

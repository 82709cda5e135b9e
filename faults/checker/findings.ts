import type pg from 'pg';

/** Differences between database and journal; empty lists are good. */
export interface Findings {
  /** Acknowledged, and not there. */
  lost: string[];
  /** There more than once, or there without anybody having sent it. */
  doubled: string[];
  /** Counters, audit log, connections. */
  wrong: string[];
}

export type Row = Record<string, string | number | null>;

export const rowsOf = async (client: pg.Client, text: string, values: unknown[] = []): Promise<Row[]> =>
  (await client.query<Row>(text, values)).rows;

import { Connection, getRequest } from './http-driver.ts';
import { median, quantile } from './numbers.ts';
import { compared, ms, type Row } from './report.ts';

let addresses = 0;
/**
 * Where the site trusts the driver as its proxy, each request has another client address, so that rate limits do not
 * affect the measurement.
 */
const newAddress = () => {
  const n = ++addresses;
  return `10.${n & 255}.${(n >> 8) & 255}.${(n >> 16) & 255}`;
};

/** The slowest hundredth of one round is two or three requests: with three rounds two runs differed by a fifth. */
const ROUNDS = 11;
/** Time limit of a request's measurement on a busy machine; it always gets three rounds. */
const LIMIT_MS = 45_000;
const REQUESTS = 200;
const WARM_UP = 150;

async function time(connection: Connection, request: string): Promise<number> {
  const began = performance.now();
  const { status } = await connection.send(request);
  if (status !== 200) throw new Error(`status ${status}: ${request.split('\r\n')[0]}`);
  return performance.now() - began;
}

/** A request: its name, and its path on each of the sites. */
export interface Question {
  what: string;
  here: string;
  there: string;
}

/** Sends the same requests alternately to a large and a small site, and compares the slowest hundredth. */
export async function sideBySide(here: number, there: number, questions: Question[], atMost: number): Promise<Row[]> {
  const [ours, theirs] = [await Connection.open(here), await Connection.open(there)];
  try {
    const rows: Row[] = [];
    for (const question of questions) {
      const p99 = { here: [] as number[], there: [] as number[] };
      const p50 = { here: [] as number[], there: [] as number[] };
      const until = performance.now() + LIMIT_MS;
      for (let round = 0; round <= ROUNDS && (round <= 3 || performance.now() < until); round++) {
        const times = { here: [] as number[], there: [] as number[] };
        for (let n = 0; n < (round === 0 ? WARM_UP : REQUESTS); n++) {
          const from = { 'x-forwarded-for': newAddress() };
          times.here.push(await time(ours, getRequest(question.here, from)));
          times.there.push(await time(theirs, getRequest(question.there, from)));
        }
        if (round === 0) continue;
        for (const side of ['here', 'there'] as const) {
          p99[side].push(quantile(times[side], 0.99));
          p50[side].push(median(times[side]));
        }
      }
      rows.push(
        compared(`${question.what}, p99`, p99.here, p99.there, {
          atMost,
          show: ms,
          details: [` (median ${ms(median(p50.here))})`, ` (median ${ms(median(p50.there))})`],
        }),
      );
    }
    return rows;
  } finally {
    ours.close();
    theirs.close();
  }
}

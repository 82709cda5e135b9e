import type { BenchEnvironment } from '../lib/environment.ts';
import { getRequest, requestOnce } from '../lib/http-driver.ts';
import { median, ROUNDS } from '../lib/numbers.ts';
import { count, ms, type Row, stated } from '../lib/report.ts';

const MAX_MS = 300;
const REQUEST = getRequest('/sitemap.xml');

/** (y) The site map of the big database: the first request for it after the start of a process, and the one after that. */
export async function siteMap(environment: BenchEnvironment): Promise<Row[]> {
  const cold: number[] = [];
  const warm: number[] = [];
  let addresses = 0;
  for (let round = 0; round < ROUNDS; round++)
    await environment.withSite('big', async ({ port }) => {
      for (const times of [cold, warm]) {
        const began = performance.now();
        const { status, body } = await requestOnce(port, REQUEST);
        times.push(performance.now() - began);
        addresses = body.toString('latin1').split('<loc>').length - 1;
        if (status !== 200 || addresses === 0) throw new Error(`the site map: ${status}, ${addresses} addresses`);
      }
    });
  const times = (all: number[]) => `${ms(median(all))}, worst ${ms(Math.max(...all))}`;
  const what = `y) site map of ${count(addresses)} addresses:`;
  return [
    stated(`${what} first request after a start`, times(cold), {
      target: `≤ ${MAX_MS} ms`,
      met: Math.max(...cold) <= MAX_MS,
    }),
    stated(`${what} the next one`, times(warm)),
  ];
}

import { setTimeout as sleep } from 'node:timers/promises';
import { StreamClients } from '../lib/audience.ts';
import { drive, getRequest, postRequest, requestOnce } from '../lib/http-driver.ts';
import { median } from '../lib/numbers.ts';
import { ms, type Row, stated } from '../lib/report.ts';
import { cookieOf, residentBytes, type Stage } from '../lib/stage.ts';

const STREAMS = 2_000;
const SETTLE_MS = 3_000;
const CHANGES = 7;
/** A candidate that the other figures leave alone, and a member who never votes twice for one. */
const FIRST_CANDIDATE = 110;
const VOTER = 19_999;

/** (g) Many open live streams: the cost of one, and how soon the last one receives a change. */
export function streams(stage: Stage): Promise<Row[]> {
  return stage.withSite('big', async (site) => {
    const admin = await stage.connect('big');
    const audience = new StreamClients();
    try {
      // Code paths that any traffic would have loaded are no cost of the streams.
      let warm = 2_000;
      await drive(site.port, 16, () => (warm-- > 0 ? getRequest('/') : undefined));
      await sleep(SETTLE_MS);
      const before = residentBytes(site.pid);
      await audience.open(site.port, STREAMS);
      await sleep(SETTLE_MS);
      const each = (residentBytes(site.pid) - before) / STREAMS / 1024;

      const changes: number[] = [];
      const domains = ['projects', 'news', 'forum', 'networks'];
      for (let n = 0; n < CHANGES; n++) {
        const domain = domains[n % domains.length];
        const all = audience.await(`"domain":"${domain}"`);
        const began = performance.now();
        await admin.query("select pg_notify('live', $1)", [JSON.stringify({ type: 'domain.changed', domain })]);
        changes.push((await all) - began);
        await sleep(200);
      }

      const { rows } = await admin.query<{ id: string }>(
        'select id from voting_candidates order by order_index offset $1 limit $2',
        [FIRST_CANDIDATE, CHANGES],
      );
      const votes: number[] = [];
      for (const { id } of rows) {
        const all = audience.await(`"candidateId":"${id}"`);
        const body = JSON.stringify({ json: { candidateId: id } });
        const { status } = await requestOnce(
          site.port,
          postRequest('/rpc/voting/cast', body, { cookie: cookieOf(VOTER) }),
        );
        const committed = performance.now();
        if (status !== 200) throw new Error(`the vote was answered with ${status}`);
        votes.push((await all) - committed);
        await sleep(200);
      }
      if (audience.lost > 0) throw new Error(`${audience.lost} streams were cut`);
      const times = (all: number[]) => `${ms(median(all))}, worst ${ms(Math.max(...all))}`;
      return [
        stated(`g) memory of one of ${STREAMS} live streams`, `${each.toFixed(1)} KiB`),
        stated(`g) change of a list until the last of ${STREAMS} hears it`, times(changes)),
        stated(`g) vote (gathered for 150 ms) until the last of ${STREAMS} hears it`, times(votes)),
      ];
    } finally {
      audience.close();
      await admin.end();
    }
  });
}

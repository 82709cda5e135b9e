import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, drive, getRequest, postRequest } from '../lib/http-driver.ts';
import { median } from '../lib/numbers.ts';
import { ms, type Row, stated } from '../lib/report.ts';
import { cookieOf, residentBytes, type Stage } from '../lib/stage.ts';

const STREAMS = 2_000;
/** Opened at once, below the accept queue of every system. */
const AT_ONCE = 100;
const SETTLE_MS = 3_000;
const CHANGES = 7;
const LIMIT_MS = 10_000;
/** A candidate that the other figures leave alone, and a member who never votes twice for one. */
const FIRST_CANDIDATE = 110;
const VOTER = 19_999;

/** Open event streams; tells when the last of them has heard a text. */
class Audience {
  readonly #sockets: net.Socket[] = [];
  #awaited = '';
  #missing = 0;
  #heard: () => void = () => {};
  lost = 0;

  async open(port: number): Promise<void> {
    for (let n = 0; n < STREAMS; n += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, () => this.#one(port)));
  }

  #one(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = net.connect({ port, host: '127.0.0.1' });
      let tail = '';
      let opened = false;
      socket.once('connect', () => socket.write(getRequest('/live', { accept: 'text/event-stream' })));
      socket.once('error', reject);
      socket.once('close', () => {
        this.lost++;
      });
      socket.on('data', (chunk) => {
        tail += chunk.toString('latin1');
        if (!opened && tail.includes('event: sync')) {
          opened = true;
          resolve();
        }
        if (this.#awaited && tail.includes(this.#awaited)) {
          tail = '';
          if (--this.#missing === 0) this.#heard();
        }
        // Enough to find a text that came in two pieces.
        if (tail.length > 2_000) tail = tail.slice(-500);
      });
      this.#sockets.push(socket);
    });
  }

  /** Resolves with the moment when all streams have heard `text`. */
  await(text: string): Promise<number> {
    this.#awaited = text;
    this.#missing = this.#sockets.length;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${this.#missing} streams did not hear '${text}'`)), LIMIT_MS);
      this.#heard = () => {
        clearTimeout(timer);
        resolve(performance.now());
      };
    });
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** (g) Many open live streams: what one costs, and how soon the last one hears of a change. */
export function streams(stage: Stage): Promise<Row[]> {
  return stage.withSite('big', async (site) => {
    const admin = await stage.connect('big');
    const audience = new Audience();
    try {
      // Code paths that any traffic would have loaded are no cost of the streams.
      let warm = 2_000;
      await drive(site.port, 16, () => (warm-- > 0 ? getRequest('/') : undefined));
      await sleep(SETTLE_MS);
      const before = residentBytes(site.pid);
      await audience.open(site.port);
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
        const { status } = await ask(site.port, postRequest('/rpc/voting/cast', body, { cookie: cookieOf(VOTER) }));
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

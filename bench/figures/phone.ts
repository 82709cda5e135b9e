import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { findOrInstallChromium } from '../../scripts/lib/browser.mjs';
import type { BenchEnvironment } from '../lib/environment.ts';
import { getRequest, requestOnce } from '../lib/http-driver.ts';
import { median } from '../lib/numbers.ts';
import { busyDuring, type Visit, visitOnPhone } from '../lib/phone.ts';
import { ms, type Row, stated } from '../lib/report.ts';

const RUNS = 5;
const TARGETS = { lcp: 1_000, tbt: 50, cls: 0.001, all: 180 };
const MAX_SCRIPTS = { home: 100, other: 130 };
/** Above this share of CPU used by others the times are meaningless: the run waits for it to end. */
const IDLE = { max: 0.15, lookMs: 2_000, longestMs: 60_000 };

/** Waits for an idle machine, with a limit. @returns the share of CPU used by others. */
async function quiet(): Promise<number> {
  for (const until = Date.now() + IDLE.longestMs; ; ) {
    const busy = await busyDuring(() => sleep(IDLE.lookMs));
    if (busy <= IDLE.max || Date.now() > until) return busy;
  }
}

/**
 * (l) The first visit with a cheap phone on a slow network, of the site with its demo content: time until the largest
 * element is painted, time that scripts block at the beginning, layout shifts until the end of the page, and
 * transferred bytes.
 */
export function phone(environment: BenchEnvironment): Promise<Row[]> {
  return environment.withSite(
    'demo',
    async (site) => {
      const origin = `http://127.0.0.1:${site.port}`;
      const { items } = JSON.parse(
        (await requestOnce(site.port, getRequest('/api/candidates?limit=1'))).body.toString(),
      ) as {
        items: { tokenSlug: string }[];
      };
      const pages = {
        home: '/',
        vote: '/vote',
        token: `/token/${items[0]?.tokenSlug}`,
        forum: '/forum',
        create: '/create',
      };
      const browser = await chromium.launch({ executablePath: await findOrInstallChromium(), args: ['--no-sandbox'] });
      try {
        const rows: Row[] = [];
        for (const [name, path] of Object.entries(pages)) {
          const others = await quiet();
          // Fills the page cache, as earlier visitors would have.
          await visitOnPhone(browser, origin + path);
          const visits: Visit[] = [];
          for (let run = 0; run < RUNS; run++) visits.push(await visitOnPhone(browser, origin + path));
          const last = visits.at(-1);
          console.error(
            `[bench] ${name}: others used ${(others * 100).toFixed(0)} %; largest: ${last?.largest}; longest tasks: ${visits.map((visit) => visit.tasks.join(' ')).join(' | ')}`,
          );
          rows.push(...rowsOf(name, visits, others));
        }
        return rows;
      } finally {
        await browser.close();
      }
    },
    { DEMO: 'on' },
  );
}

const kb = (n: number) => `${n.toFixed(1)} KB`;

function rowsOf(page: string, visits: readonly Visit[], others: number): Row[] {
  const row = (
    what: string,
    figure: 'lcp' | 'tbt' | 'cls' | 'scripts' | 'all',
    show: (n: number) => string,
    max = figure === 'scripts' ? MAX_SCRIPTS[page === 'home' ? 'home' : 'other'] : TARGETS[figure],
  ) => {
    const values = visits.map((visit) => visit[figure]);
    const middle = median(values);
    return stated(
      `l) ${page} on a phone: ${what}${figure === 'lcp' ? `; machine ${Math.round(others * 100)} % busy before` : ''}`,
      `${show(middle)}, worst of ${visits.length} ${show(Math.max(...values))}`,
      {
        target: `< ${show(max)}`,
        met: middle < max,
      },
    );
  };
  return [
    row('largest paint (LCP)', 'lcp', ms),
    row('blocked (TBT)', 'tbt', ms),
    row('shifts (CLS)', 'cls', (n) => n.toFixed(3)),
    row('scripts', 'scripts', kb),
    row('everything', 'all', kb),
  ];
}

import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { findOrInstallChromium } from '../../scripts/lib/browser.mjs';
import type { BenchEnvironment } from '../lib/environment.ts';
import { type Row, stated } from '../lib/report.ts';

/** How long after the load event requests still belong to it. */
const SETTLE_MS = 2_000;
/** What the first screen does not need loads 4 s after the scripts started. */
const LATE_MS = 6_000;
/** Bytes that the build does not bother to compress. */
const TINY = 512;
const MAX_JS = 100;
const MAX_ALL = 180;

const kb = (n: number) => `${n.toFixed(1)} KB`;

interface Loaded {
  js: number;
  all: number;
  files: number;
}

/**
 * (f) The first home page in a real browser: its JavaScript as compressed, and all that crosses the wire, headers
 * included. 1 KB is 1,000 bytes.
 */
export function firstLoad(environment: BenchEnvironment): Promise<Row[]> {
  return environment.withSite('big', async (site) => {
    const browser = await chromium.launch({ executablePath: await findOrInstallChromium(), args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      const cdp = await page.context().newCDPSession(page);
      await cdp.send('Network.enable');
      await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
      /** Name and compressed bytes of each script. */
      const scripts = new Map<string, { name: string; bytes: number }>();
      const sizes: [string, number][] = [];
      const plain: string[] = [];
      const loaded: Loaded = { js: 0, all: 0, files: 0 };
      cdp.on('Network.responseReceived', ({ requestId, response }) => {
        if (!/javascript/.test(response.mimeType)) return;
        const header = (wanted: string) =>
          Object.entries(response.headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
        scripts.set(requestId, { name: path.basename(response.url), bytes: Number(header('content-length')) });
        if (header('content-encoding') !== 'br' && Number(header('content-length')) > TINY) plain.push(response.url);
      });
      cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
        loaded.all += encodedDataLength / 1000;
        loaded.files++;
        const script = scripts.get(requestId);
        if (script === undefined) return;
        // Nothing crossed the wire for a script that the page had already.
        if (encodedDataLength === 0) return;
        loaded.js += script.bytes / 1000;
        sizes.push([script.name, script.bytes / 1000]);
      });
      await page.goto(`http://127.0.0.1:${site.port}/`, { waitUntil: 'load', timeout: 30_000 });
      await sleep(SETTLE_MS);
      const first = { ...loaded, scripts: scripts.size };
      const largest = sizes.toSorted((a, b) => b[1] - a[1]).slice(0, 8);
      console.error(`[bench] largest scripts: ${largest.map(([name, size]) => `${name} ${kb(size)}`).join(', ')}`);
      await sleep(LATE_MS);
      if (plain.length > 0) throw new Error(`scripts without brotli: ${plain.join(', ')}`);
      return [
        stated(`f) JavaScript of the first home load, ${first.scripts} files`, kb(first.js), {
          target: `≤ ${MAX_JS} KB`,
          met: first.js <= MAX_JS,
        }),
        stated(`f) all of the first home load, ${first.files} files`, kb(first.all), {
          target: `≤ ${MAX_ALL} KB`,
          met: first.all <= MAX_ALL,
        }),
        stated('f) JavaScript with what loads when idle', kb(loaded.js)),
        stated('f) all with what loads when idle', kb(loaded.all)),
      ];
    } finally {
      await browser.close();
    }
  });
}

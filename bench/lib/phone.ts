import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from '@playwright/test';

/** A cheap phone on a slow mobile network. */
const PHONE = {
  slower: 4,
  bytesPerSecond: 1_600_000 / 8,
  roundTripMs: 150,
  screen: { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
};
/**
 * Measured from the moment a page responds to clicks; what the first screen does not need loads three to four seconds
 * later.
 */
const WATCHED_MS = 5_000;
/** Measured from that moment: no reader waits for what is loaded later. */
const LOADED_MS = 2_500;
const LOAD_LIMIT_MS = 45_000;
/** Slow scrolling: pixels per step, delay between steps, and the maximum duration per page. */
const SCROLL = { step: 150, everyMs: 60, longestMs: 15_000, restMs: 700 };
/** A task longer than this blocks by the rest of its time. */
const LONG_TASK_MS = 50;

export interface Visit {
  /** When the largest element of the first screen was painted. Milliseconds since the navigation. */
  lcp: number;
  /** Time that long tasks blocked the page from its first paint until it had been usable for five seconds. Milliseconds. */
  tbt: number;
  /** Worst second of layout shifts, the scrolling to the end included. */
  cls: number;
  /** Kilobytes over the wire until the page had been usable for two and a half seconds, headers included: scripts, and everything. */
  scripts: number;
  all: number;
  /** Longest tasks as 'start+length', and the largest element, to find causes. */
  tasks: string[];
  largest: string;
}

interface Seen {
  fcp: number;
  lcp: number;
  largest: string;
  tasks: [start: number, length: number][];
  shifts: [at: number, value: number][];
}

/** Runs in the page before any of its scripts. */
function watch(): void {
  const seen: Seen = { fcp: 0, lcp: 0, largest: '', tasks: [], shifts: [] };
  (globalThis as unknown as { seen: Seen }).seen = seen;
  const observe = (type: string, take: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  observe('paint', (entry) => {
    if (entry.name === 'first-contentful-paint') seen.fcp = entry.startTime;
  });
  observe('largest-contentful-paint', (entry) => {
    const { element, startTime } = entry as PerformanceEntry & { element?: Element };
    seen.lcp = startTime;
    seen.largest = element ? `${element.localName} ${(element.textContent ?? '').trim().slice(0, 24)}` : '?';
  });
  observe('longtask', (entry) => seen.tasks.push([entry.startTime, entry.duration]));
  observe('layout-shift', (entry) => {
    const { value, hadRecentInput, startTime } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
    if (!hadRecentInput) seen.shifts.push([startTime, value]);
  });
}

/** The worst session of shifts: with gaps of less than a second and no longer than five. */
function worstShift(shifts: Seen['shifts']): number {
  let worst = 0;
  let sum = 0;
  let began = Number.NEGATIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const [at, value] of shifts) {
    if (at - last >= 1_000 || at - began >= 5_000) {
      sum = 0;
      began = at;
    }
    last = at;
    sum += value;
    worst = Math.max(worst, sum);
  }
  return worst;
}

async function scrollToEnd(page: Page): Promise<void> {
  const atEnd = () => page.evaluate(() => innerHeight + scrollY >= document.documentElement.scrollHeight - 2);
  for (const until = Date.now() + SCROLL.longestMs; Date.now() < until && !(await atEnd()); ) {
    await page.mouse.wheel(0, SCROLL.step);
    await sleep(SCROLL.everyMs);
  }
  if (await page.evaluate(() => scrollY === 0 && innerHeight < document.documentElement.scrollHeight))
    throw new Error(`${page.url()} does not scroll`);
  await sleep(SCROLL.restMs);
}

async function slowDown(cdp: CDPSession): Promise<void> {
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: PHONE.roundTripMs,
    downloadThroughput: PHONE.bytesPerSecond,
    uploadThroughput: PHONE.bytesPerSecond,
  });
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: PHONE.slower });
}

/** Counts transferred kilobytes of 1,000 bytes. */
function weigh(cdp: CDPSession): { scripts: number; all: number } {
  const weight = { scripts: 0, all: 0 };
  const scripts = new Set<string>();
  cdp.on('Network.responseReceived', ({ requestId, response }) => {
    if (/javascript/.test(response.mimeType)) scripts.add(requestId);
  });
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    weight.all += encodedDataLength / 1_000;
    if (scripts.has(requestId)) weight.scripts += encodedDataLength / 1_000;
  });
  return weight;
}

/** The first visit of somebody with a cheap phone: nothing cached, scrolled once to the end. */
export async function visitOnPhone(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext(PHONE.screen);
  try {
    const page = await context.newPage();
    await page.addInitScript(watch);
    const cdp = await context.newCDPSession(page);
    const weight = weigh(cdp);
    await slowDown(cdp);
    await page.goto(url, { waitUntil: 'load', timeout: LOAD_LIMIT_MS });
    await page.waitForFunction(() => document.documentElement.dataset['hydrated'] === 'yes', undefined, {
      timeout: LOAD_LIMIT_MS,
    });
    await sleep(LOADED_MS);
    const loaded = { ...weight };
    await sleep(WATCHED_MS - LOADED_MS);
    const read = () => page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen);
    const first = await read();
    await scrollToEnd(page);
    const blocking = first.tasks.filter(([start, length]) => start + length > first.fcp);
    const whole = (n: number) => Math.round(n);
    return {
      ...loaded,
      lcp: first.lcp,
      tbt: blocking.reduce(
        (sum, [start, length]) => sum + Math.max(0, Math.min(length, start + length - first.fcp) - LONG_TASK_MS),
        0,
      ),
      cls: worstShift((await read()).shifts),
      tasks: blocking
        .toSorted((a, b) => b[1] - a[1])
        .slice(0, 6)
        .map(([start, length]) => `${whole(start)}+${whole(length)}`),
      largest: first.largest,
    };
  } finally {
    await context.close();
  }
}

const processorTimes = () =>
  os.cpus().reduce(
    (sum, { times }) => ({
      idle: sum.idle + times.idle,
      all: sum.all + times.idle + times.user + times.nice + times.sys + times.irq,
    }),
    { idle: 0, all: 0 },
  );

/** Share of the machine's processors that was in use during this time, 0 to 1. */
export async function busyDuring(run: () => Promise<unknown>): Promise<number> {
  const before = processorTimes();
  await run();
  const after = processorTimes();
  return 1 - (after.idle - before.idle) / Math.max(1, after.all - before.all);
}

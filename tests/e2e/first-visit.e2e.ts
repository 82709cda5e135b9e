import type { Page } from '@playwright/test';
import { expect, listening, test, visit } from './support.ts';

const PHONE = { width: 360, height: 740 };

/** The scripts that a page requests from now on: name, and bytes as compressed. */
function scriptsOf(page: Page): {
  requested: string[];
  all: () => Promise<(readonly [name: string, bytes: number])[]>;
} {
  const requested: string[] = [];
  const scripts: Promise<readonly [string, number]>[] = [];
  page.on('request', (request) => {
    if (request.resourceType() !== 'script') return;
    const name = new URL(request.url()).pathname.replace('/assets/', '');
    requested.push(name);
    const size = async () => {
      const response = await request.response();
      return Number(response?.headers()['content-length'] ?? (await response?.body())?.length);
    };
    // One that is still loading when the scenario ends.
    scripts.push(
      size().then(
        (bytes) => [name, bytes] as const,
        () => [name, 0] as const,
      ),
    );
  });
  return { requested, all: () => Promise.all(scripts) };
}

/** Kilobytes of 1,000 bytes. */
const LIMITS = { home: 120, vote: 132, forum: 143, create: 145 };

for (const [name, max] of Object.entries(LIMITS))
  test(`a first visit of ${name} loads at most ${max} KB of scripts, as compressed`, async ({ page }) => {
    await page.setViewportSize(PHONE);
    const scripts = scriptsOf(page);
    await visit(page, name === 'home' ? '/' : `/${name}`);
    // What a page loads on hydration is requested by now; the rest waits for four seconds, or for the reader.
    await listening(page);
    const sizes = await scripts.all();
    expect(sizes.length).toBeGreaterThan(4);
    const bytes = sizes.reduce((sum, [, size]) => sum + size, 0);
    expect(bytes, JSON.stringify(sizes)).toBeGreaterThan(60_000);
    expect(bytes, JSON.stringify(sizes)).toBeLessThanOrEqual(max * 1_000);
  });

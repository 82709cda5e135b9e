import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, otherBrowser, rankingOf, ready, test } from './support.ts';

/** Pieces in which a document arrives. */
const PIECES = 40;

/** What moved. */
interface Source {
  node: Node | null;
  previousRect: DOMRectReadOnly;
  currentRect: DOMRectReadOnly;
}

/** A proxy of the site that sends documents in pieces, each when the test requests it. */
async function startSlowProxy(site: string) {
  let next = () => {};
  const server = http.createServer((req, res) => {
    const target = new URL(req.url ?? '/', site);
    const headers = { ...req.headers, host: target.host, 'accept-encoding': 'identity' };
    if (headers.origin) headers.origin = target.origin;
    const forwarded = http.request(target, { method: req.method, headers }, async (answer) => {
      const { 'content-length': _length, ...sent } = answer.headers;
      res.writeHead(answer.statusCode ?? 500, sent);
      if (!answer.headers['content-type']?.startsWith('text/html')) return void answer.pipe(res);
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk);
      const body = Buffer.concat(chunks);
      const size = Math.ceil(body.length / PIECES);
      for (let i = 0; i < PIECES; i++) {
        res.write(body.subarray(i * size, (i + 1) * size));
        await new Promise<void>((resolve) => {
          next = resolve;
        });
      }
      res.end();
    });
    // Either side may close the connection.
    forwarded.once('error', () => res.destroy());
    res.once('close', () => forwarded.destroy());
    req.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Sends the next piece. */
    send: () => next(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Waits until what has arrived is drawn; before the first piece with something to paint there are no frames. */
const framesDrawn = (page: Page) =>
  page.evaluate(
    () =>
      new Promise((done) => {
        requestAnimationFrame(() => requestAnimationFrame(done));
        setTimeout(done, 100);
      }),
  );

for (const { width, height } of [
  { width: 360, height: 740 },
  { width: 1280, height: 900 },
])
  test(`nothing moves while a document arrives in pieces, at ${width} px`, async ({ browser, request, baseURL }) => {
    // Leaving a page aborts its requests, so its errors are not checked.
    const context = await otherBrowser(browser, { viewport: { width, height } });
    const page = await context.newPage();
    const [token] = await rankingOf(request);
    const proxy = await startSlowProxy(baseURL ?? '');
    await page.addInitScript(() => {
      const shifts: string[] = [];
      Object.assign(globalThis, { shifts });
      const named = (node: Node | null) =>
        node instanceof Element
          ? `<${node.localName} class="${node.getAttribute('class')}">`
          : `'${node?.textContent}'`;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number; sources: Source[] })[])
          shifts.push(
            `${entry.value.toFixed(4)} ${entry.sources
              .map(
                ({ node, previousRect: from, currentRect: to }) =>
                  `${named(node)} ${from.x},${from.y} > ${to.x},${to.y}`,
              )
              .join(' | ')}`,
          );
      }).observe({ type: 'layout-shift', buffered: true });
    });
    for (const path of ['/', '/vote', `/token/${token?.tokenSlug}/candidate`, '/next', '/forum', '/news']) {
      await page.goto(proxy.url + path, { waitUntil: 'commit' });
      for (let i = 0; i < PIECES; i++) {
        await framesDrawn(page);
        proxy.send();
      }
      await ready(page);
      await framesDrawn(page);
      const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: string[] }).shifts);
      const sum = shifts.reduce((all, one) => all + Number.parseFloat(one), 0);
      expect.soft(sum, `${path}: ${shifts.join('; ')}`).toBeLessThan(0.01);
    }
    await context.close();
    proxy.close();
  });

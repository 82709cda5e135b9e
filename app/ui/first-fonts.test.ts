import { afterEach, describe, expect, it, vi } from 'vitest';
import { firstFontsScript, loadFontsForNextTime } from './first-fonts.ts';

/** What the script of the head does in a browser: the mark on the document, and the faces that it preloads. */
function visit({ waited, rtt, stored = null }: { waited: number; rtt?: number; stored?: string | null }) {
  const dataset: Record<string, string> = {};
  const preloaded: { rel: string; as: string; crossOrigin: string; href: string }[] = [];
  const run = new Function('document', 'performance', 'localStorage', 'navigator', firstFontsScript);
  run(
    {
      documentElement: { dataset },
      createElement: () => ({}),
      head: { append: (link: (typeof preloaded)[number]) => preloaded.push(link) },
    },
    { getEntriesByType: () => [{ requestStart: 100, responseStart: 100 + waited }] },
    { getItem: () => stored },
    rtt === undefined ? {} : { connection: { rtt } },
  );
  return { mark: dataset['fonts'], preloaded };
}

afterEach(() => void vi.unstubAllGlobals());

describe('the fonts of a first paint', () => {
  it('are preloaded where they arrive in time', () => {
    expect(visit({ waited: 20, rtt: 50 })).toEqual(visit({ waited: 20 }));
    const { mark, preloaded } = visit({ waited: 20 });
    expect(mark).toBeUndefined();
    expect(preloaded).toHaveLength(2);
    for (const link of preloaded) {
      expect(link).toMatchObject({ rel: 'preload', as: 'font', crossOrigin: 'anonymous' });
      expect(link.href).toMatch(/\.woff2$/);
    }
  });

  it('are not loaded where none could arrive in time', () => {
    expect(visit({ waited: 150 })).toEqual({ mark: 'later', preloaded: [] });
    // The document was there sooner than its connection allows for: requested beforehand, or over an open connection.
    expect(visit({ waited: 20, rtt: 150 })).toEqual({ mark: 'later', preloaded: [] });
    expect(visit({ waited: 150, stored: '/assets/of-another-release.woff2' }).mark).toBe('later');
  });

  /** A browser whose documents do not preload the fonts: what it stores and requests. */
  function slowBrowser(answer: () => Promise<Response> = async () => new Response('font')) {
    const kept = new Map<string, string>();
    const requested: string[] = [];
    vi.stubGlobal('document', { documentElement: { dataset: { fonts: 'later' } } });
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    });
    vi.stubGlobal('fetch', (url: string) => {
      requested.push(url);
      return answer();
    });
    return { requested, stored: () => kept.get('florka.fonts') ?? null };
  }
  const settled = () => new Promise((resolve) => setTimeout(resolve));

  it('are loaded when the first document opens its second page, and preloaded by the next document', async () => {
    const { preloaded } = visit({ waited: 20 });
    const { requested, stored } = slowBrowser();
    let open = () => {};
    loadFontsForNextTime((load) => {
      open = load;
    });
    await settled();
    expect(requested).toEqual([]);
    expect(visit({ waited: 150, stored: stored() }).mark).toBe('later');
    open();
    await settled();
    expect(requested).toEqual(preloaded.map(({ href }) => href));
    expect(visit({ waited: 150, stored: stored() })).toEqual({ mark: undefined, preloaded });
  });

  it('are loaded by the second document that does not preload them', async () => {
    const { preloaded } = visit({ waited: 20 });
    const { requested, stored } = slowBrowser();
    loadFontsForNextTime(() => {});
    await settled();
    expect(requested).toEqual([]);
    loadFontsForNextTime(() => {});
    await settled();
    expect(requested).toEqual(preloaded.map(({ href }) => href));
    expect(visit({ waited: 150, stored: stored() }).mark).toBeUndefined();
  });

  it('are not loaded again in a document that preloaded them', async () => {
    const { requested } = slowBrowser();
    vi.stubGlobal('document', { documentElement: { dataset: {} } });
    loadFontsForNextTime((load) => load());
    loadFontsForNextTime((load) => load());
    await settled();
    expect(requested).toEqual([]);
  });

  it.each([
    ['one is missing', async () => new Response('', { status: 404 })],
    ['there is no connection', () => Promise.reject(new TypeError('offline'))],
  ])('do not count as loaded when %s', async (_what, answer) => {
    const { requested, stored } = slowBrowser(answer);
    loadFontsForNextTime((load) => load());
    await settled();
    expect(requested.length).toBeGreaterThan(0);
    expect(visit({ waited: 150, stored: stored() }).mark).toBe('later');
  });
});

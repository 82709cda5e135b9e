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

  it('are loaded for the next document, which has them at once', async () => {
    const { preloaded } = visit({ waited: 20 });
    const kept = new Map<string, string>();
    const requested: string[] = [];
    vi.stubGlobal('document', { documentElement: { dataset: { fonts: 'later' } } });
    vi.stubGlobal('localStorage', { setItem: (key: string, value: string) => void kept.set(key, value) });
    vi.stubGlobal('fetch', async (url: string) => {
      requested.push(url);
      return new Response('font');
    });
    await loadFontsForNextTime();
    expect(requested).toEqual(preloaded.map(({ href }) => href));
    expect(visit({ waited: 150, stored: kept.get('florka.fonts') ?? null })).toEqual({ mark: undefined, preloaded });

    // Nothing to load where they were.
    requested.length = 0;
    vi.stubGlobal('document', { documentElement: { dataset: {} } });
    await loadFontsForNextTime();
    expect(requested).toEqual([]);
  });

  it('are not taken for loaded when one failed', async () => {
    const stored: string[] = [];
    vi.stubGlobal('document', { documentElement: { dataset: { fonts: 'later' } } });
    vi.stubGlobal('localStorage', { setItem: (_: string, value: string) => void stored.push(value) });
    vi.stubGlobal('fetch', async () => new Response('', { status: 404 }));
    await loadFontsForNextTime();
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
    await loadFontsForNextTime();
    expect(stored).toEqual([]);
  });
});

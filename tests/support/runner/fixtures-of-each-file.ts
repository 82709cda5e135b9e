import path from 'node:path';
import type { Plugin } from 'vite';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const FIXTURES = `${path.join(ROOT, 'tests/fixtures').replaceAll('\\', '/')}/`;
const isFixture = (id: string) => id.startsWith(FIXTURES);

/**
 * Modules in `tests/fixtures` start an app when they are loaded and end it after the file's tests, so each test file gets
 * its own copy of them: their address names the file. Everything else a worker loads once for all its files.
 */
export function fixturesOfEachFile(): Plugin {
  return {
    name: 'fixtures-of-each-file',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      // Already resolved.
      if (!importer || source.includes('?of=')) return null;
      if (!(source.includes('/fixtures/') || (isFixture(importer) && source.startsWith('.')))) return null;
      const [from = '', query] = importer.split('?');
      const found = await this.resolve(source, from, { ...options, skipSelf: true });
      if (!found || !isFixture(found.id)) return found;
      // A fixture that another one needs belongs to the same file.
      const owner = isFixture(from) ? query : `of=${encodeURIComponent(path.relative(ROOT, from))}`;
      return { ...found, id: `${found.id}?${owner}` };
    },
  };
}

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vite';

/** The files of the build for browsers carry hashes of their content in their names; together they name the release. */
function releaseOf(folder: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort()) hash.update(`${name}\0`);
  // The manifest's name follows from the names of the others.
  hash.update(readFileSync('package.json'));
  return hash.digest('hex').slice(0, 16);
}

/** The service worker: one file at the root of the site, built after the app. */
export default defineConfig({
  publicDir: false,
  define: { RELEASE: JSON.stringify(releaseOf('build/client/assets')), 'process.env.NODE_ENV': '"production"' },
  build: {
    outDir: 'build/client',
    emptyOutDir: false,
    lib: { entry: 'app/worker/service-worker.ts', formats: ['iife'], name: 'florkaWorker', fileName: () => 'sw.js' },
  },
});

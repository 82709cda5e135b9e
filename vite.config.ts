import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

/** Libraries that every page needs: in one file they compress a tenth better than in many. */
const EVERY_PAGE = /node_modules\/(react|react-dom|scheduler|react-router|@tanstack\/(react-query|query-core)|@orpc)\//;

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), reactRouter()],
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'base', test: EVERY_PAGE, priority: 2 },
                {
                  name: 'shell',
                  // What home needs too; a part brings all that it imports, so those with dialogs and forms stay outside, and
                  // so do the back office and the wizard, whose many modules share much.
                  test: /\/(app|contract)\/(?!lib\/(messages\/|upload|ago)|features\/|routes\/|token-form|wallets|markup|ui\/(Dialog|Menu|Tabs|UploadField|Field|Pagination|Copyable|Toaster))|node_modules\/lucide-react\//,
                  minShareCount: 3,
                  priority: 1,
                },
              ],
            },
          },
        },
      },
    },
    ssr: {
      // Build only (the development runner can't inline CommonJS): one bundle starts in a third of the time. Native packages
      // and the job queue, which reads files beside itself, stay outside.
      resolve:
        command === 'build'
          ? { noExternal: true, external: ['@node-rs/argon2', 'pg-native', 'pino', 'pg-boss', 'sharp'] }
          : {},
      build: { target: 'node24', minify: false, rolldownOptions: { input: { index: './server/main.ts' } } },
    },
  },
}));

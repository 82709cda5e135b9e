import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), reactRouter()],
  environments: {
    ssr: {
      // Build only (the development runner can't inline CommonJS): one bundle starts in a third of the time. Native packages
      // and the job queue, which reads files beside itself, stay outside.
      resolve:
        command === 'build' ? { noExternal: true, external: ['@node-rs/argon2', 'pg-native', 'pino', 'pg-boss'] } : {},
      build: { target: 'node24', minify: false, rolldownOptions: { input: { index: './server/main.ts' } } },
    },
  },
}));

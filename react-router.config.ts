import type { Config } from '@react-router/dev/config';

export default {
  ssr: true,
  appDirectory: 'app',
  buildDirectory: 'build',
  // Our clientLoaders are one line each: not worth a request of their own.
  splitRouteModules: false,
} satisfies Config;

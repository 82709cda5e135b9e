/**
 * The API as a process of its own, to be killed: `node tests/support/processes/api-process.ts` with its settings in API_PROCESS.
 * Says its port on standard output once it answers.
 */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type pg from 'pg';
import { pino } from 'pino';
import { openPool } from '#server/db/client.ts';
import { createApi } from '#server/http/api/api.ts';
import { localStorage } from '#server/providers/storage/local.ts';
import { openServices } from '#server/services.ts';

/** Settings of the process; plain values, because they are passed between processes. */
export interface ApiProcess {
  config: pg.ClientConfig;
  secret: string;
  uploadsDir: string;
}

const { config, secret, uploadsDir } = JSON.parse(process.env['API_PROCESS'] ?? '{}') as ApiProcess;
const publicUrl = 'http://florka.test';
const log = pino({ level: 'silent' });
const services = openServices({
  pool: openPool({ ...config, max: 20, application_name: 'florka-cut' }),
  config,
  publicUrl,
  secret,
  mail: { target: 'nowhere', kind: 'smtp', send: async () => {}, close: () => {} },
  storage: localStorage(uploadsDir),
  payments: null,
  market: null,
  voteConfirmedOnly: false,
  supportEmail: undefined,
  log,
  staffSecondFactor: false,
  staffPasskey: false,
  now: () => new Date(),
});
await services.hub.start();
const api = createApi({
  makeContext: (request, resHeaders) => services.contextOf(request.headers, resHeaders),
  publicUrl: publicUrl,
  log,
  version: '0',
});
const server = http.createServer(getRequestListener(api.fetch)).listen(0, '127.0.0.1');
await once(server, 'listening');
console.log((server.address() as AddressInfo).port);

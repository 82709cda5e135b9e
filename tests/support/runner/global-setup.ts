import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import type { TestProject } from 'vitest/node';
import { readMigrations } from '#server/db/migrate.ts';
import { roleName } from '#server/db/rights.ts';
import { prepareDatabase } from '#server/prepare.ts';
import { onDatabase, runStatements } from '#tests/support/database/test-server.ts';
import { startTrusted } from '#tests/support/database/trusted-server.ts';
import { loadQuickly } from '#tests/support/processes/programs.ts';
import { enterRunFolder } from '../../../scripts/lib/run-folder.mjs';

const SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

interface TestServer {
  config: pg.ClientConfig;
  template: string;
  /** True when services connect as the app's role. */
  roles: boolean;
  stop(): Promise<void>;
}

/** Every project of a run calls this module anew, in one process; they share the server. */
const shared = globalThis as { florkaTestServer?: { users: number; server: Promise<TestServer> } };

/**
 * One migrated template database per run: on TEST_DATABASE_URL when it is set (its role must be allowed to create
 * databases), else on a throw-away cluster, where services connect as the app's role.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.florkaTestServer ??= { users: 0, server: startServer() };
  const here = shared.florkaTestServer;
  here.users++;
  const { config, template, roles, stop } = await here.server;
  project.provide('testServer', { ...config, template, roles });
  return async () => {
    if (--here.users === 0) await stop();
  };
}

async function startServer(): Promise<TestServer> {
  // Before workers start, which inherit it.
  const temporary = enterRunFolder();
  loadQuickly(temporary.folder);
  const url = process.env['TEST_DATABASE_URL'];
  const { config, stop } = url ? { config: { connectionString: url }, stop: async () => {} } : await startThrowAway();
  // An external server may be used by two runs at once.
  const template = url ? `template_florka_${process.pid}` : 'template_florka';
  const dropTemplate = () => runStatements(config, `drop database if exists ${template} with (force)`);
  try {
    await dropTemplate();
    await makeTemplate(config, template, !url);
  } catch (error) {
    await dropTemplate().catch(() => {});
    await stop();
    temporary.remove();
    throw error;
  }
  return {
    config,
    template,
    roles: !url,
    async stop() {
      if (url) await dropTemplate();
      await stop();
      temporary.remove();
    },
  };
}

async function startThrowAway() {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'florka-test-'));
  // As root, the server runs under another account, which must be able to enter the folder.
  fs.chmodSync(dir, 0o755);
  const remove = () => fs.rmSync(dir, { recursive: true, force: true });
  try {
    const server = await startTrusted({ dataDir: dir, settings: SETTINGS });
    const stop = async () => {
      await server.stop();
      remove();
    };
    return { config: server.config, stop };
  } catch (error) {
    remove();
    throw error;
  }
}

/** As in production: the tables belong to their owner, and the app has its rights. */
async function makeTemplate(config: pg.ClientConfig, template: string, roles: boolean): Promise<void> {
  const owner = roles ? ` owner ${roleName('owner')}` : '';
  await runStatements(config, `create database ${template} encoding 'UTF8' template template0${owner}`);
  const there = onDatabase(config, template);
  const as = (role: 'owner' | 'app') => ({ ...there, user: roleName(role) });
  await prepareDatabase(
    roles ? { config: as('app'), owner: as('owner') } : { config: there, owner: there },
    readMigrations(path.resolve(import.meta.dirname, '../../../server/db/migrations')),
  );
}

import fs from 'node:fs/promises';
import os from 'node:os';
import type pg from 'pg';
import type { Paused } from '#server/db/installation.ts';
import { configurationWarnings, type Env } from '#server/env.ts';
import { readDemoSeeded } from './doctor.sql.ts';
import { formatBytes, type Line, timeAgo } from './lines.ts';

/** Version, machine, public address, configuration and free disk. */
export async function programLines(env: Env): Promise<Line[]> {
  const { version } = JSON.parse(await fs.readFile('package.json', 'utf8')) as { version: string };
  const disk = await fs.statfs(env.DATA_DIR);
  const free = disk.bavail * disk.bsize;
  const secure = env.PUBLIC_URL.startsWith('https:') || /^http:\/\/(localhost|127\.|\[::1\])/.test(env.PUBLIC_URL);
  return [
    { name: 'Florka', value: version },
    { name: 'Node', value: `${process.version} on ${process.platform}-${process.arch}` },
    { name: 'Machine', value: `${os.availableParallelism()} cores, ${formatBytes(os.totalmem())} memory` },
    {
      name: 'Public address',
      value: new URL(env.PUBLIC_URL).origin,
      ...(secure ? {} : { problem: 'PUBLIC_URL is http: browsers send passwords in the clear. Put https in front.' }),
    },
    {
      name: 'Trusted proxies',
      value: String(env.TRUST_PROXY),
      ...(env.PUBLIC_URL.startsWith('https:') && env.TRUST_PROXY === '0'
        ? {
            problem: 'PUBLIC_URL is https, so a proxy is in front, but TRUST_PROXY is 0: all visitors share one limit.',
          }
        : {}),
    },
    ...configurationWarnings(process.env).map((problem) => ({ name: 'Variables', value: 'check one', problem })),
    {
      name: 'Demo',
      value: env.DEMO_REQUESTED
        ? 'on, as configured: an empty database gets the demo content, and every page says so'
        : env.DEMO
          ? 'on, because no real service is configured: an empty database gets the demo content'
          : 'off',
    },
    {
      name: 'Free disk',
      value: formatBytes(free),
      ...(free < 1024 ** 3 ? { problem: 'Less than 1 GB is free where DATA_DIR is.' } : {}),
    },
  ];
}

/** The demo's members and projects remain after the demo is switched off. */
export async function demoLine(pool: pg.Pool, env: Env): Promise<Line> {
  const [seeded] = await readDemoSeeded(pool, {}).catch(() => []);
  return {
    name: 'Demo content',
    value: seeded ? `in this database, ${timeAgo(seeded.at)}` : 'none',
    ...(seeded && !env.DEMO
      ? {
          problem:
            'The database holds the demo content, and the demo is off: start a real site with an empty database.',
        }
      : {}),
  };
}

/** A restored or copied installation serves its pages and does nothing else. */
export function pauseLine(paused: Paused | null): Line {
  if (!paused) return { name: 'Paused', value: 'no' };
  return {
    name: 'Paused',
    value: `${{ restored: 'restored from a backup', copied: 'a copy of another installation', operator: 'by an operator' }[paused.reason]}, ${timeAgo(paused.since)}`,
    problem: 'No mails, jobs, payments or signing. When no other installation does this work: npm run florka -- resume',
  };
}

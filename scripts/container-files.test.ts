import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { DATABASE_ROLES, roleName } from '#server/db/rights.ts';
import { variables } from '#server/env-schema.ts';

const read = (file: string) => readFileSync(file, 'utf8');
/** The names of the site's variables. */
const NAMES = new Set(variables().map(({ name }) => name));

interface Instruction {
  name: string;
  text: string;
}
/** The instructions of a Containerfile, each with its continued lines. */
function instructionsOf(text: string): Instruction[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('#'));
  return lines
    .join('\n')
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => {
      const [, name = '', rest = ''] = /^\s*([A-Z]+)\s+(.*)$/.exec(line) ?? [];
      return { name, text: rest };
    });
}

/** Variables of the system and of the C library, which are not the site's. */
const RUNTIME_NAMES = new Set(['PATH', 'MALLOC_ARENA_MAX']);

/** What is wrong with an image's file, in sentences. */
function imageProblems(text: string): string[] {
  const all = instructionsOf(text);
  const last = all.slice(all.findLastIndex(({ name }) => name === 'FROM'));
  const of = (name: string) => last.filter((one) => one.name === name).map((one) => one.text);
  const user = of('USER').at(-1) ?? '';
  const names = of('ENV').flatMap((line) => [...line.matchAll(/(?:^|\s)([A-Z_0-9]+)=/g)].map(([, name = '']) => name));
  return [
    ...(all.filter(({ name }) => name === 'FROM').length > 1 ? [] : ['only one stage']),
    ...(all.some(({ name }) => name === '') ? ['a line that is no instruction'] : []),
    ...(/^[1-9]\d*:[1-9]\d*$/.test(user) ? [] : [`runs as "${user}"`]),
    ...(last.findIndex(({ name }) => name === 'USER') < last.findLastIndex(({ name }) => /^(RUN|COPY|ADD)$/.test(name))
      ? ['files are made after the user was set']
      : []),
    ...(of('HEALTHCHECK').some((line) => line.includes('/healthz')) ? [] : ['no health check at /healthz']),
    ...(of('VOLUME').some((line) => line.includes('/var/lib/florka')) ? [] : ['DATA_DIR is no volume']),
    ...(/^\["node", /.test(of('CMD').at(-1) ?? '') ? [] : ['the site is not process 1']),
    ...names.filter((name) => !RUNTIME_NAMES.has(name) && !NAMES.has(name)).map((name) => `${name} is no variable`),
    ...[...text.matchAll(/\b(?:ARG|ENV)\s+\w*(?:SECRET|PASSWORD|TOKEN|KEY)\w*/g)].map(
      ([line]) => `${line} in an image`,
    ),
  ];
}

interface Service {
  image?: string;
  build?: object;
  user?: string;
  privileged?: boolean;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  environment?: Record<string, unknown>;
  ports?: string[];
  networks?: string[];
  volumes?: string[];
  depends_on?: Record<string, unknown>;
}
interface Compose {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
  volumes: Record<string, unknown>;
}

/** What is wrong with a composition, in sentences. */
function composeProblems(text: string): string[] {
  const { services, networks, volumes } = parse(text, { merge: true }) as Compose;
  const of = Object.entries(services).flatMap(([name, service]) => {
    const own = (service.volumes ?? []).map((one) => one.split(':')[0] ?? '').filter((one) => !one.startsWith('.'));
    return [
      ...(service.read_only === true ? [] : ['its root file system can be written']),
      ...(service.cap_drop?.includes('ALL') && !service.cap_add ? [] : ['it keeps capabilities']),
      ...(service.security_opt?.includes('no-new-privileges:true') ? [] : ['it may gain privileges']),
      ...(service.privileged || /^(0|root)\b/.test(service.user ?? '') ? ['it runs as root'] : []),
      // Built here it is the Containerfile's user; the proxy's image has no other, see compose.yaml.
      ...(service.user || service.build || name === 'proxy' ? [] : ['it names no user']),
      ...(service.build || /^[\w.-]+\/.+:[\w.-]*\d/.test(service.image ?? '') ? [] : ['its image has no version']),
      ...(service.networks ?? []).filter((one) => !(one in networks)).map((one) => `no network ${one}`),
      ...own.filter((one) => !(one in volumes)).map((one) => `no volume ${one}`),
      ...Object.keys(service.depends_on ?? {})
        .filter((one) => !(one in services))
        .map((one) => `no service ${one}`),
      ...(service.ports ?? [])
        .filter((port) => name !== 'proxy' && !port.startsWith('127.0.0.1:'))
        .map((port) => `port ${port} is open to everybody`),
    ].map((problem) => `${name}: ${problem}`);
  });
  const unknown = Object.keys(services['site']?.environment ?? {}).filter((name) => !NAMES.has(name));
  const { database } = services;
  const roleOf = (variable: string) =>
    /^postgres:\/\/(\w+):\$\{(\w+)/.exec(String(services['site']?.environment?.[variable]))?.slice(1).join(' ');
  const roles = [
    ...(roleOf('DATABASE_URL') === 'florka_app POSTGRES_APP_PASSWORD' ? [] : ['the site does not work as florka_app']),
    ...(roleOf('DATABASE_MIGRATE_URL') === 'florka_owner POSTGRES_PASSWORD'
      ? []
      : ['tables are not changed as florka_owner']),
    ...(database?.volumes?.some((one) => /roles\.sh:\/docker-entrypoint-initdb\.d\//.test(one))
      ? []
      : ['nobody makes the roles']),
  ];
  /** Networks that only these services may be in; the site trusts what others in its proxy's network say about visitors. */
  const alone: [network: string, allowed: string[]][] = [
    ['front', ['proxy', 'site']],
    ['back', ['site', 'database']],
  ];
  const intruders = alone.flatMap(([network, allowed]) =>
    Object.keys(services)
      .filter((name) => services[name]?.networks?.includes(network) && !allowed.includes(name))
      .map((name) => `${name}: it is in the network ${network}`),
  );
  const reachable = (database?.networks ?? []).filter((name) => !networks[name]?.internal);
  return [
    ...of,
    ...unknown.map((name) => `site: ${name} is no variable`),
    ...roles,
    ...intruders,
    ...reachable.map((name) => `database: reached from ${name}`),
  ];
}

describe('the container image', () => {
  const file = read('Containerfile');

  it('passes the checks of this file', () => {
    expect(imageProblems(file)).toEqual([]);
  });

  it.each([
    [/^USER .*$/m, '', 'runs as ""'],
    [/^USER .*$/m, 'USER root', 'runs as "root"'],
    [/^USER .*$/m, 'USER 0:0', 'runs as "0:0"'],
    [/^CMD /m, 'RUN touch /srv/x\nCMD ', 'files are made after the user was set'],
    [/healthz/g, 'readyz', 'no health check at /healthz'],
    [/DATA_DIR=/, 'DATA_FOLDER=', 'DATA_FOLDER is no variable'],
    [/^ENV PATH/m, 'ENV AUTH_SECRET=x\nENV PATH', 'ENV AUTH_SECRET in an image'],
    [/^VOLUME .*$/m, '', 'DATA_DIR is no volume'],
  ])('is reported if %s is replaced by %j', (from, to, problem) => {
    expect(imageProblems(file.replace(from, to))).toContain(problem);
  });

  it('is built from the files it needs, without secrets, data and tests', () => {
    const lines = read('.dockerignore')
      .split('\n')
      .filter((line) => line && !line.startsWith('#'));
    expect(lines[0]).toBe('*');
    const taken = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    const { imports } = JSON.parse(read('package.json')) as { imports: Record<string, string> };
    const sources = Object.entries(imports)
      .filter(([alias]) => alias !== '#tests/*')
      .map(([, folder]) => folder.replace(/^\.\/|\/\*$/g, ''));
    expect(taken).toEqual(expect.arrayContaining([...sources, 'scripts', 'public', 'package-lock.json']));
    expect(taken.filter((name) => /^(\.env|data|\.git|node_modules|build|tests)/.test(name))).toEqual([]);
  });
});

describe('the Compose file', () => {
  const file = read('compose.yaml');

  it('passes the checks of this file', () => {
    expect(composeProblems(file)).toEqual([]);
  });

  it.each([
    ['read_only: true', 'read_only: false', 'database: its root file system can be written'],
    ['cap_drop: [ALL]', 'cap_drop: []', 'site: it keeps capabilities'],
    ['no-new-privileges:true', 'no-new-privileges:false', 'mail: it may gain privileges'],
    ['user: postgres', 'user: root', 'database: it runs as root'],
    ['    user: postgres\n', '', 'database: it names no user'],
    ['postgres:18', 'postgres:latest', 'database: its image has no version'],
    ['      TRUST_PROXY:', '      TRUSTED_PROXY:', 'site: TRUSTED_PROXY is no variable'],
    ['127.0.0.1:8025:8025', '8025:8025', 'mail: port 8025:8025 is open to everybody'],
    ['florka_app:${POSTGRES_APP', 'florka_owner:${POSTGRES_APP', 'the site does not work as florka_app'],
    [
      'DATABASE_MIGRATE_URL: postgres://florka_owner',
      'DATABASE_MIGRATE_URL: postgres://postgres',
      'tables are not changed as florka_owner',
    ],
    ['/docker-entrypoint-initdb.d/', '/docker-entrypoint.d/', 'nobody makes the roles'],
    ['networks: [back]', 'networks: [front]', 'database: reached from front'],
    ['networks: [mails]', 'networks: [front]', 'mail: it is in the network front'],
    ['networks: [mails]', 'networks: [back]', 'mail: it is in the network back'],
    ['    internal: true', '    internal: false', 'database: reached from back'],
  ])('is reported if %j is replaced by %j', (from, to, problem) => {
    expect(file).toContain(from);
    expect(composeProblems(file.replace(from, to))).toContain(problem);
  });

  it('creates every database role, none a superuser, and removes the password of the superuser', () => {
    const script = read('ops/containers/roles.sh');
    const made = [...script.matchAll(/^create role (\w+) (.*);$/gm)];
    expect(made.map(([, name]) => name).toSorted()).toEqual(DATABASE_ROLES.map(roleName).toSorted());
    for (const [, , rest] of made) expect(rest).toMatch(/^login( password :'(owner|app)')?$/);
    expect(script).toContain('alter database :"database" owner to florka_owner;');
    expect(script).toContain('alter role :"superuser" password null;');
  });
});

describe('the reverse proxy', () => {
  it.each([
    ['ops/containers/Caddyfile', /reverse_proxy site:3000 \{[^}]*health_uri (\S+)/],
    ['docs/operating.md', /reverse_proxy 127\.0\.0\.1:3000 \{[^}]*health_uri (\S+)/],
  ])('of %s keeps routing to the site while its database is away, as it serves stale pages', (file, health) => {
    expect(health.exec(read(file))?.[1]).toBe('/healthz');
  });
});

describe('the CI workflow', () => {
  const text = read('.github/workflows/ci.yml');
  interface Job {
    strategy?: { matrix: { shard: number[] } };
    steps: { run?: string; uses?: string }[];
  }
  const { jobs, permissions } = parse(text) as { jobs: Record<string, Job>; permissions: object };
  const runs = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));

  it('runs every part of npm test once, without retries', () => {
    const parts = runs.flatMap((run) => /--only (\S+)/.exec(run)?.[1]?.split(',') ?? []);
    expect(parts.sort()).toEqual(['attack', 'browser', 'checks', 'faults', 'server']);
    expect(text).not.toContain('--retries');
    expect(text).not.toContain('TEST_RETRIES');
    for (const { strategy, steps } of Object.values(jobs)) {
      const run = steps.find((step) => step.run?.includes('--shard'))?.run;
      const shards = strategy?.matrix.shard;
      if (shards) expect(run).toContain(`/${shards.length}`);
    }
  });

  it('waits for the health check of the image', () => {
    const started = runs.find((run) => run.includes('docker run')) ?? '';
    expect(started).toContain("docker inspect --format '{{.State.Health.Status}}' florka");
  });

  it('has read permission only, and pins actions to commits', () => {
    expect(permissions).toEqual({ contents: 'read' });
    const used = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
    expect(used.length).toBeGreaterThan(4);
    expect(used.filter((name) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(name))).toEqual([]);
  });
});

describe('the release workflow', () => {
  const { jobs } = parse(read('.github/workflows/release.yml')) as {
    jobs: { release: { steps: { name?: string; run?: string }[] } };
  };
  const runs = jobs.release.steps.flatMap(({ run }) => run ?? []);

  it('publishes only the notes of its own version', () => {
    const made = /^awk .*(?= > notes\.md$)/m.exec(runs.join('\n'))?.[0] ?? '';
    const notesOf = (version: string) =>
      spawnSync('sh', ['-c', made], { encoding: 'utf8', env: { ...process.env, VERSION: version } }).stdout.trim();
    expect(runs.join('\n')).toContain('--notes-file notes.md');
    const changelog = read('CHANGELOG.md');
    const [newest = '', older = ''] = [...changelog.matchAll(/^## (\d\S*) - /gm)].map(([, version]) => version);
    const [, rest = ''] = changelog.split(`\n## ${newest} - `);
    const expected = rest.slice(rest.indexOf('\n'), rest.indexOf(`\n## ${older} - `)).trim();
    expect(expected.length).toBeGreaterThan(100);
    expect(notesOf(`v${newest}`)).toBe(expected);
  });
});

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { fakeProvider } from '#tests/support/payments/fake-provider.ts';
import { type Example, runBlock } from '#tests/support/samples/shell-examples.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const listed = (folder: string) => readdirSync(path.join(ROOT, folder), { withFileTypes: true });

const PAGES = [
  ...listed('.').filter(({ name }) => name.endsWith('.md')),
  ...listed('docs').filter(({ name }) => name.endsWith('.md')),
  ...listed('docs/adr'),
].map(({ parentPath, name }) => path.relative(ROOT, path.join(parentPath, name)));
const architecture = read('docs/ARCHITECTURE.md');
const tree = /## The tree\n+```\n(.*?)```/s.exec(architecture)?.[1] ?? '';
const fence = /^ *```.*?^ *```/gms;
const prose = (file: string) => read(file).replace(fence, '');

/** Names of headings in addresses, as GitHub makes them. */
const anchorsOf = (file: string) =>
  [...prose(file).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('the promises of SECURITY.md', () => {
  const rows = [...prose('SECURITY.md').matchAll(/^\| (.+?) \| (.+) \|$/gm)].map(([, promise = '', tests = '']) => ({
    promise,
    tests,
  }));
  const from = rows.findIndex(({ promise }) => promise === 'promise');
  const promises = rows.slice(
    from + 2,
    rows.findIndex(({ promise }) => promise === 'key'),
  );
  it('each name an existing test or command that verifies them', () => {
    expect(promises.length).toBeGreaterThan(25);
    for (const { promise, tests } of promises) {
      if (tests === 'the same') continue;
      const files = [...tests.matchAll(/`([^`]+\.(?:ts|tsx))`/g)].map(([, file = '']) => file);
      const command = tests.includes('`npm run attack');
      expect(files.length > 0 || command, promise).toBe(true);
      const folder = path.dirname(files[0] ?? '');
      for (const file of files)
        expect(
          [file, path.join(folder, file)].some((one) => existsSync(path.join(ROOT, one))),
          `${promise}: ${file}`,
        ).toBe(true);
    }
  });
});

describe('the documents', () => {
  it('link to files and headings that exist', () => {
    const broken: string[] = [];
    for (const page of PAGES)
      for (const [, target = ''] of prose(page).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(target)) continue;
        const [file = '', anchor] = target.split('#');
        const to = file ? path.join(path.dirname(page), file) : page;
        if (!existsSync(path.join(ROOT, to)) || (anchor !== undefined && !anchorsOf(to).includes(anchor)))
          broken.push(`${page}: ${target}`);
      }
    expect(broken).toEqual([]);
  });

  it('name files of the project that exist', () => {
    /** Made by a command, or by the reader of a page that shows how. */
    const made = /^docs\/screens|YYYYMMDDHHMMSS/;
    /** Their examples are files that the reader makes. */
    const examples = /^docs\/adding-(?:a-field|a-domain|an-admin-screen)\.md$/;
    const gone = PAGES.filter((page) => !examples.test(page)).flatMap((page) =>
      [
        ...prose(page).matchAll(
          /`((?:app|attack|bench|contract|docs|emulator|faults|ops|packages|public|scripts|server|tests)\/[\w./-]+)`/g,
        ),
      ]
        .map(([, name = '']) => name)
        .filter((name) => !made.test(name) && !existsSync(path.join(ROOT, name)))
        .map((name) => `${page}: ${name}`),
    );
    expect(gone).toEqual([]);
  });

  it('name scripts and commands that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const usage = read('scripts/florka.ts') + read('scripts/operator/installation.ts');
    const wrong: string[] = [];
    for (const page of PAGES) {
      const text = read(page);
      for (const [whole, script = ''] of text.matchAll(/npm run (?:--silent )?([a-z][\w-]*)/g))
        if (!scripts[script]) wrong.push(whole);
      for (const [whole, words = ''] of text.matchAll(
        /(?:npm run florka -- |`florka |^ *florka )([a-z][a-z-]*(?: [a-z][a-z-]*)?)/gm,
      )) {
        const [first = ''] = words.split(' ');
        const whole1 = [`'${words}'`, `  ${first}:`].some((sign) => usage.includes(sign));
        if (!whole1) wrong.push(whole);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("include every command of florka in the operator's guide", () => {
    const { stderr } = spawnSync(process.execPath, ['scripts/florka.ts'], { cwd: ROOT, encoding: 'utf8' });
    const commands = [...stderr.matchAll(/^ {2}([a-z][a-z-]*(?: [a-z][a-z-]*)?)(?= |$)/gm)].map(
      ([, name = '']) => name,
    );
    expect(commands).toContain('audit verify');
    const guide = read('docs/operating.md');
    expect(commands.filter((name) => !guide.includes(`\`florka ${name}\``))).toEqual([]);
  });

  it('contain no local path of the machine they were written on', () => {
    const found = PAGES.flatMap((page) =>
      [...read(page).matchAll(/(?:\/work\/|\/tmp\/h-|\/home\/\w+|\/Users\/)\S*/g)].map(
        ([where]) => `${page}: ${where}`,
      ),
    );
    expect(found).toEqual([]);
  });
});

describe('environment variables', () => {
  /** Name to default, undefined where there is none, of a schema in a source. */
  function schemaOf(source: string, from: string): Map<string, string | undefined> {
    const body = source.slice(source.indexOf(from)).split(/^\}\);/m)[0] ?? '';
    return new Map(
      body
        .split(/\n(?= {2}[A-Z_0-9]+:)/)
        .slice(1)
        .map((entry) => {
          const name = /^ *([A-Z_0-9]+):/.exec(entry)?.[1] ?? '';
          const value = /\.default\(([^)]*)\)/.exec(entry)?.[1]?.replace(/^'|'$/g, '').replaceAll('_', '');
          return [name, value === 'true' ? 'on' : value === 'false' ? 'off' : value];
        }),
    );
  }
  /** Name to the cell of defaults, of the tables of a page. */
  function tablesOf(page: string): Map<string, string> {
    return new Map(
      [...read(page).matchAll(/^\| ((?:`[A-Z_0-9<>]+`(?:, | or )?)+) \| (.*?) \|/gm)].flatMap(
        ([, names = '', given = '']) =>
          [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']): [string, string] => [name, given]),
      ),
    );
  }
  const site = schemaOf(read('server/env-schema.ts'), 'const schema');
  const table = tablesOf('docs/operating.md');

  it("of the site are all in the operator's guide, with their defaults", () => {
    expect(site.size).toBeGreaterThan(30);
    expect([...table.keys()].filter((name) => !name.startsWith('SIGNER_')).sort()).toEqual([...site.keys()].sort());
    const wrong = [...site].filter(
      ([name, value]) => value !== undefined && !table.get(name)?.replaceAll('_', '').includes(`\`${value}\``),
    );
    expect(wrong).toEqual([]);
  });

  it("of the signer are all in the operator's guide, and those of its chains in the guide of chains", () => {
    const source = read('server/signer/env.ts');
    const own = [...schemaOf(source, 'const schema').keys()].filter((name) => name.startsWith('SIGNER_'));
    const [worker, evm, solana] = ['const worker', 'const evm', 'const solana'].map((from) => [
      ...schemaOf(source, from).keys(),
    ]);
    const names = [
      ...own,
      ...(worker ?? []).map((name) => `SIGNER_<NETWORK>_${name}`),
      ...(evm ?? []).map((name) => `SIGNER_<EVM>_${name}`),
      ...(solana ?? []).map((name) => `SIGNER_SOLANA_${name}`),
    ];
    expect(names.length).toBeGreaterThan(10);
    expect([...table.keys()].filter((name) => name.startsWith('SIGNER_')).sort()).toEqual(names.sort());
    const chains = tablesOf('docs/chains.md');
    expect([...(worker ?? []), ...(evm ?? []), ...(solana ?? [])].filter((name) => !chains.has(name))).toEqual([]);
  });
});

describe('the architecture page', () => {
  const lines = tree.split('\n').filter((line) => /^ *\S/.test(line) && !/^ {6,}/.test(line));

  it('draws a tree of files and folders that exist', () => {
    const gone: string[] = [];
    let folder = '';
    for (const line of lines) {
      const [names = ''] = line.trim().split(/ {2,}/);
      if (!line.startsWith(' ')) folder = '';
      for (const name of names.split(', ')) {
        const bare = (name.split(' ')[0] ?? '').replace(/<.*$/, '');
        if (bare && !existsSync(path.join(ROOT, folder, bare))) gone.push(folder + bare);
      }
      if (!line.startsWith(' ')) folder = names;
    }
    expect(lines.length).toBeGreaterThan(20);
    expect(gone).toEqual([]);
  });

  it('includes every folder in the tree', () => {
    const own = (folder: string) =>
      listed(folder)
        .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
        .map(({ name }) => name);
    const made = ['build', 'data', 'data-dev', 'node_modules', 'test-results', 'playwright-report'];
    const missing = [
      ...own('.').filter((name) => !made.includes(name) && name !== 'docs' && name !== 'public'),
      ...['server', 'app', 'contract'].flatMap(own),
    ].filter((name) => !tree.includes(`${name}/`));
    expect(missing).toEqual([]);
  });
});

describe('the API guide', async () => {
  const bank = fakeProvider(() => Date.parse('2026-03-10T12:00:00Z'));
  const app = await startTestApp({ payments: bank.provider });
  const { document } = { document: (await (await app.http('/api/openapi.json')).json()) as OpenApi };

  it('gives every operation a unique name, a summary, one described tag and a description of each response', () => {
    const tags = (document.tags ?? []).map(({ name }) => name);
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    expect(operations.length).toBeGreaterThan(100);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    const poor = operations.filter(
      ({ summary, tags: own = [], responses }) =>
        !summary ||
        own.length !== 1 ||
        !tags.includes(own[0] ?? '') ||
        Object.entries(responses).some(
          ([status, { description }]) => !description || (status !== '200' && !/[A-Z]/.test(description)),
        ),
    );
    expect(poor.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('declares every path parameter, and resolves every reference', () => {
    for (const [address, operations] of Object.entries(document.paths))
      for (const { operationId, parameters = [] } of Object.values(operations)) {
        const wanted = [...address.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        expect(
          parameters
            .filter((one) => one.in === 'path' && one.required)
            .map(({ name }) => name)
            .sort(),
          operationId,
        ).toEqual(wanted.sort());
      }
    for (const [, at = ''] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g))
      expect(
        at.split('/').reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], document),
        at,
      ).toBeDefined();
  });

  it('has examples whose answers match the documented ones', async () => {
    await app.project({ status: 'published_home', order_index: 1 });
    await app.candidate({ total_votes: 3, total_reached_at: app.now });
    await app.sql(
      `insert into news (title, content, is_active, published_at) values ('La ronda 12', 'Empieza **hoy**.', true, $1)`,
      [app.now],
    );
    await app.sql(
      `insert into blockchain_networks (key, name, symbol) values ('ethereum', 'Ethereum', 'ETH') on conflict do nothing`,
    );
    const ben = await app.member();
    const post = await app.as(ben).forum.create({ title: '¿Primera ronda?', content: 'Cuéntenme.' });
    app.pass(120_000);
    await app.as(await app.member()).forum.comment({ postId: post.id, content: 'Bienvenidos.' });

    const blocks = [...read('docs/api.md').matchAll(/^```(sh|json)(?: (\d+))?\n(.*?)^```/gms)];
    const jar = new Map<string, string>();
    const files = new Map<string, unknown>();
    const variables = new Map([['FLORKA', app.origin]]);
    const logo = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#6b8' } })
      .png()
      .toBuffer();
    let last: { example: Example; status: number; answer: unknown } | undefined;
    let ran = 0;

    async function send(example: Example): Promise<unknown> {
      ran++;
      const headers: Record<string, string> = { ...example.headers };
      if (example.sendsCookies) headers['cookie'] = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const body = example.body === '@logo.png' ? new Uint8Array(logo) : example.body;
      const response = await fetch(example.url, {
        method: example.method,
        headers,
        ...(body === undefined ? {} : { body }),
      });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        jar.set(name, value);
      }
      const answer: unknown = await response.json();
      if (example.file) files.set(example.file, answer);
      last = { example, status: response.status, answer };
      const documented = responsesOf(document, example);
      if (documented && response.status !== 400)
        expect(Object.keys(documented), `${example.method} ${example.url}`).toContain(String(response.status));
      return answer;
    }

    for (const [i, [, kind, status, text = '']] of blocks.entries()) {
      if (kind === 'sh') {
        await runBlock(text, { variables, files, send });
        const next = blocks[i + 1];
        if (last && !(next?.[1] === 'json')) expect(last.status, text).toBe(200);
        continue;
      }
      expect(last?.status, text).toBe(Number(status));
      expect(shapeOf(JSON.parse(text)), last?.example.url).toEqual(shapeOf(last?.answer));
    }
    expect(ran).toBeGreaterThan(20);
  });
});

interface OpenApi {
  tags?: { name: string }[];
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        summary?: string;
        tags?: string[];
        parameters?: { name: string; in: string; required?: boolean }[];
        responses: Record<string, { description?: string }>;
      }
    >
  >;
}

/** What the document says of the answers to a request; undefined for what is not part of the API. */
function responsesOf(document: OpenApi, { method, url }: Example): object | undefined {
  const { pathname } = new URL(url);
  if (!pathname.startsWith('/api/')) return undefined;
  const fits = (address: string) => new RegExp(`^/api${address.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname);
  // An address without parameters takes precedence.
  const [address = ''] = Object.keys(document.paths)
    .filter(fits)
    .sort((a, b) => a.split('{').length - b.split('{').length);
  return document.paths[address]?.[method.toLowerCase()]?.responses ?? {};
}

/** Names and kinds of a value, with the first of each list; what may be null counts as unknown. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (value === null || typeof value !== 'object') return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shapeOf(one)]));
}

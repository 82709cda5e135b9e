import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const listed = (folder: string) => readdirSync(path.join(ROOT, folder), { withFileTypes: true });
const architecture = read('docs/ARCHITECTURE.md');
const tree = /## The tree\n+```\n(.*?)```/s.exec(architecture)?.[1] ?? '';

describe('the guides to the files', () => {
  const GUIDES = ['docs/ARCHITECTURE.md', 'docs/glossary.md', 'docs/invariants.md', 'docs/where-to-change.md'];
  const trees = 'app attack bench contract docs emulator faults ops packages scripts server tests'.split(' ');
  const files = [
    ...listed('.').map(({ name }) => name),
    ...trees.flatMap((folder) => readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })),
  ];
  const filesIn = (folder: string) =>
    listed(folder)
      .filter((entry) => entry.isFile() && !/\.(test|sql)\.ts$/.test(entry.name))
      .map(({ name }) => name);
  /** The lines of the tree from this folder to the next one beside it, as one text. */
  const entryOf = (name: string) =>
    new RegExp(`^ *${name}\\/ (.*\\n(?: {8,}.*\\n)*)`, 'm').exec(tree)?.[1]?.replace(/\s+/g, ' ') ?? '';

  it('name only files that exist, also where the folder is omitted', () => {
    const names = new Set(files.map((file) => path.basename(file)));
    const gone = GUIDES.flatMap((guide) =>
      [...read(guide).matchAll(/[`( ]([\w-]+(?:\.[\w-]+)*\.(?:ts|tsx|css|sql|yml|md))(?=[`),: ;|])/g)]
        .map(([, name = '']) => name)
        .filter((name) => !names.has(name))
        .map((name) => `${guide}: ${name}`),
    );
    expect(files.length).toBeGreaterThan(1_000);
    expect(gone).toEqual([]);
  });

  it('list every domain of the server, each once', () => {
    const section = /## The domains of the server\n(.*?)\n## /s.exec(architecture)?.[1] ?? '';
    const names = [...section.matchAll(/^\| (`.+?) \|/gm)]
      .slice(1)
      .flatMap(([, cell = '']) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name));
    const folders = listed('server/domains').filter((entry) => entry.isDirectory());
    expect(names.sort()).toEqual(folders.map(({ name }) => name).sort());
  });

  it('list every topic of the mails, folder of jobs and topic of the florka commands', () => {
    const topics = filesIn('server/mail/texts').map((name) => name.replace('.ts', ''));
    expect(topics.filter((name) => !entryOf('mail').includes(name))).toEqual([]);
    const jobs = listed('server/jobs').filter((entry) => entry.isDirectory());
    expect(jobs.filter(({ name }) => !entryOf('jobs').includes(`${name}/`))).toEqual([]);
    const { stderr } = spawnSync(process.execPath, ['scripts/florka.ts'], { cwd: ROOT, encoding: 'utf8' });
    const words = new Set([...stderr.matchAll(/^ {2}([a-z][a-z-]*)(?= |$)/gm)].map(([, name = '']) => name));
    expect(words).toContain('second-factor');
    expect([...words].filter((word) => !new RegExp(`\\b${word}\\b`).test(entryOf('scripts')))).toEqual([]);
  });

  /** The table below a heading: its rows without the head, each as its cells. */
  const tableOf = (heading: string) =>
    (architecture.split(`\n### ${heading}\n`)[1]?.split(/\n##/)[0] ?? '')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.split('|').slice(1, -1));
  const namesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  const pagesOf = (folder: string) =>
    filesIn(folder)
      .map((name) => name.replace('.tsx', ''))
      .filter((name) => !/\.test$|^(?:en|es|language-layout|layout|login)$/.test(name))
      .sort();

  it('list every page of the site with its files', () => {
    const rows = tableOf('Pages of the site');
    expect(rows.flatMap(([pages]) => namesIn(pages)).sort()).toEqual(pagesOf('app/routes/public'));
    const folders = ['app/features/', 'app/lib/messages/', 'contract/domains/'];
    expect(filesOutside(rows, folders)).toEqual([]);
  });

  it('list every screen of the back office with its files', () => {
    const rows = tableOf('Screens of the back office');
    const screens = pagesOf('app/routes/admin').filter((name) => name !== 'not-found');
    expect(rows.flatMap(([names]) => namesIn(names)).sort()).toEqual(screens);
    const folders = ['app/features/admin/', 'app/lib/messages/admin/', 'contract/admin/', 'server/domains/'];
    expect(filesOutside(rows, folders)).toEqual([]);
  });

  /** Names of a table that are neither in the folder of their column nor anywhere from the root. */
  function filesOutside(rows: string[][], folders: string[]): string[] {
    return rows.flatMap(([, ...cells]) =>
      cells.flatMap((cell, i) =>
        namesIn(cell).filter(
          (name) => ![name, `${folders[i]}${name}`].some((file) => existsSync(path.join(ROOT, file))),
        ),
      ),
    );
  }

  it('name only files that exist below the folder that a row begins with', () => {
    const wrong = [...architecture.matchAll(/\| `([\w./-]+\/)`: (.*) \|$/gm)].flatMap(([, folder = '', rest = '']) =>
      namesIn(rest).filter(
        (name) => !/[<*]/.test(name) && ![name, folder + name].some((file) => existsSync(path.join(ROOT, file))),
      ),
    );
    expect(wrong).toEqual([]);
  });
});

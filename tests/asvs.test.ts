import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ASVS_IDS } from '#tests/support/samples/asvs-ids.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const page = readFileSync(path.join(ROOT, 'docs/asvs.md'), 'utf8');
const STATES = ['holds', 'does not apply', 'missing'] as const;
const rows = [...page.matchAll(/^\| (\d+\.\d+\.\d+) \| (\d) \| ([^|]+) \| (.+) \|$/gm)].map(
  ([, id = '', level = '', state = '', why = '']) => ({ id, level, state, why }),
);
/** Names of files in a line. */
const filesIn = (text: string) =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name).filter((name) => /\.(ts|tsx|md|json)$|\//.test(name));

describe('docs/asvs.md', () => {
  it('lists each requirement of levels 1 and 2 exactly once, under its level', () => {
    expect(ASVS_IDS[1]).toHaveLength(70);
    expect(ASVS_IDS[2]).toHaveLength(183);
    for (const level of [1, 2] as const)
      expect(rows.filter((row) => row.level === String(level)).map(({ id }) => id)).toEqual(ASVS_IDS[level]);
  });

  it('states for each requirement whether it holds, does not apply or is missing, and why', () => {
    for (const { id, state, why } of rows) {
      expect(STATES, id).toContain(state);
      expect(why.length, id).toBeGreaterThan(5);
    }
  });

  it('names a file or test for each requirement that holds, and its totals match its rows', () => {
    const bare = rows.filter(({ state, why }) => state === 'holds' && filesIn(why).length === 0).map(({ id }) => id);
    // It points at the table below.
    expect(bare).toEqual(['11.2.3']);
    const missing1 = rows.filter(({ level, state }) => level === '1' && state === 'missing').length;
    const count = (state: string) => rows.filter((row) => row.state === state).length;
    expect(page.replace(/\s+/g, ' ')).toContain(
      `Of ${rows.length}, ${count('holds')} hold, ${count('does not apply')} do not apply, ${count('missing')} are missing; of level 1, ${
        missing1 === 1 ? '1 is' : `${missing1} are`
      } missing.`,
    );
  });

  it('names files that exist', () => {
    expect(filesIn(page).filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([]);
  });
});

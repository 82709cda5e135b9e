import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ASKS_TO_WRITE } from '#tests/support/asks-to-write.ts';

/** Shown with the mailbox of the team only; that of the sign-in is a text of the specification. */
const WITH_MAILBOX = ['auth.ts: help', 'orders.ts: text', 'publish.ts: contactText', 'site-pages.ts: write'];

it('asks nobody to write to a team that has no mailbox', () => {
  const asking = globSync('app/lib/messages/**/*.ts')
    .filter((file) => !file.includes('.test.') && !file.includes('/admin/'))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => ASKS_TO_WRITE.test(line))
        .map((line) => `${file.replace('app/lib/messages/', '')}: ${/^\s*(\w+)/.exec(line)?.[1]}`),
    );
  // One sentence of each in both languages.
  expect(asking.sort()).toEqual([...WITH_MAILBOX, ...WITH_MAILBOX].sort());
});

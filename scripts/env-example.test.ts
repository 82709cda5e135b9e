import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { variables } from '#server/env-schema.ts';
import { differences, envExample, FILE } from './env-example.ts';

it('the committed example file equals the one generated from the schema', () => {
  expect(differences(readFileSync(FILE, 'utf8'), variables())).toEqual([]);
});

it('the example file has every variable once, commented out, with its meaning and default', () => {
  const lines = envExample(variables()).split('\n');
  expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
  expect(lines.filter((line) => /^#[A-Z]/.test(line)).length).toBe(variables().length);
  expect(lines).toContain('#PORT=3000');
  expect(lines).toContain('#ADMIN_SECOND_FACTOR=on');
  expect(lines).toContain("#MAIL_FROM='Florka <no-reply@florka.local>'");
  expect(lines).toContain('#DATABASE_URL=');
  expect(variables().filter(({ meaning }) => meaning.length < 10)).toEqual([]);
});

it.each([
  ['a default that changed', (text: string) => text.replace('#PORT=3000', '#PORT=8080'), ['PORT']],
  ['a variable that is gone', (text: string) => text.replace(/\n# [^\n]*\n#SMTP_URL=\n/, ''), ['SMTP_URL']],
  ['a variable that the schema does not have', (text: string) => `${text}\n# New.\n#NEW_ONE=\n`, ['NEW_ONE']],
  ['a meaning that changed', (text: string) => text.replace('Sender of mails', 'Mails'), ['MAIL_FROM']],
  ['another head', (text: string) => text.replace('do not edit', 'edit'), ['text']],
  ['an empty file', () => '', expect.arrayContaining(['PORT', 'text'])],
])('the check reports %s', (_, change, names) => {
  const planted = change(envExample(variables()));
  expect(planted).not.toBe(envExample(variables()));
  expect(differences(planted, variables())).toEqual(names);
});

it('the check reports another order', () => {
  expect(differences(envExample(variables().toReversed()), variables())).toEqual(['order']);
});

import { expect, it } from 'vitest';
import { readEnv } from '#server/env.ts';
import { app, callBack, order } from '#tests/fixtures/payments.ts';
import { findingsOf } from './report.ts';

it('says states and tables in words, not by the names that the database has for them', async () => {
  const one = await order();
  await callBack(one.move('partially_paid', 0.5));
  const findings = await findingsOf(app.services.db.$client, readEnv({}));
  const valueIn = (part: string, name: string) =>
    findings.find((line) => line.part === part && line.name === name)?.value;
  expect(valueIn('Payments', 'By state')).toBe('1 partially paid');
  for (const [part, name] of [
    ['Database', 'Largest tables'],
    ['Jobs', 'By state'],
    ['Mails', 'By state'],
    ['Tokens', 'Creations'],
  ] as const)
    expect(valueIn(part, name), `${part}: ${name}`).not.toMatch(/_/);
});

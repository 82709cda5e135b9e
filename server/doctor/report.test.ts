import { expect, it } from 'vitest';
import { readEnv } from '#server/env.ts';
import { paymentRig } from '#tests/support/payments/payments.ts';
import { findingsOf } from './report.ts';

const { app, order, callBack } = await paymentRig({ findings: ({ pool }) => findingsOf(pool, readEnv({})) });

it('formats states and tables in words instead of identifiers', async () => {
  await callBack((await order()).move('partially_paid', 0.5));
  const owner = app.as(await app.member({ role: 'admin' }), {});
  const { findings } = await owner.admin.settings.doctor();
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

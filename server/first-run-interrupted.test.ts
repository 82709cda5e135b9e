import { pino } from 'pino';
import { expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { firstRun } from './first-run.ts';

const [app, generated] = [await startTestApp(), await startTestApp()];
const log = pino({ level: 'silent' });
const adminEmail = 'chief@florka.test';
const start = (adminPassword: string) => firstRun(app.services, { demo: false, log, adminEmail, adminPassword });

it('a first start killed after creating the account is completed by the next one with its password only', async () => {
  const password = 'chosen-by-the-operator';
  await app.services.auth.api.signUpEmail({
    body: { email: adminEmail, password, name: 'Administrador', username: 'florka' },
  });
  await expect(start('another-of-the-operator')).rejects.toThrow('is already an ordinary account');
  expect(await app.sql('select 1 from admin_profiles')).toEqual([]);
  expect(await start(password)).toEqual({ email: adminEmail, password, given: true });
  expect(await app.browser().api.auth.signIn({ email: adminEmail, password })).toMatchObject({ isAdmin: true });
  expect(await start(password)).toBeNull();
});

it('a first start killed before showing its generated password does not prevent the next one', async () => {
  await generated.services.auth.api.signUpEmail({
    body: {
      email: 'admin-00000000@florka.local',
      password: 'never-shown-to-anybody',
      name: 'Administrador',
      username: 'florka',
    },
  });
  const made = await firstRun(generated.services, { demo: false, log });
  const { email = '', password = '' } = made ?? {};
  expect(await generated.browser().api.auth.signIn({ email, password })).toMatchObject({ isAdmin: true });
});

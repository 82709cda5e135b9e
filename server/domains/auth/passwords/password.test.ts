import { expect, it, vi } from 'vitest';
import { startTestApp } from '#tests/support/app/test-app.ts';
import { hashPassword, memberByPassword } from './password.service.ts';
import { verifyPassword } from './passwords.ts';

vi.mock('./passwords.ts', async (original) => {
  const real = await original<typeof import('./passwords.ts')>();
  return { ...real, verifyPassword: vi.fn(real.verifyPassword) };
});
const app = await startTestApp();

it('checking a password costs one equal hash, also for an unknown e-mail or an account without one', async () => {
  const { id } = await app.browser().api.auth.signUp({ email: 'ana@florka.test', password: 'six-or-more' });
  await app.member({ email: 'none@florka.test' });
  const sizes = new Set<string | undefined>();
  const answers = [];
  for (const [email, password] of [
    ['ana@florka.test', 'six-or-more'],
    ['ana@florka.test', 'wrong-password'],
    ['nobody@florka.test', 'six-or-more'],
    ['none@florka.test', 'six-or-more'],
  ] as const) {
    vi.mocked(verifyPassword).mockClear();
    answers.push((await memberByPassword(app.services.db, email, password))?.id ?? null);
    expect(vi.mocked(verifyPassword)).toHaveBeenCalledOnce();
    sizes.add(vi.mocked(verifyPassword).mock.calls[0]?.[0].hash.split('$').slice(0, 4).join('$'));
  }
  expect(answers).toEqual([id, null, null, null]);
  expect([...sizes]).toEqual([(await hashPassword('any')).split('$').slice(0, 4).join('$')]);
});

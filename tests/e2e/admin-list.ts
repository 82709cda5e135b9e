// Helpers of the scenarios about the back office's lists.
import type { APIRequestContext, Page } from '@playwright/test';
import { expect } from './support.ts';

export const key = () => Date.now().toString(36);
export const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
export const asking = async (request: APIRequestContext, username: string) => {
  const data = { email: `${username}@florka.test`, password: 'a-good-password', username, requestModerator: true };
  expect((await request.post('/api/auth/sign-up', { data })).status()).toBe(200);
  return data.email;
};

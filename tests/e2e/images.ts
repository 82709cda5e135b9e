import { type APIRequestContext, expect } from '@playwright/test';

/** An image of 8 by 8 pixels. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGM4ESCCFTEMLQkAe3tLAd0ehu8AAAAASUVORK5CYII=',
  'base64',
);

/** Uploads `PNG` as the editor who is signed in; every upload is an image of its own. */
export async function uploadPng(request: APIRequestContext): Promise<{ id: string; url: string }> {
  const answer = await request.post('/uploads?bucket=project-images', {
    headers: { 'content-type': 'image/png' },
    data: PNG,
  });
  expect(answer.status()).toBe(201);
  return (await answer.json()) as { id: string; url: string };
}

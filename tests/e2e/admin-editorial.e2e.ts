import type { Page } from '@playwright/test';
import { a11yViolations, expect, expectNotice, listening, signInAsAdmin, test, visit } from './support.ts';

/** As the date fields take it, in the browser's own time. */
const typed = (ms: number) => {
  const at = new Date(ms);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(at.getDate())}/${two(at.getMonth() + 1)}/${at.getFullYear()} ${two(at.getHours())}:${two(at.getMinutes())}`;
};

async function looksRight(page: Page, name: string) {
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(width);
  }
  expect(await a11yViolations(page)).toEqual([]);
}

const draft = (page: Page, title: string) =>
  page.request.post('/api/admin/news', {
    data: { title, content: 'Un texto que **espera**.' },
    headers: { origin: new URL(page.url()).origin },
  });

test('a draft gets a schedule, which refuses a removal before the publication, and is shown to others by a preview link', async ({
  page,
  browser,
  pageErrors,
}) => {
  pageErrors.expectStatus(422);
  pageErrors.expectStatus(404);
  await signInAsAdmin(page);
  await visit(page, '/admin/news');
  expect((await draft(page, 'Noticia que espera')).ok()).toBe(true);
  await page.reload();
  await page.getByRole('button', { name: 'Programar Noticia que espera' }).click();
  const dialog = page.getByRole('dialog', { name: 'Programar Noticia que espera' });
  await dialog.getByLabel('Se publica').fill(typed(Date.now() + 3_600_000));
  await dialog.getByLabel('Se retira').fill(typed(Date.now() + 1_800_000));
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await expect(dialog.getByText('Se retiraría antes de publicarse', { exact: false })).toBeVisible();
  await dialog.getByLabel('Se retira').fill(typed(Date.now() + 7_200_000));
  await dialog.getByRole('button', { name: 'Crear enlace' }).click();
  const link = dialog.getByRole('link', { name: 'Abrir' });
  const path = (await link.getAttribute('href')) ?? '';
  await looksRight(page, 'schedule');
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await expectNotice(page, 'Programación guardada');
  await expect(page.getByText(/^Se publica .+/).first()).toBeVisible();

  const context = await browser.newContext();
  const reader = await context.newPage();
  await reader.goto(new URL(path, page.url()).href);
  await expect(reader.getByRole('heading', { name: 'Noticia que espera' })).toBeVisible();
  await expect(reader.getByText('Ahora no es público')).toBeVisible();
  await looksRight(reader, 'preview');
  await page.getByRole('button', { name: 'Programar Noticia que espera' }).click();
  await expect(dialog.getByText('Funciona 1 enlace, hasta', { exact: false })).toBeVisible();
  await dialog.getByRole('button', { name: 'Retirar el enlace' }).click();
  await expectNotice(page, 'Enlace retirado');
  await expect(dialog.getByText('Funciona 1 enlace', { exact: false })).toHaveCount(0);
  await expect(dialog.getByRole('button', { name: 'Crear enlace' })).toBeVisible();
  await reader.reload();
  await expect(reader.getByRole('heading', { name: 'Este enlace ya no muestra nada' })).toBeVisible();
  await expect(reader.getByText('lo retiraron', { exact: false })).toBeVisible();
  await reader.goto(new URL('/en/preview/nothing', page.url()).href);
  await expect(reader.getByRole('heading', { name: 'This link shows nothing any more' })).toBeVisible();
  await context.close();
});

test('a scheduled news item appears on an open page of a visitor at its time', async ({ page, browser }) => {
  await signInAsAdmin(page);
  await visit(page, '/admin/news');
  const made = await draft(page, 'Sale a su hora');
  const { id } = (await made.json()) as { id: string };
  const context = await browser.newContext();
  const reader = await context.newPage();
  await reader.goto(new URL('/news', page.url()).href);
  await listening(reader);
  await expect(reader.getByText('Sale a su hora')).toHaveCount(0);
  const answer = await page.request.put(`/api/admin/schedules/news/${id}`, {
    data: { version: 1, publishAt: new Date(Date.now() + 4_000).toISOString(), expireAt: null },
    headers: { origin: new URL(page.url()).origin },
  });
  expect(answer.ok()).toBe(true);
  const row = page.getByRole('row').filter({ hasText: 'Sale a su hora' });
  await visit(page, '/admin/news');
  await expect(row).toBeVisible();
  await expect(reader.getByText('Sale a su hora').first()).toBeVisible({ timeout: 90_000 });
  // An open list of the back office shows no moment that has passed.
  await expect(row.getByText('Activa', { exact: true })).toBeVisible();
  await expect(row.getByText(/^Se publica/)).toHaveCount(0);
  expect(await (await page.request.get('/news')).text()).toContain('Sale a su hora');
  await context.close();
});

test('a NEXT project is scheduled on its card, and appears and disappears on an open page of a visitor at its times', async ({
  page,
  browser,
}) => {
  await signInAsAdmin(page);
  await visit(page, '/admin/next-projects');
  const name = `Gigante ${Date.now().toString(36)}`;
  const made = await page.request.post('/api/admin/next-projects', {
    data: { tokenName: name, tokenSymbol: 'GIG', description: 'Espera su hora.', status: 'pending', isActive: true },
    headers: { origin: new URL(page.url()).origin },
  });
  expect(made.ok(), await made.text()).toBe(true);
  const { id, version } = (await made.json()) as { id: string; version: number };
  await visit(page, `/admin/next-projects?q=${encodeURIComponent(name)}`);
  await page.getByRole('button', { name: `Programar ${name}` }).click();
  const dialog = page.getByRole('dialog', { name: `Programar ${name}` });
  await dialog.getByLabel('Se publica').fill(typed(Date.now() + 3_600_000));
  await dialog.getByRole('button', { name: 'Crear enlace' }).click();
  const path = (await dialog.getByRole('link', { name: 'Abrir' }).getAttribute('href')) ?? '';
  await looksRight(page, 'schedule of a launch');
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await expectNotice(page, 'Programación guardada');
  await expect(page.getByText(/^Se publica .+/).first()).toBeVisible();

  const context = await browser.newContext();
  const reader = await context.newPage();
  await reader.goto(new URL(path, page.url()).href);
  await expect(reader.getByRole('heading', { name })).toBeVisible();
  await reader.goto(new URL('/next', page.url()).href);
  await listening(reader);
  await expect(reader.getByText(name)).toHaveCount(0);
  const plan = async (publishAt: string | null, expireAt: string | null) => {
    const found = await page.request.get(`/api/admin/next-projects?q=${encodeURIComponent(name)}`);
    const [row] = ((await found.json()) as { rows: { version: number }[] }).rows;
    const answer = await page.request.put(`/api/admin/schedules/next_project/${id}`, {
      data: { version: row?.version, publishAt, expireAt },
      headers: { origin: new URL(page.url()).origin },
    });
    expect(answer.ok(), await answer.text()).toBe(true);
  };
  expect(version).toBe(1);
  await plan(new Date(Date.now() + 3_000).toISOString(), null);
  await expect(reader.getByText(name).first()).toBeVisible({ timeout: 60_000 });
  await plan(null, new Date(Date.now() + 3_000).toISOString());
  await expect(reader.getByText(name)).toHaveCount(0, { timeout: 60_000 });
  await context.close();
});

test('an announcement appears and disappears on an open page of a visitor at its scheduled times', async ({
  page,
  browser,
}) => {
  await signInAsAdmin(page);
  await visit(page, '/admin/settings');
  const context = await browser.newContext();
  const reader = await context.newPage();
  await reader.goto(new URL('/about', page.url()).href);
  await listening(reader);
  const save = async (values: Record<string, string | null>) => {
    const all = (await (await page.request.get('/api/admin/settings')).json()) as { name: string; version: number }[];
    const changes = Object.entries(values).map(([name, value]) => ({
      name,
      value,
      version: all.find((one) => one.name === name)?.version ?? 0,
    }));
    const answer = await page.request.put('/api/admin/settings', {
      data: { changes },
      headers: { origin: new URL(page.url()).origin },
    });
    expect(answer.ok(), await answer.text()).toBe(true);
  };
  const shown = reader.getByText('La feria cierra a medianoche.');
  const later = (ms: number) => new Date(Date.now() + ms).toISOString();
  await save({
    bannerEs: 'La feria cierra a medianoche.',
    bannerEn: 'The fair closes at midnight.',
    bannerFrom: later(3_600_000),
  });
  await reader.reload();
  await listening(reader);
  await expect(shown).toHaveCount(0);
  await save({ bannerFrom: later(3_000) });
  await expect(shown).toBeVisible({ timeout: 60_000 });
  await save({ bannerUntil: later(3_000) });
  await expect(shown).toBeHidden({ timeout: 60_000 });
  await save({ bannerEs: null, bannerEn: null, bannerFrom: null, bannerUntil: null });
  await context.close();
});

test('an earlier version shows its differences and can be restored, also after somebody else saved meanwhile', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expectStatus(409);
  await signInAsAdmin(page);
  await visit(page, '/admin/news');
  const made = (await (await draft(page, 'Con versiones')).json()) as { id: string };
  const write = async (version: number, content: string) => {
    const answer = await page.request.put(`/api/admin/news/${made.id}`, {
      data: { version, title: 'Con versiones', content },
      headers: { origin: new URL(page.url()).origin },
    });
    expect(answer.ok()).toBe(true);
  };
  await write(1, 'Un texto que **cambia**.');
  await page.reload();
  await page.getByRole('button', { name: 'Historial de Con versiones' }).click();
  const dialog = page.getByRole('dialog', { name: 'Historial: Con versiones' });
  await dialog.getByText('Diferencias con la de ahora').click();
  await expect(dialog.locator('del', { hasText: 'espera' }).first()).toBeVisible();
  await looksRight(page, 'versions');
  await dialog.getByRole('button', { name: 'Restaurar la versión 1' }).click();
  const question = page.getByRole('alertdialog', { name: '¿Restaurar la versión 1?' });
  await expect(question).toBeVisible();
  // Somebody saves while the question is open.
  await write(2, 'Un texto de **otra** persona.');
  await question.getByRole('button', { name: 'Restaurar', exact: true }).click();
  const conflict = page.getByRole('alertdialog', { name: 'Otra persona guardó antes' });
  await expect(conflict.locator('del', { hasText: 'otra' }).first()).toBeVisible();
  await looksRight(page, 'conflict');
  await conflict.getByRole('button', { name: 'Restaurar de todos modos' }).click();
  await expectNotice(page, 'Versión 1 restaurada');
  const read = await page.request.get(`/api/admin/news/${made.id}`);
  expect(await read.json()).toMatchObject({ content: 'Un texto que **espera**.' });
});

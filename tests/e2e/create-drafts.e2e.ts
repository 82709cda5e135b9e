import sharp from 'sharp';
import { a11yViolations, expect, expectNotice, ready, signUp, test, visit } from './support.ts';
import { fill, guest, heading, linkOf, next, query, rowOf, saved, wizardScenarios } from './wizard.ts';

wizardScenarios();

test('a second device continues a draft by its private link, and neither device overwrites the other without a confirmation [CREATE-71] [AMB-14]', async ({
  page,
  browser,
  pageErrors,
}) => {
  pageErrors.expectStatus(409);
  await visit(page, '/create');
  const name = await fill(page);
  await next(page).click();
  await saved(page);
  // The page can show the first step as saved before the second one is stored.
  await expect.poll(() => linkOf(page)).toMatch(/\/create#[0-9a-f-]{36}\.[\w-]{43}\.2$/);
  const link = await linkOf(page);

  const there = await guest(browser);
  there.pageErrors.expectStatus(409);
  await visit(there.page, link);
  await expectNotice(there.page, 'Borrador abierto: sigue donde lo dejaste.');
  await expect(heading(there.page, 'Mercado')).toBeVisible();
  // The secret does not stay in the address bar, nor in the history.
  expect(there.page.url()).not.toContain('#');
  await there.page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(there.page.getByLabel('Name', { exact: true })).toHaveValue(name);

  await there.page.getByLabel('Description', { exact: true }).fill('Escrito allí.');
  await expect.poll(async () => (await rowOf(name))[0]?.token_data.description).toBe('Escrito allí.');
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.getByLabel('Description', { exact: true }).fill('Escrito aquí.');
  const question = page.getByRole('alertdialog', { name: 'Cambiaste lo mismo en dos dispositivos' });
  await expect(question).toBeVisible();
  await expect(question).toContainText('Escrito aquí.');
  await expect(question).toContainText('Escrito allí.');
  expect(await a11yViolations(page, '[role=alertdialog]')).toEqual([]);
  expect((await rowOf(name))[0]?.token_data.description).toBe('Escrito allí.');
  await question.getByRole('button', { name: 'Quedarme con la de aquí' }).click();
  await expect.poll(async () => (await rowOf(name))[0]?.token_data.description).toBe('Escrito aquí.');

  // The other device gets the conflict with its next save, and takes the other side this time.
  await there.page.getByLabel('Description', { exact: true }).fill('Otra vez allí.');
  const reply = there.page.getByRole('alertdialog');
  await reply.getByRole('button', { name: 'Usar la del otro' }).click();
  await expect(there.page.getByLabel('Description', { exact: true })).toHaveValue('Escrito aquí.');

  // An invalid link, and a link opened while another draft is open.
  there.pageErrors.expectStatus(404);
  await there.page.goto(`/create#${link.split('#')[1]?.replace(/\.[\w-]{43}/, `.${'x'.repeat(43)}`)}`);
  await ready(there.page);
  await expectNotice(there.page, 'Este enlace no abre ningún borrador');
  await expect(there.page.getByLabel('Name', { exact: true })).toHaveValue(name);
  const third = await guest(browser);
  await visit(third.page, '/create');
  await third.page.getByLabel('Name', { exact: true }).fill('El mío');
  await third.page.goto(link);
  await ready(third.page);
  const choice = third.page.getByRole('dialog', { name: 'Ya hay un borrador en este dispositivo' });
  await choice.getByRole('button', { name: 'Abrir el del enlace' }).click();
  await expect(heading(third.page, 'Mercado')).toBeVisible();
  await third.page.getByRole('button', { name: 'Cambiar a ese' }).click();
  await expect(third.page.getByLabel('Name', { exact: true })).toHaveValue('El mío');
  expect([...there.pageErrors.seen, ...third.pageErrors.seen]).toEqual([]);
  await there.context.close();
  await third.context.close();
});

test('a draft survives a reload, a closed tab, a lost network and an ended session [CREATE-69] [CREATE-74] [AMB-64]', async ({
  page,
  context,
  pageErrors,
}) => {
  const person = await signUp(context.request);
  await visit(page, '/create');
  const name = await fill(page);
  await page.reload();
  await ready(page);
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(name);
  await expect(page.getByLabel('Usuario de Telegram', { exact: true })).toHaveValue('@ana');
  expect(await rowOf(name)).toEqual([]);
  await next(page).click();
  await saved(page);
  expect((await rowOf(name))[0]).toMatchObject({ status: 'incomplete', user_id: person.id });

  // The session ends elsewhere; the draft continues with its own secret.
  await query('delete from sessions where user_id = $1', [person.id]);
  await context.clearCookies();
  await page.getByLabel('Duración de la venta inicial').fill('30 días');
  await expect.poll(async () => (await rowOf(name))[0]?.token_data.initialSaleLength).toBe('30 días');

  // Without a network there is a small notice, and Next still works.
  await page.route('**/rpc/tokenRequests/save', (route) => route.abort());
  pageErrors.seen.length = 0;
  await page.getByLabel('Duración de la venta inicial').fill('40 días');
  await expect(page.getByText(/Sin guardar en el servidor/).first()).toBeVisible();
  await next(page).click();
  await expect(heading(page, 'Redes y contacto')).toBeVisible();
  await page.getByLabel('Discord').fill('discord.gg/ajo');
  const offline = page.url();
  await page.close();
  const again = await context.newPage();
  await visit(again, offline);
  await expect(again.getByLabel('Discord')).toHaveValue('discord.gg/ajo');
  await expect
    .poll(async () => (await rowOf(name))[0]?.token_data, { timeout: 12_000 })
    .toMatchObject({ initialSaleLength: '40 días', discord: 'discord.gg/ajo' });
  expect(pageErrors.seen.filter((line) => !line.includes('ERR_FAILED'))).toEqual([]);
  pageErrors.seen.length = 0;
});

test('a guest’s image is uploaded by drag and drop, shown, kept over a change of step, and removed [CREATE-15..17] [MEDIA-01] [MEDIA-02] [MEDIA-05] [ERR-13..15]', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expectStatus(500);
  await visit(page, '/create');
  const name = await fill(page);
  const picture = await sharp({ create: { width: 60, height: 60, channels: 3, background: '#ffb627' } })
    .png()
    .toBuffer();
  const file = (bytes: Buffer, fileName = 'a.png') => ({ name: fileName, mimeType: 'image/png', buffer: bytes });
  const input = page.locator('input[type=file]');
  await input.setInputFiles(file(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')));
  await expectNotice(
    page,
    'Error al subir imagen',
    'Tipo de archivo no permitido. Solo se permiten JPG, PNG, WebP y GIF.',
  );
  await input.setInputFiles(file(Buffer.alloc(5 * 1024 * 1024 + 1)));
  await expectNotice(page, 'Error al subir imagen', 'El archivo es demasiado grande. Máximo 5MB.');

  // Dropped, and still uploading while the form continues.
  // The upload can begin after it was released: the draft is stored first.
  const released = Promise.withResolvers<void>();
  await page.route('**/uploads?bucket=token-images', async (route) => {
    await released.promise;
    await route.continue();
  });
  const transfer = await page.evaluateHandle(
    (bytes) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(bytes)], 'a.png', { type: 'image/png' }));
      return data;
    },
    [...picture],
  );
  await page.getByText('o suéltala aquí').dispatchEvent('drop', { dataTransfer: transfer });
  await expect(page.getByRole('progressbar', { name: 'Subiendo imagen' })).toBeVisible();
  await next(page).click();
  await expect(heading(page, 'Mercado')).toBeVisible();
  released.resolve();
  await expectNotice(page, 'Imagen subida exitosamente');
  await expect.poll(async () => (await rowOf(name))[0]?.token_data.imageUrl).toMatch(/^\/media\//);
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(page.getByRole('img', { name: 'Vista previa de la imagen' })).toHaveAttribute('src', /^\/media\//);
  await page.route('**/rpc/tokenRequests/removeImage', (route) => route.fulfill({ status: 500, json: {} }));
  await page.getByRole('button', { name: 'Quitar imagen' }).click();
  await expectNotice(page, 'Error al eliminar imagen', 'No se pudo eliminar la imagen.');
  await expect(page.getByRole('img', { name: 'Vista previa de la imagen' })).toBeVisible();
  await page.reload();
  await ready(page);
  await page.getByRole('button', { name: 'Quitar imagen' }).click();
  await expect.poll(async () => (await rowOf(name))[0]?.token_data.imageUrl).toBe('');
  await expect
    .poll(
      async () =>
        (
          await query('select 1 from media where owner_draft_id = $1 and deleted_at is null', [
            (await rowOf(name))[0]?.id,
          ])
        ).rowCount,
    )
    .toBe(0);
});

import {
  a11yViolations,
  expect,
  expectNotice,
  heldRequest,
  otherBrowser,
  signInAsAdmin,
  test,
  visit,
} from './support.ts';

test.describe.configure({ timeout: 180_000 });

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg==',
  'base64',
);

test('the library shows where an image is used and replaces it everywhere, and unused images are deleted and restored', async ({
  page,
  browser,
  pageErrors,
}) => {
  await signInAsAdmin(page);
  const upload = async () => {
    const answer = await page.request.post('/uploads?bucket=project-images', {
      headers: { 'content-type': 'image/png' },
      data: PNG,
    });
    expect(answer.status()).toBe(201);
    return (await answer.json()) as { id: string; url: string };
  };
  const shown = await upload();
  const title = `Foto ${Date.now().toString(36)}`;
  for (const one of ['uno', 'dos'])
    expect(
      (
        await page.request.post('/api/admin/news', {
          data: { title: `${title} ${one}`, content: 'x', imageUrl: shown.url, isActive: true },
        })
      ).ok(),
    ).toBe(true);
  await visit(page, '/admin/media');
  const card = page.getByRole('article').filter({ hasText: title });
  await expect(card.getByText('Se muestra en 2 sitios')).toBeVisible();
  await expect(card.getByRole('link', { name: `${title} uno` })).toHaveAttribute('href', /\/admin\/news\?q=/);
  expect(await a11yViolations(page)).toEqual([]);

  // An image that is still loading when its address is removed would be reported as an error of the page.
  const loaded = () =>
    expect
      .poll(() =>
        page
          .getByRole('article')
          .locator('img')
          .evaluateAll((all) =>
            all
              .filter((one) => one.getBoundingClientRect().top < innerHeight)
              .every((one) => (one as HTMLImageElement).complete),
          ),
      )
      .toBe(true);
  await loaded();

  // A visitor sees the new image in both news at once, and the old address ends.
  await card.getByRole('button', { name: /^Sustituir/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Sustituir la imagen' });
  await expect(dialog.getByText('Después nada muestra la de ahora')).toBeVisible();
  await dialog.getByRole('button', { name: 'Sustituir' }).click();
  await expect(dialog.getByText('Sube la imagen nueva.')).toBeVisible();
  // Pressed while the image is still uploading, the button does nothing but say so.
  const release = await heldRequest(page, '**/uploads?*');
  const file = dialog.locator('input[type=file]');
  await file.setInputFiles({ name: 'new.png', mimeType: 'image/png', buffer: PNG });
  await expect(dialog.getByRole('progressbar')).toBeVisible();
  await dialog.getByRole('button', { name: 'Sustituir' }).click();
  const early = dialog.getByText('La imagen aún se está subiendo. Envía el formulario cuando haya llegado.');
  await expect(early).toBeVisible();
  await expect(file).toBeFocused();
  release();
  await expectNotice(page, 'Imagen subida exitosamente');
  await expect(early).toHaveCount(0);
  // The replaced image no longer exists: reading it again would fail.
  const readAgain: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/rpc/admin/media/read')) readAgain.push(request.url());
  });
  await dialog.getByRole('button', { name: 'Sustituir' }).click();
  await expectNotice(page, 'Imagen sustituida', 'En 2 registros.');
  expect(readAgain).toEqual([]);
  const visitor = await otherBrowser(browser);
  const pictured = async () => {
    const news = (await (await visitor.request.get('/api/news?limit=20')).json()) as {
      items: { title: string; imageUrl: string }[];
    };
    return news.items.filter((item) => item.title.startsWith(title)).map(({ imageUrl }) => imageUrl);
  };
  await expect.poll(async () => (await pictured()).filter((url) => url !== shown.url).length).toBe(2);
  const [fresh = '', other] = await pictured();
  expect(other).toBe(fresh);
  expect((await visitor.request.get(shown.url)).status()).toBe(404);
  expect((await visitor.request.get(fresh)).status()).toBe(200);

  // Unused ones: two into the trash at once, reported one by one, and back.
  const [one, two] = [await upload(), await upload()];
  await visit(page, '/admin/media?show=unused');
  const boxes = page.getByRole('checkbox', { name: /^Elegir imagen de/ });
  await expect(boxes.nth(1)).toBeVisible();
  const theirs = await visitor.newPage();
  await signInAsAdmin(theirs);
  await visit(theirs, '/admin/media?show=unused');
  const listed = await page.getByRole('article').count();
  await expect(theirs.getByRole('article')).toHaveCount(listed);
  await loaded();
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  await page.getByRole('button', { name: 'A la papelera', exact: true }).first().click();
  const report = page.getByRole('dialog', { name: 'Resultado' });
  await expect(report.getByText('2 de 2 hechos')).toBeVisible();
  // A colleague's open library is updated.
  await expect(theirs.getByRole('article')).toHaveCount(listed - 2);
  expect((await visitor.request.get(one.url)).status()).toBe(404);
  expect((await visitor.request.get(two.url)).status()).toBe(404);
  await report.getByRole('button', { name: 'Deshacer' }).click();
  await expect(report.getByText('Deshecho: 2 de 2')).toBeVisible();
  await expect(theirs.getByRole('article')).toHaveCount(listed);
  await report.getByRole('button', { name: 'Cerrar' }).click();
  expect((await visitor.request.get(one.url)).status()).toBe(200);

  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  // A list that cannot be read shows an error and is read again.
  pageErrors.expectStatus(500);
  await page.route('**/rpc/admin/media/list', (route) => route.fulfill({ status: 500, json: {} }));
  await visit(page, '/admin/media');
  await expect(page.getByRole('alert').getByText(/No se pudieron leer las imágenes/)).toBeVisible({ timeout: 30_000 });
  await page.unroute('**/rpc/admin/media/list');
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect(page.getByRole('article').first()).toBeVisible();
  // The hint of the search is read whole at every width. Last, because other widths load other sizes of images.
  const hidden = () =>
    page.getByRole('searchbox').evaluate((field: HTMLInputElement) => {
      const style = getComputedStyle(field);
      const pen = document.createElement('canvas').getContext('2d');
      if (!pen) return Number.NaN;
      pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
      const room = field.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
      return Math.max(0, pen.measureText(field.placeholder).width - room);
    });
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await hidden(), `${width} px`).toBe(0);
  }
  await visitor.close();
});

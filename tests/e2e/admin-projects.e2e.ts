import type { Page } from '@playwright/test';
import sharp from 'sharp';
import {
  a11yViolations,
  expect,
  expectAfterRetries,
  expectNotice,
  held,
  listening,
  notice,
  otherBrowser,
  signInAsAdmin,
  signUp,
  test,
  visit,
} from './support.ts';

const key = () => Date.now().toString(36);
const rowWith = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
const CHANGED = 'Otra persona lo cambió mientras tanto. Mira cómo está ahora y vuelve a intentarlo.';
const SCREENS = ['/admin/projects', '/admin/projects-api', '/admin/next-projects', '/admin/next-projects-api'];

interface Made {
  id: string;
  version: number;
  tokenName: string;
}

test('the screens of projects are for admins only, fit a phone, and report failed reads [A-PROJ-13] [A-PROJ-14] [A-NEXT-17] [A-NEXT-18] [AMB-113] [APP-24..27] [MEDIA-15]', async ({
  page,
  request,
  pageErrors,
}) => {
  test.setTimeout(120_000);
  pageErrors.expectStatus(401, 403, 500);
  const member = await signUp(request);
  await page.request.post('/api/auth/sign-in', { data: { email: member.email, password: member.password } });
  for (const path of SCREENS) expect((await visit(page, path))?.status()).toBe(403);

  await signInAsAdmin(page);
  await page.setViewportSize({ width: 360, height: 800 });
  for (const path of SCREENS) {
    await visit(page, path);
    const title = path.includes('next') ? /Gestión de Proyectos NEXT/ : /Gestión de Proyectos/;
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Volver al Dashboard' })).toBeVisible();
    await expect(page.locator('.skeleton')).toHaveCount(0);
    expect(await fits(page)).toBeLessThanOrEqual(0);
    expect(await a11yViolations(page)).toEqual([]);
  }
  // The form on a phone.
  await page.getByRole('button', { name: 'Nuevo Proyecto NEXT' }).click();
  const form = page.getByRole('dialog');
  await expect(form.getByText('PNG, JPG, GIF max 5MB')).toBeVisible();
  expect(await fits(page)).toBeLessThanOrEqual(0);
  expect(await a11yViolations(page, '[role=dialog]')).toEqual([]);
  await form.getByRole('button', { name: 'Cancelar' }).click();

  // The empty state, then the failed read.
  await page.route('**/rpc/admin/*rojects/list*', (route) => route.fulfill({ json: { json: { rows: [], total: 0 } } }));
  await visit(page, '/admin/projects');
  await expect(page.getByText('No hay proyectos registrados todavía.')).toBeVisible();
  await visit(page, '/admin/next-projects');
  await expect(page.getByText('No hay proyectos NEXT')).toBeVisible();
  // A certified winner can be graduated from here; without one the way leads to the round [A-NEXT-18].
  const winner = { id: crypto.randomUUID(), roundId: crypto.randomUUID(), roundNumber: 3, totalVotes: 12 };
  const shown = { tokenName: 'Certificado', tokenSymbol: 'CERT', imageUrl: null, reachedAt: null, closedEarly: null };
  const current = { round: null, leaders: [], winner: { ...winner, ...shown }, serverTime: new Date().toISOString() };
  await page.route('**/rpc/admin/rounds/current*', (route) => route.fulfill({ json: { json: current } }));
  await visit(page, '/admin/next-projects');
  await page.getByRole('button', { name: 'Graduar ganador' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question.getByText(/votos?/).first()).toBeVisible();
  await question.getByRole('button', { name: 'Cancelar' }).click();
  await page.unroute('**/rpc/admin/rounds/current*');
  await page.route('**/rpc/admin/rounds/current*', (route) =>
    route.fulfill({ json: { json: { ...current, winner: null } } }),
  );
  await visit(page, '/admin/next-projects');
  await expect(page.getByRole('link', { name: 'Graduar ganador' })).toHaveAttribute('href', '/admin/votes');
  await page.unroute('**/rpc/admin/rounds/current*');
  await page.unroute('**/rpc/admin/*rojects/list*');
  await page.route('**/rpc/admin/*rojects/list*', (route) => route.fulfill({ status: 500, json: {} }));
  await page.clock.install();
  await visit(page, '/admin/projects');
  await expectAfterRetries(page, page.getByText(/^Error al cargar los proyectos: /));
  await visit(page, '/admin/next-projects');
  await expectAfterRetries(page, page.getByText(/^Error al cargar proyectos: /));
  await page.unroute('**/rpc/admin/*rojects/list*');
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await expect(page.getByRole('button', { name: /^Editar / }).first()).toBeVisible();
});

test('a project is created, published on home and in the Top 3, and deleted and restored, and the open home page of a visitor is updated [A-PROJ-01..11] [A-PROJ-15..43] [A-PROJ-60..64] [ERR-57] [ERR-63] [ERR-69] [ERR-75..78] [MEDIA-04]', async ({
  page,
  browser,
  pageErrors,
}) => {
  test.setTimeout(90_000);
  pageErrors.expectStatus(409, 422);
  const name = `Quetzal ${key()}`;
  await signInAsAdmin(page);
  const podium = (await (await page.request.get('/api/projects/podium')).json()) as { id: string }[];
  for (const { id } of podium)
    expect((await page.request.put(`/api/admin/projects/${id}/top3`, { data: { on: false } })).status()).toBe(200);
  await visit(page, '/admin/projects');
  const heading = page.getByRole('heading', { level: 1, name: /Gestión de Proyectos/ });
  await expect(heading.getByText(/\d+ proyectos/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Volver al Dashboard' })).toHaveAttribute('href', '/admin');
  const columns = ['Token', 'Símbolo', 'Dirección', 'Estado', 'Top 3', 'Creado', 'Acciones'];
  await expect
    .poll(async () => (await page.getByRole('columnheader').allInnerTexts()).filter(Boolean))
    .toEqual(columns);
  await expect(page.getByRole('link', { name: 'Exportar CSV' })).toHaveAttribute('href', /sort=-createdAt/);
  const again = page.waitForResponse('**/rpc/admin/projects/list*');
  await page.getByRole('button', { name: 'Actualizar', exact: true }).click();
  await again;

  // Invalid input first: each error is beside its field, and no input is lost.
  await page.getByRole('button', { name: 'Nuevo Proyecto' }).click();
  const form = page.getByRole('dialog', { name: 'Nuevo Proyecto' });
  for (const section of ['Información Básica', 'Estadísticas del Proyecto', 'Datos de precio', 'Notas internas'])
    await expect(form.getByRole('group', { name: section, exact: true })).toBeVisible();
  const image = form.getByRole('group', { name: 'Imagen del Proyecto' });
  for (const way of ['Subir archivo', 'URL manual']) await expect(image.getByText(way, { exact: true })).toBeVisible();
  const links = form.getByRole('group', { name: 'Enlaces de Redes Sociales' });
  for (const name of ['Sitio web', 'Telegram', 'Twitter / X', 'Discord'])
    await expect(links.getByLabel(name)).toBeVisible();
  const settings = form.getByRole('group', { name: 'Configuración y Estado' });
  expect(await settings.getByLabel('Estado').locator('option').allInnerTexts()).toEqual([
    'Pendiente',
    'Aprobado',
    'Rechazado',
    'Publicado en Home',
    'Publicado en Next (Próximos)',
  ]);
  await expect(settings.getByLabel('Estado')).toHaveValue('pending');
  await expect(settings.getByLabel('Orden de aparición')).toHaveValue('999');
  await expect(settings.getByRole('checkbox', { name: 'Destacado' })).not.toBeChecked();
  await expect(settings.getByText(/estrellas del Top 3 en Home/)).toBeVisible();
  await expect(form.getByLabel('Dirección del contrato')).toHaveAccessibleDescription(/proveedor de datos de precio/);
  await expect(form.getByLabel('Notas del equipo')).toHaveAccessibleDescription('Solo las ve el equipo.');
  await form.getByLabel('Progreso (%)').fill('101');
  await form.getByRole('button', { name: 'Crear' }).click();
  for (const words of [
    'El nombre del token es requerido',
    'El símbolo del token es requerido',
    'La dirección del token es requerida',
    'El progreso no puede ser mayor a 100',
  ])
    await expect(form.getByText(words, { exact: true })).toBeVisible();
  await expect(form.getByLabel('Nombre del token')).toBeFocused();
  await form.getByLabel('Nombre del token').fill(name);
  await form.getByLabel('Símbolo del token').fill('qtz');
  await form.getByLabel('Dirección del token').fill('short');
  await form.getByLabel('Progreso (%)').fill('40');
  await form.getByRole('button', { name: 'Crear' }).click();
  await expect(form.getByText('Dirección muy corta')).toBeVisible();
  await form.getByLabel('Dirección del token').fill(`address-of-${name}`);
  // An address that the server must not fetch, then a file.
  await form.getByText('URL manual').click();
  await form.getByLabel('URL de la imagen').fill('https://127.0.0.1/image.png');
  await form.getByRole('button', { name: 'Crear' }).click();
  await expect(form.getByText('Esa dirección no es de la internet pública.')).toBeVisible();
  await expectNotice(page, 'Error al crear proyecto', 'Esa dirección no es de la internet pública.');
  await form.getByText('Subir archivo').click();
  const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#7a3' } })
    .png()
    .toBuffer();
  const sent = page.waitForRequest('**/uploads?bucket=project-images');
  await form.locator('input[type=file]').setInputFiles({ name: 'q.png', mimeType: 'image/png', buffer: png });
  await sent;
  await expectNotice(page, 'Imagen subida exitosamente');
  expect(await a11yViolations(page, '[role=dialog]')).toEqual([]);
  const release = await held(page, 'projects/create');
  await form.getByRole('button', { name: 'Crear' }).click();
  await expect(form.getByRole('button', { name: 'Guardando...' })).toHaveAttribute('aria-busy', 'true');
  release();
  await expectNotice(page, 'Proyecto creado');
  await expect(form).toHaveCount(0);

  const row = rowWith(page, name);
  await expect(row.getByText('address-of…')).toBeVisible();
  await expect(row.getByText('Pendiente')).toBeVisible();
  for (const action of ['Ver', 'Editar', 'Eliminar'])
    await expect(row.getByRole('button', { name: `${action} ${name}`, exact: true })).toBeVisible();
  await expect(row.getByRole('checkbox', { name: `Top 3: ${name}`, exact: true })).toBeDisabled();

  // From the details to the form: the project is published on home, and open pages of visitors are updated.
  const visitor = await (await otherBrowser(browser)).newPage();
  await visit(visitor, '/');
  await listening(visitor);
  await page.getByRole('button', { name: `Ver ${name}` }).click();
  const details = page.getByRole('dialog', { name: `Detalles de ${name}` });
  await expect(details.getByText('$QTZ')).toBeVisible();
  expect(await a11yViolations(page, '[role=dialog]')).toEqual([]);
  await details.getByRole('button', { name: 'Editar' }).click();
  const edit = page.getByRole('dialog', { name: `Editar ${name}` });
  await edit.getByLabel('Estado').selectOption('Publicado en Home');
  await edit.getByRole('button', { name: 'Actualizar' }).click();
  await expectNotice(page, 'Proyecto actualizado');
  await row.getByRole('checkbox', { name: `Top 3: ${name}`, exact: true }).click();
  await expectNotice(page, 'Top 3 actualizado');
  await expect(row.getByText('Lugar 1')).toBeVisible();
  await expect(visitor.getByRole('main').getByText(name).first()).toBeVisible();
  await visitor.context().close();

  // Three are the maximum; the fourth one is refused.
  const made: Made[] = [];
  for (let i = 0; i < 3; i++) {
    const answer = await page.request.post('/api/admin/projects', {
      data: {
        tokenName: `${name} ${i}`,
        tokenSymbol: 'QT',
        resemblanceAccepted: true,
        tokenAddress: `address-of-${name}-${i}`,
        status: 'published_home',
      },
    });
    expect(answer.status()).toBe(200);
    made.push((await answer.json()) as Made);
  }
  for (const { id } of made.slice(0, 2))
    await page.request.put(`/api/admin/projects/${id}/top3`, { data: { on: true } });
  const fourth = page.getByRole('checkbox', { name: `Top 3: ${name} 2` });
  await fourth.click();
  await expectNotice(
    page,
    'Límite alcanzado',
    'Solo se pueden tener 3 proyectos en el Top 3. Desselecciona otro proyecto primero.',
  );
  await expect(fourth).not.toBeChecked();

  // Two editors: the second one sees what the first one saved.
  await page.getByRole('button', { name: `Editar ${name} 2` }).click();
  const mine = page.getByRole('dialog', { name: `Editar ${name} 2` });
  await mine.getByLabel('Capitalización').fill('$2M');
  const [, , third] = made as [Made, Made, Made];
  await mine.getByLabel('Descripción', { exact: true }).fill('Escrita por mí.');
  const theirs = { version: third.version, marketCap: '$1M', websiteUrl: 'https://quetzal.example' };
  expect((await page.request.put(`/api/admin/projects/${third.id}`, { data: theirs })).status()).toBe(200);
  await mine.getByRole('button', { name: 'Actualizar' }).click();
  const conflict = page.getByRole('alertdialog', { name: 'Otra persona guardó antes' });
  // Only fields that both changed need a choice; fields that one changed are merged.
  await expect(conflict.getByRole('group')).toHaveCount(1);
  await conflict.getByRole('radio', { name: 'Lo tuyo $2M' }).check();
  await conflict.getByRole('button', { name: 'Guardar' }).click();
  await expectNotice(page, 'Proyecto actualizado');
  const merged = (await (await page.request.get(`/api/admin/projects?q=${name} 2`)).json()) as { rows: object[] };
  expect(merged.rows[0]).toMatchObject({
    marketCap: '$2M',
    websiteUrl: 'https://quetzal.example',
    description: 'Escrita por mí.',
  });

  // Into the trash and back, with its history.
  await page.getByRole('searchbox').fill(name);
  await expect(page).toHaveURL(/q=Quetzal/);
  await page.getByRole('button', { name: `Eliminar ${name}`, exact: true }).click();
  const question = page.getByRole('alertdialog', { name: 'Confirmar Eliminación' });
  await expect(question.getByText('Esta acción no se puede deshacer.')).toBeVisible();
  await question.getByRole('button', { name: 'Cancelar' }).click();
  await expect(question).toHaveCount(0);
  await expect(rowWith(page, `address-of`)).toHaveCount(4);
  await page.getByRole('button', { name: `Eliminar ${name}`, exact: true }).click();
  await question.getByRole('button', { name: 'Eliminar' }).click();
  await expectNotice(page, 'Proyecto eliminado');
  await expect(rowWith(page, `address-of`)).toHaveCount(3);
  // The undo in the notice shows similar tokens first; if that dialog is cancelled, the project stays in the trash.
  const alike = page.getByRole('alertdialog', { name: 'Se parece a otro token' });
  const accept = async () => {
    await expect(alike.getByRole('link', { name: `${name} 1` })).toBeVisible();
    await alike.getByLabel('Lo he mirado y no suplanta a ninguno.').check();
    await alike.getByRole('button', { name: 'Guardar así' }).click();
  };
  const restoreAndDelete = async () => {
    await page.getByText('Papelera', { exact: true }).click();
    await page.getByRole('button', { name: `Restaurar ${name}`, exact: true }).click();
    await accept();
    await expectNotice(page, 'Proyecto restaurado');
    await page.getByText('Activos').click();
    await expect(rowWith(page, `address-of`)).toHaveCount(4);
    await page.getByRole('button', { name: `Eliminar ${name}`, exact: true }).click();
    await question.getByRole('button', { name: 'Eliminar' }).click();
  };
  await notice(page).getByRole('button', { name: 'Deshacer' }).click();
  await expect(alike).toBeVisible();
  expect(await a11yViolations(page, '[role=alertdialog]')).toEqual([]);
  await alike.getByRole('button', { name: 'Cancelar' }).click();
  await expect(alike).toHaveCount(0);
  await expect(rowWith(page, `address-of`)).toHaveCount(3);
  await restoreAndDelete();
  await expectNotice(page, 'Proyecto eliminado');
  // On another screen the confirmation cannot be shown: the undo reports why it was refused.
  await page.getByRole('link', { name: 'Noticias', exact: true }).click();
  await expect(page).toHaveURL(/admin\/news/);
  await notice(page).getByRole('button', { name: 'Deshacer' }).click();
  await expectNotice(page, 'Error al restaurar proyecto', 'Se parece a un token que ya está: míralo y confírmalo.');
  await page.goBack();
  await restoreAndDelete();
  await expect(rowWith(page, `address-of`)).toHaveCount(3);
  // A colleague restores and deletes it again: the undo of the earlier deletion is refused.
  await expectNotice(page, 'Proyecto eliminado');
  const elsewhere = await otherBrowser(browser);
  const colleague = await signUp(elsewhere.request);
  expect((await page.request.put(`/api/admin/roles/${colleague.id}`, { data: { role: 'admin' } })).ok()).toBe(true);
  const trashed = await elsewhere.request.get(`/api/admin/projects?shelf=trash&q=${name}`);
  const [gone] = ((await trashed.json()) as { rows: Made[] }).rows as [Made];
  const back = await elsewhere.request.post(`/api/admin/projects/${gone.id}/restore`, {
    data: { resemblanceAccepted: true },
  });
  expect(back.ok()).toBe(true);
  const { version } = (await back.json()) as Made;
  expect((await elsewhere.request.delete(`/api/admin/projects/${gone.id}`, { data: { version } })).ok()).toBe(true);
  await notice(page).getByRole('button', { name: 'Deshacer' }).click();
  await expectNotice(page, 'Error al restaurar proyecto', CHANGED);
  await page.getByText('Papelera', { exact: true }).click();
  await page.getByRole('button', { name: `Restaurar ${name}`, exact: true }).click();
  await accept();
  await expectNotice(page, 'Proyecto restaurado');
  await page.getByText('Activos').click();
  await page.getByRole('button', { name: `Historial de ${name}`, exact: true }).click();
  const history = page.getByRole('dialog');
  await expect(history.getByText('Proyecto puesto en el Top 3')).toBeVisible();
  await expect(history.getByText('Proyecto restaurado')).toHaveCount(4);
  await page.keyboard.press('Escape');
  // The Top 3 place of the deleted project is free again.
  await page.getByRole('checkbox', { name: `Top 3: ${name} 2` }).click();
  await expectNotice(page, 'Top 3 actualizado');
});

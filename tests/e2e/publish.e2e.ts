import type { Page } from '@playwright/test';
import { a11yViolations, expect, expectNotice, heldRequest, signUp, test, visit } from './support.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4v00dD2IYlcaGAPB2ufHSuPcCAAAAAElFTkSuQmCC',
  'base64',
);
const field = (page: Page, name: string) => page.getByRole('textbox', { name });
const email = () => `applicant-${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}@florka.test`;

async function fill(page: Page, to: string): Promise<void> {
  await field(page, 'Nombre del proyecto').fill('Luna Roja');
  await field(page, 'Símbolo').fill('LUNA');
  await field(page, 'Descripción').fill('Una luna para todos.');
  await field(page, 'Tu nombre').fill('Ana');
  await field(page, 'Tu correo').fill(to);
}

test('a guest sends a publication request, and opens it by its private link [AMB-82] [PUB-01..04] [PUB-07]', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expectStatus(409, 404);
  await visit(page, '/publish');
  await expect(page.getByRole('heading', { level: 1, name: 'Publish Your Project' })).toBeVisible();
  await expect(page.getByText('Submit for Review').first()).toBeVisible();
  await expect(page.getByText('Share your token project with the community')).toBeVisible();

  // Errors are beside their fields, and the first invalid field gets the focus.
  const send = page.getByRole('button', { name: 'Enviar a revisión' });
  await send.click();
  await expect(field(page, 'Nombre del proyecto')).toBeFocused();
  await expect(page.getByText('Escribe el nombre del proyecto.')).toBeVisible();
  await expect(page.getByText('Revisa los campos marcados.')).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);

  const to = email();
  await fill(page, to);
  await field(page, 'Descripción').fill('Una luna.');
  await expect(page.getByText('Escribe el nombre del proyecto.')).toBeHidden();
  await field(page, 'Dirección del contrato').fill('0x1234');
  await field(page, 'Sitio web').fill('una luna');
  await send.click();
  await expect(page.getByText('Elige la red de esa dirección.')).toBeVisible();
  await expect(page.getByText('No es un enlace. Escríbelo como https://ejemplo.com.')).toBeVisible();
  await page.getByRole('combobox', { name: 'Red' }).selectOption('ethereum');
  await send.click();
  await expect(page.getByText('No parece una dirección de la red elegida.')).toBeVisible();
  await field(page, 'Dirección del contrato').fill('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed');
  await field(page, 'Sitio web').fill('luna.test');
  await field(page, 'Sitio web').blur();
  await expect(field(page, 'Sitio web')).toHaveValue('https://luna.test');
  // Sent while the image is still uploading, the form would go without it.
  const release = await heldRequest(page, '**/uploads?*');
  await page.getByLabel('Imagen').setInputFiles({ name: 'luna.png', mimeType: 'image/png', buffer: PNG });
  await send.click();
  const early = page.getByText('La imagen aún se está subiendo. Envía el formulario cuando haya llegado.');
  await expect(early).toBeVisible();
  // What is typed while it uploads stays.
  await field(page, 'Descripción').fill('Una luna para todos.');
  release();
  await expectNotice(page, 'Imagen subida exitosamente');
  await expect(field(page, 'Descripción')).toHaveValue('Una luna para todos.');
  await expect(early).toHaveCount(0);

  // A reload loses nothing, the image included.
  await page.reload();
  await expect(field(page, 'Descripción')).toHaveValue('Una luna para todos.');
  await expect(page.getByRole('combobox', { name: 'Red' })).toHaveValue('ethereum');
  await expect(page.getByRole('img', { name: 'Vista previa de la imagen' })).toHaveAttribute('src', /^\/media\//);
  await send.click();
  await expect(page.getByText('¡Recibida! Guarda este enlace.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 2, name: 'Recibida' })).toBeVisible();
  const reference = page.getByRole('button', { name: /Copiar el número PR-/ });
  await expect(reference).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
  const link = page.url();
  // Many browsers within apps have no access to the clipboard.
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }));
  await page.getByRole('button', { name: 'Copiar el enlace privado' }).click();
  await expectNotice(page, 'El navegador no deja copiar: este es el enlace', link);
  await page.reload();
  await expect(reference).toBeVisible();
  // The key stays when the language changes.
  await page.getByRole('link', { name: 'English', exact: true }).click();
  await expect(page).toHaveURL(link.replace('/submission/', '/en/submission/'));
  await expect(page.getByRole('heading', { level: 2, name: 'Received' })).toBeVisible();
  await page.getByRole('link', { name: 'Español', exact: true }).click();
  await expect(reference).toBeVisible();

  // A second submission of the same project is refused with a message, and the input stays.
  await visit(page, '/publish');
  await expect(field(page, 'Nombre del proyecto')).toHaveValue('');
  await fill(page, to.toUpperCase());
  await send.click();
  await expect(page.getByText('Ya tenemos una solicitud tuya de este proyecto').first()).toBeVisible();
  await expect(field(page, 'Descripción')).toHaveValue('Una luna para todos.');

  await page.goto('about:blank');
  await visit(page, `${link.slice(0, -1)}_`);
  await expect(page.getByRole('heading', { name: 'No encontramos esta solicitud' })).toBeVisible();
});

test('the name of a member is filled in, refused input is marked beside its field, and a lost answer loses nothing', async ({
  page,
  context,
  pageErrors,
}) => {
  pageErrors.expectStatus(400);
  await page.goto('/');
  const me = await signUp(page.request);
  await visit(page, '/publish');
  await expect(field(page, 'Tu correo')).toHaveValue(me.email);
  await expect(field(page, 'Tu nombre')).toHaveValue(me.username);
  await field(page, 'Nombre del proyecto').fill('Luna Azul');
  await field(page, 'Símbolo').fill('AZUL');
  await field(page, 'Descripción').fill('Otra luna.');

  // An image that is not theirs: only the server can know.
  await page.evaluate(
    (url) => {
      const stored = JSON.parse(sessionStorage.getItem('florka.publish') ?? '{}') as { form: { imageUrl: string } };
      stored.form.imageUrl = url;
      sessionStorage.setItem('florka.publish', JSON.stringify(stored));
    },
    `/media/${'0'.repeat(32)}.webp`,
  );
  pageErrors.expectStatus(404);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Quitar imagen' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'Vista previa de la imagen' })).toHaveCount(0);
  const send = page.getByRole('button', { name: 'Enviar a revisión' });
  await send.click();
  await expect(page.getByText('Esta imagen ya no está disponible. Súbela otra vez.')).toBeVisible();
  await page.getByRole('button', { name: 'Quitar imagen' }).click();

  // The request arrives, its answer does not.
  await context.route('**/rpc/submissions/create', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await send.click();
  await expect(page.getByText('Lo que has escrito sigue aquí.')).toBeVisible();
  await context.unroute('**/rpc/submissions/create');
  expect(pageErrors.seen.filter((line) => !line.includes('ERR_FAILED'))).toEqual([]);
  pageErrors.seen.splice(0);
  await send.click();
  await expect(page.getByText('¡Recibida!')).toBeVisible();
});

test('input changed while the form is being sent counts as a new request', async ({ page, pageErrors }) => {
  pageErrors.expectLoss('ERR_FAILED');
  const sent: { attempt: string; description: string }[] = [];
  let drop = () => {};
  const dropped = new Promise<void>((done) => {
    drop = done;
  });
  await page.route('**/rpc/submissions/create', async (route) => {
    sent.push((route.request().postDataJSON() as { json: (typeof sent)[number] }).json);
    await dropped;
    await route.abort();
  });
  await visit(page, '/publish');
  await fill(page, email());
  const send = page.getByRole('button', { name: 'Enviar a revisión' });
  await send.click();
  await expect.poll(() => sent.length).toBe(1);
  await field(page, 'Descripción').fill('Una luna para cada uno.');
  drop();
  await expect(page.getByText('Lo que has escrito sigue aquí.')).toBeVisible();
  const [first] = sent;
  await send.click();
  await expect.poll(() => sent.at(-1)?.description).toBe('Una luna para cada uno.');
  // To the same attempt the server would answer with the receipt of the stored request, which lacks the change.
  expect(sent.at(-1)?.attempt).not.toBe(first?.attempt);
  await expect(page.getByText('Lo que has escrito sigue aquí.')).toBeVisible();
  // A page that was loaded since sends another attempt too: it cannot know what was sent.
  const second = sent.at(-1);
  await page.reload();
  await field(page, 'Descripción').fill('Una luna para cualquiera.');
  await send.click();
  await expect.poll(() => sent.at(-1)?.description).toBe('Una luna para cualquiera.');
  expect(sent.at(-1)?.attempt).not.toBe(second?.attempt);
  await expect(page.getByText('Lo que has escrito sigue aquí.')).toBeVisible();
});

test('input typed while the form is being sent stays in the form when the request succeeds', async ({ page }) => {
  await visit(page, '/publish');
  await fill(page, email());
  const release = await heldRequest(page, '**/rpc/submissions/create');
  await page.getByRole('button', { name: 'Enviar a revisión' }).click();
  await expect(page.getByRole('button', { name: 'Enviando...' })).toBeVisible();
  await field(page, 'Descripción').fill('Una luna para cada uno.');
  release();
  await expect(page.getByText('¡Recibida! Guarda este enlace.')).toBeVisible();
  const left = page.getByRole('note').filter({ hasText: 'no está en esta solicitud' });
  await expect(left).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
  await left.getByRole('link', { name: 'Abrir el formulario' }).click();
  await expect(field(page, 'Descripción')).toHaveValue('Una luna para cada uno.');
  await expect(field(page, 'Nombre del proyecto')).toHaveValue('Luna Roja');
});

test('the open form has a link to the team if a support mailbox is set [PUB-06]', async ({ page }) => {
  let supportEmail: string | null = 'ayuda@florka.test';
  await page.route('**/rpc/submissions/state', (route) =>
    route.fulfill({ json: { json: { open: true, supportEmail } } }),
  );
  await visit(page, '/publish');
  await expect(page.getByRole('link', { name: 'Contact Admin' })).toHaveAttribute('href', 'mailto:ayuda@florka.test');
  expect(await a11yViolations(page)).toEqual([]);
  supportEmail = null;
  await visit(page, '/publish');
  await expect(page.getByRole('button', { name: 'Enviar a revisión' })).toBeVisible();
  await expect(page.getByText('Contact Admin')).toHaveCount(0);
});

test('while publication requests are closed the page says so, with a link to the team [PUB-05] [PUB-06]', async ({
  page,
}) => {
  let supportEmail: string | null = 'ayuda@florka.test';
  await page.route('**/rpc/submissions/state', (route) =>
    route.fulfill({ json: { json: { open: false, supportEmail } } }),
  );
  await visit(page, '/publish');
  await expect(page.getByRole('heading', { level: 1, name: 'Publish Your Project' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Coming Soon' })).toBeVisible();
  await expect(
    page.getByText('El envío de proyectos está en desarrollo. Por ahora, usa el panel de administración.'),
  ).toBeVisible();
  await expect(page.getByRole('link', { name: 'Contact Admin' })).toHaveAttribute('href', 'mailto:ayuda@florka.test');
  await expect(page.getByRole('button', { name: 'Enviar a revisión' })).toBeHidden();
  expect(await a11yViolations(page)).toEqual([]);
  // Without an address no mail can be sent.
  supportEmail = null;
  await visit(page, '/publish');
  await expect(page.getByRole('heading', { name: 'Coming Soon' })).toBeVisible();
  await expect(page.getByText('Contact Admin')).toHaveCount(0);
});

import { createHmac } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { base32 } from '@better-auth/utils/base32';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import PostalMime, { type Email } from 'postal-mime';
import { a11yViolations, expect, test } from './support.ts';

const PASSWORD = 'una-clave-larga';
let serial = 0;
let outbox = '';
test.beforeAll(({ site }) => {
  outbox = path.join(site.data, 'outbox');
});

/** A browser at an address of its own, so that limits by address count one person only. */
async function person(browser: Browser): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({
    extraHTTPHeaders: { 'x-forwarded-for': `203.${(process.pid % 200) + 1}.${++serial}.7` },
  });
  return { context, page: await context.newPage() };
}

const ready = (page: Page) => expect(page.locator('html')).toHaveAttribute('data-hydrated', 'yes');
async function open(page: Page, address: string) {
  await page.goto(address);
  await ready(page);
}

/** The newest mail to somebody with such a subject; the server writes it a moment after the click. */
async function mailTo(to: string, subject: RegExp, after = 0): Promise<Email> {
  let found: Email | undefined;
  await expect(async () => {
    const files = await Promise.all(
      (await readdir(outbox).catch(() => [] as string[]))
        .filter((name) => name.endsWith('.eml'))
        .map(async (name) => {
          const file = path.join(outbox, name);
          return { at: (await stat(file)).mtimeMs, mail: await PostalMime.parse(await readFile(file)) };
        }),
    );
    const own = files
      .filter(({ at, mail }) => at >= after && mail.to?.[0]?.address === to && subject.test(mail.subject ?? ''))
      .toSorted((a, b) => b.at - a.at);
    expect(own.length).toBeGreaterThan(0);
    found = own[0]?.mail;
  }).toPass({ timeout: 15_000 });
  return found as Email;
}
const pathIn = (mail: Email): string => {
  const url = new URL(/https?:\/\/\S+token=[\w-]+/.exec(mail.text ?? '')?.[0] ?? 'http://none');
  return url.pathname + url.hash;
};

function totp(secret: string, ahead = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead));
  const mac = createHmac('sha1', base32.decode(secret)).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

async function signUp(page: Page, email: string) {
  await open(page, '/auth');
  await page.getByRole('tab', { name: 'Registrarse' }).click();
  const form = page.getByRole('form', { name: 'Registrarse' });
  await form.getByLabel('Correo electrónico').fill(email);
  await form.getByLabel('Contraseña').fill(PASSWORD);
  await form.getByRole('button', { name: 'Registrarse' }).click();
  await expect(page.getByRole('link', { name: email }).first()).toBeVisible();
}

async function firstStep(page: Page, email: string, password: string) {
  await open(page, '/auth');
  const form = page.getByRole('form', { name: 'Iniciar Sesión' });
  await form.getByLabel('Correo electrónico').fill(email);
  await form.getByLabel('Contraseña').fill(password);
  await form.getByRole('button', { name: 'Iniciar Sesión' }).click();
}
const signedInAs = (page: Page, email: string) => expect(page.getByRole('link', { name: email }).first()).toBeVisible();
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('a member manages the account from sign-up to deletion [AUTH-28..31] [AMB-149]', async ({ browser }) => {
  test.setTimeout(240_000);
  const email = `cuenta-${Date.now()}@florka.test`;
  const { page } = await person(browser);

  await test.step('signs up, and confirms the e-mail by the link', async () => {
    await signUp(page, email);
    await open(page, '/account');
    await expect(part(page, 'Correo').getByText('Sin confirmar')).toBeVisible();
    // Only operators see the name of the variable; a member is informed that no mails are sent. Orders come first.
    await expect(page.getByText('SMTP_URL')).toHaveCount(0);
    await expect(page.getByText('Por ahora este sitio no envía correos', { exact: false })).toBeVisible();
    await expect(page.getByRole('main').getByRole('region').first()).toHaveAccessibleName('Mis pedidos');
    await expect(part(page, 'Verificación en dos pasos').getByText('Confirma primero tu correo.')).toBeVisible();
    expect(await a11yViolations(page)).toEqual([]);
    const link = pathIn(await mailTo(email, /Confirma tu correo/));
    // A GET request, as mail scanners send it, does not confirm the address.
    await page.request.get(link);
    const stranger = await person(browser);
    await open(stranger.page, link);
    await expect(stranger.page.getByText('Inicia sesión para confirmar')).toBeVisible();
    expect(await a11yViolations(stranger.page)).toEqual([]);
    await stranger.context.close();

    await open(page, link);
    await expect(page.getByRole('heading', { name: 'Correo confirmado' })).toBeVisible();
    expect(page.url()).not.toContain('token');
    await expect(page.locator('meta[name=referrer]')).toHaveAttribute('content', 'no-referrer');
    expect(await a11yViolations(page)).toEqual([]);
    await page.getByRole('main').getByRole('link', { name: 'Ir a mi cuenta' }).click();
    await expect(part(page, 'Correo').getByText('Verificado')).toBeVisible();
  });

  await test.step('changes the username', async () => {
    const name = part(page, 'Nombre');
    const field = name.getByLabel('Nombre de usuario');
    await field.fill('ab');
    await name.getByRole('button', { name: 'Guardar' }).click();
    await expect(field).toBeFocused();
    await expect(field).toHaveValue('ab');
    await expect(
      name.getByText('De 3 a 30 caracteres, con letras o números de un solo alfabeto.', { exact: true }),
    ).toBeVisible();
    await field.fill(`Cuenta ${Date.now() % 1e9}`);
    await name.getByRole('button', { name: 'Guardar' }).click();
    await expect(page.getByText('Nombre cambiado')).toBeVisible();
  });

  const second = 'otra-clave-larga';
  await test.step('changes the password', async () => {
    const password = part(page, 'Contraseña');
    await password.getByLabel('Contraseña actual').fill('no-es-esta');
    await password.getByLabel('Contraseña nueva').fill(second);
    await password.getByRole('button', { name: 'Cambiar contraseña' }).click();
    await expect(password.getByText('La contraseña no es correcta.')).toBeVisible();
    await expect(password.getByLabel('Contraseña actual')).toBeFocused();
    await expect(password.getByLabel('Contraseña nueva')).toHaveValue(second);
    await password.getByLabel('Contraseña actual').fill(PASSWORD);
    await password.getByRole('button', { name: 'Cambiar contraseña' }).click();
    await expect(page.getByText('Contraseña cambiada')).toBeVisible();
    await mailTo(email, /Tu contraseña ha cambiado/);
  });

  let secret = '';
  let recovery = '';
  let spare = '';
  await test.step('turns two-step verification on', async () => {
    const box = part(page, 'Verificación en dos pasos');
    await box.getByLabel('Tu contraseña').fill(second);
    await box.getByRole('button', { name: 'Activar' }).click();
    await expect(box.getByLabel('Código de 6 cifras')).toBeFocused();
    const picture = box.getByRole('img', { name: 'Código QR' });
    await expect(picture).toBeVisible();
    expect(await picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)).toBe(true);
    // A field that is half covered by the header, depending on the scroll position, would count as too small.
    await page.evaluate(() => scrollTo(0, 0));
    expect(await a11yViolations(page)).toEqual([]);
    secret = (await box.getByRole('button', { name: /Copiar la clave/ }).getAttribute('title')) ?? '';
    await box.getByLabel('Código de 6 cifras').fill('000000');
    await box.getByRole('button', { name: 'Confirmar' }).click();
    await expect(box.getByText('El código no es correcto')).toBeVisible();
    await box.getByLabel('Código de 6 cifras').fill(totp(secret));
    await box.getByRole('button', { name: 'Confirmar' }).click();
    await expect(box.getByRole('heading', { name: 'Tus códigos de recuperación' })).toBeFocused();
    await expect(box.getByRole('listitem')).toHaveCount(10);
    recovery = (await box.getByRole('listitem').first().textContent()) ?? '';
    spare = (await box.getByRole('listitem').last().textContent()) ?? '';
    expect(await a11yViolations(page)).toEqual([]);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      box.getByRole('button', { name: 'Descargar' }).click(),
    ]);
    expect(await readFile(await file.path(), 'utf8')).toContain(recovery);
    await box.getByRole('button', { name: 'Ya los he guardado' }).click();
    await expect(box.getByText('Te quedan 10 códigos')).toBeVisible();
  });

  await test.step('signs out, and signs in again with the second factor', async () => {
    await page.getByRole('button', { name: 'Salir' }).first().click();
    await expect(page.getByText('Sesión cerrada')).toBeVisible();
    await firstStep(page, email, second);
    const form = page.getByRole('form', { name: 'Segundo paso' });
    await expect(form.getByLabel('Código')).toBeFocused();
    expect(await a11yViolations(page)).toEqual([]);
    await form.getByLabel('Código').fill('111111');
    await form.getByRole('button', { name: 'Continuar' }).click();
    await expect(form.getByText('El código no es correcto')).toBeVisible();
    // The code of the next time step: that of the set-up was used.
    await form.getByLabel('Código').fill(totp(secret, 1));
    await form.getByRole('button', { name: 'Continuar' }).click();
    await signedInAs(page, email);
  });

  const phone = await person(browser);
  await test.step('signs in elsewhere with a recovery code, which works only once', async () => {
    await firstStep(phone.page, email, second);
    const form = phone.page.getByRole('form', { name: 'Segundo paso' });
    await form.getByLabel('Código').fill(recovery.toUpperCase());
    await form.getByRole('button', { name: 'Continuar' }).click();
    await signedInAs(phone.page, email);
    const thief = await person(browser);
    await firstStep(thief.page, email, second);
    const again = thief.page.getByRole('form', { name: 'Segundo paso' });
    await again.getByLabel('Código').fill(recovery);
    await again.getByRole('button', { name: 'Continuar' }).click();
    await expect(again.getByText('El código no es correcto')).toBeVisible();
    await thief.context.close();
  });

  await test.step('ends the session of the other browser', async () => {
    await open(page, '/account');
    const sessions = part(page, 'Sesiones');
    await expect(sessions.getByRole('listitem')).toHaveCount(2);
    await expect(sessions.getByText('Este navegador')).toHaveCount(1);
    await sessions.getByRole('button', { name: /Cerrar la sesión de/ }).click();
    await expect(sessions.getByRole('listitem')).toHaveCount(1);
    await open(phone.page, '/account');
    await expect(phone.page.getByText('Inicia sesión para ver tu cuenta')).toBeVisible();
    expect(await a11yViolations(phone.page)).toEqual([]);
  });

  await test.step('turns two-step verification off with a code', async () => {
    const box = part(page, 'Verificación en dos pasos');
    await box.getByLabel('Tu contraseña').fill(second);
    // A code of the app is valid once; a second one would need the next time step.
    await box.getByLabel('Código de la aplicación').fill(spare);
    await box.getByRole('button', { name: 'Desactivar' }).click();
    await expect(box.getByText('Desactivada', { exact: true })).toBeVisible();
  });

  const third = 'tercera-clave-larga';
  await test.step('resets a forgotten password', async () => {
    await open(phone.page, '/auth');
    await phone.page.getByRole('button', { name: '¿Olvidaste tu contraseña?' }).click();
    const form = phone.page.getByRole('form', { name: '¿Olvidaste tu contraseña?' });
    await expect(form.getByLabel('Correo electrónico')).toBeFocused();
    await form.getByLabel('Correo electrónico').fill('nobody');
    await form.getByRole('button', { name: 'Enviar enlace' }).click();
    await expect(form.getByText('Escribe un correo electrónico válido.')).toBeVisible();
    await form.getByLabel('Correo electrónico').fill(email);
    await form.getByRole('button', { name: 'Enviar enlace' }).click();
    await expect(form.getByText('Si hay una cuenta con ese correo')).toBeVisible();
    expect(await a11yViolations(phone.page)).toEqual([]);
    await open(phone.page, pathIn(await mailTo(email, /Restablece/)));
    expect(phone.page.url()).not.toContain('token');
    expect(await a11yViolations(phone.page)).toEqual([]);
    await phone.page.getByLabel('Contraseña nueva', { exact: true }).fill(third);
    await phone.page.getByRole('button', { name: 'Guardar contraseña' }).click();
    await expect(phone.page.getByRole('heading', { name: 'Contraseña cambiada' })).toBeVisible();
    await page.reload();
    await expect(page.getByText('Inicia sesión para ver tu cuenta')).toBeVisible();
  });

  await test.step('signs in with a code from the mail', async () => {
    await open(page, '/auth');
    await page.getByRole('button', { name: 'Entrar con un código de un solo uso' }).click();
    const form = page.getByRole('form', { name: 'Entrar con un código de un solo uso' });
    await form.getByLabel('Correo electrónico').fill(email);
    await form.getByRole('button', { name: 'Enviar código' }).click();
    await expect(form.getByText(`Si ${email} tiene una cuenta`)).toBeVisible();
    const code = /\d{6}/.exec((await mailTo(email, /código de acceso/)).subject ?? '')?.[0] ?? '';
    await form.getByLabel('Código').fill(code === '000000' ? '000001' : '000000');
    await form.getByRole('button', { name: 'Iniciar Sesión' }).click();
    await expect(form.getByText('El código no es correcto')).toBeVisible();
    await form.getByLabel('Código').fill(code);
    await form.getByRole('button', { name: 'Iniciar Sesión' }).click();
    await signedInAs(page, email);
  });

  const moved = `movida-${Date.now()}@florka.test`;
  await test.step('changes the e-mail', async () => {
    await open(page, '/account');
    const box = part(page, 'Correo');
    await box.getByLabel('Correo nuevo').fill(moved);
    await box.getByLabel('Tu contraseña').fill(third);
    await box.getByRole('button', { name: 'Enviar enlace' }).click();
    await expect(box.getByText(`Falta confirmar ${moved}`)).toBeVisible();
    await open(page, pathIn(await mailTo(moved, /Confirma tu nuevo correo/)));
    await expect(page.getByText(`${moved} es tuyo.`)).toBeVisible();
    await mailTo(email, /El correo de tu cuenta ha cambiado/);
    await signedInAs(page, moved);
  });

  await test.step('hides the presence, downloads the data and deletes the account', async () => {
    await open(page, '/account');
    const hidden = part(page, 'Presencia').getByRole('checkbox');
    // The box is checked before the server has stored it, and the file is read there.
    const stored = page.waitForResponse(/\/rpc\/account\/setPresence/);
    await hidden.click();
    await expect(hidden).toBeChecked();
    expect((await stored).ok()).toBe(true);
    const data = part(page, 'Tus datos');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      data.getByRole('button', { name: 'Descargar mis datos' }).click(),
    ]);
    expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toMatchObject({
      account: { email: moved },
      profile: { hide_presence: true },
    });
    await part(page, 'Eliminar la cuenta').getByRole('button', { name: 'Eliminar mi cuenta' }).click();
    const question = page.getByRole('alertdialog');
    expect(await a11yViolations(page)).toEqual([]);
    await question.getByLabel('Tu contraseña').fill('no-es-esta');
    await question.getByRole('button', { name: 'Eliminar para siempre' }).click();
    await expect(question.getByText('La contraseña no es correcta.')).toBeVisible();
    await question.getByLabel('Tu contraseña').fill(third);
    await question.getByRole('button', { name: 'Eliminar para siempre' }).click();
    await expect(page.getByText('Cuenta eliminada')).toBeVisible();
    await expect(page).toHaveURL(/\/$/);
    await firstStep(page, moved, third);
    await expect(page.getByText('El correo o la contraseña no son correctos.')).toBeVisible();
  });
  await phone.context.close();
});

test('sign-up, mails, account and password reset are also available in English', async ({ browser }) => {
  const email = `account-${Date.now()}@florka.test`;
  const { page } = await person(browser);
  await open(page, '/en/auth');
  await page.getByRole('tab', { name: 'Sign up' }).click();
  const form = page.getByRole('form', { name: 'Sign up' });
  await form.getByLabel('E-mail').fill(email);
  await form.getByLabel('Password').fill(PASSWORD);
  await form.getByRole('button', { name: 'Sign up' }).click();
  await signedInAs(page, email);
  const link = pathIn(await mailTo(email, /Confirm your e-mail/));
  expect(link).toMatch(/^\/en\/verify#/);
  await open(page, link);
  await expect(page.getByRole('heading', { name: 'E-mail confirmed' })).toBeVisible();
  await open(page, '/en/account');
  await expect(page.getByRole('heading', { name: 'My account', level: 1 })).toBeVisible();
  expect(await a11yViolations(page)).toEqual([]);
  // The form of links in mails of earlier versions.
  await open(page, '/en/reset?token=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa');
  await expect(page).toHaveURL(/\/en\/reset$/);
  await page.getByLabel('New password', { exact: true }).fill('another-password');
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(page.getByRole('heading', { name: 'This link is no longer valid' })).toBeVisible();
});

import type { Page, Route } from '@playwright/test';
import type pg from 'pg';
import {
  a11yViolations,
  expect,
  expectAfterRetries,
  heldRequest,
  signInAsAdmin,
  signUp,
  test,
  visit,
} from './support.ts';

const NOTHING = { rows: [], total: 0 };
const COUNTS = { payment: 0, request: 0, submission: 0, moderator: 0, report: 0, job: 0 };

interface Screen {
  path: string;
  /** Procedures that the screen calls. */
  reads: string;
  loading: string;
  failed: string;
  /** Its empty state; a screen of figures shows zero. */
  empty: string | null;
  nothing?: unknown;
}

const SCREENS: Screen[] = [
  {
    path: '/admin',
    reads: 'dashboard/counts',
    loading: 'Cargando cifras...',
    failed: 'No se pudieron cargar las cifras',
    empty: null,
  },
  {
    path: '/admin/inbox',
    reads: 'inbox/list',
    loading: 'Cargando la bandeja...',
    failed: 'No se pudo cargar la bandeja',
    empty: 'No hay nada pendiente',
    nothing: { items: [], counts: COUNTS },
  },
  {
    path: '/admin/audit',
    reads: 'audit/list',
    loading: 'Cargando auditoría...',
    failed: 'No se pudo cargar la auditoría',
    empty: 'No hay entradas con estos filtros',
    nothing: { rows: [], nextCursor: null },
  },
  {
    path: '/admin/projects',
    reads: 'projects/list',
    loading: 'Cargando proyectos...',
    failed: 'Error al cargar los proyectos',
    empty: 'No hay proyectos registrados todavía.',
  },
  {
    path: '/admin/next-projects',
    reads: 'nextProjects/list',
    loading: 'Cargando proyectos NEXT...',
    failed: 'Error al cargar proyectos',
    empty: 'No hay proyectos NEXT',
  },
  {
    path: '/admin/votes',
    reads: 'candidates/list',
    loading: 'Cargando candidatos...',
    failed: 'Error al cargar candidatos',
    empty: 'No hay candidatos',
  },
  {
    path: '/admin/votes/rounds',
    reads: 'rounds/list',
    loading: 'Cargando rondas...',
    failed: 'Error al cargar rondas',
    empty: 'Todavía no se ha cerrado ninguna ronda',
  },
  {
    path: '/admin/news',
    reads: 'news/list',
    loading: 'Cargando noticias...',
    failed: 'Error al cargar noticias',
    empty: 'No hay noticias',
  },
  {
    path: '/admin/forum',
    reads: 'forum/list',
    loading: 'Cargando textos del foro...',
    failed: 'Error al cargar los textos del foro',
    empty: 'Nadie ha escrito todavía',
  },
  {
    path: '/admin/moderator-requests',
    reads: 'moderatorRequests/list',
    loading: 'Cargando solicitudes...',
    failed: 'Error al cargar las solicitudes',
    empty: 'No hay solicitudes de moderador pendientes',
  },
  {
    path: '/admin/users',
    reads: 'roles/list',
    loading: 'Cargando usuarios...',
    failed: 'Error al cargar usuarios',
    empty: 'No hay usuarios registrados',
  },
  {
    path: '/admin/complete-users',
    reads: 'users/list',
    loading: 'Cargando usuarios...',
    failed: 'Error al cargar usuarios',
    empty: 'No hay usuarios registrados',
  },
  {
    path: '/admin/submissions',
    reads: 'submissions/list',
    loading: 'Cargando solicitudes...',
    failed: 'Error al cargar solicitudes',
    empty: 'No hay solicitudes de publicación todavía.',
  },
  {
    path: '/admin/token-creation',
    reads: 'tokenRequests/list',
    loading: 'Cargando solicitudes...',
    failed: 'Error al cargar solicitudes',
    empty: 'No hay solicitudes de tokens disponibles',
  },
  {
    path: '/admin/networks',
    reads: 'networks/list',
    loading: 'Cargando redes...',
    failed: 'No se pudieron cargar las redes blockchain',
    empty: 'No hay redes blockchain configuradas',
  },
];

/** Loading, then failed, then empty after 'Reintentar': one visit. */
async function walk(page: Page, { path, reads, loading, failed, empty, nothing = NOTHING }: Screen) {
  let answer: 'none' | 'failure' | 'nothing' = 'none';
  let held: Route[] = [];
  const respond = (route: Route) =>
    answer === 'failure' ? route.fulfill({ status: 500, json: {} }) : route.fulfill({ json: { json: nothing } });
  const now = async (kind: 'failure' | 'nothing') => {
    answer = kind;
    const waiting = held;
    held = [];
    for (const route of waiting) await respond(route);
  };
  const pattern = `**/rpc/admin/${reads}*`;
  await page.route(pattern, (route) => {
    if (answer === 'none') held.push(route);
    else return respond(route);
  });
  await visit(page, path);
  await expect(page.getByText(loading).first()).toBeAttached();
  expect(await a11yViolations(page)).toEqual([]);
  await now('failure');
  await expectAfterRetries(page, page.getByRole('alert').filter({ hasText: `${failed}:` }));
  expect(await a11yViolations(page)).toEqual([]);
  if (empty === null) {
    await page.unroute(pattern);
    await page.getByRole('button', { name: 'Reintentar' }).first().click();
    await expect(page.getByText(failed)).toHaveCount(0);
  } else {
    await now('nothing');
    await page.getByRole('button', { name: 'Reintentar' }).first().click();
    await expect(page.getByText(empty, { exact: true })).toBeVisible();
    await expect(page.getByText(failed)).toHaveCount(0);
    expect(await a11yViolations(page)).toEqual([]);
    await page.unroute(pattern);
  }
}

for (const [part, screens] of [SCREENS.slice(0, 8), SCREENS.slice(8)].entries())
  test(`every screen shows that it is loading, a failed read with a retry, and an empty list, part ${part + 1} [APP-23] [APP-28..35] [A-PROJ-12..14] [A-NEXT-16..18] [A-MOD-10] [A-ROLE-17] [A-ROLE-18] [A-SUB-07] [A-TOKEN-12] [A-TOKEN-13] [A-NET-07] [ERR-96]`, async ({
    page,
    pageErrors,
  }) => {
    test.setTimeout(300_000);
    pageErrors.expectStatus(500);
    await page.clock.install();
    await signInAsAdmin(page);
    for (const screen of screens) await test.step(screen.path, () => walk(page, screen));
  });

test('every screen is forbidden to a member, whatever the address, and reads no data [AMB-22]', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expectStatus(403);
  await signUp(page.request);
  const requests: string[] = [];
  page.on('request', (request) => {
    if (/\/rpc\/admin\/(?!session)/.test(request.url())) requests.push(request.url());
  });
  for (const path of [...SCREENS.map((screen) => screen.path), '/admin/token-creation?tab=networks']) {
    const answer = await visit(page, path);
    expect([path, answer?.status()]).toEqual([path, 403]);
    await expect(page.getByRole('heading', { level: 1, name: 'Acceso Denegado' })).toBeVisible();
  }
  expect(requests).toEqual([]);
});

const PROOF = 'Confirma que eres tú';

test.describe('step-up', () => {
  /** Makes the session's step-up older than ten minutes. */
  async function later(page: Page, database: pg.Client) {
    await database.query(`update sessions set proved_at = now() - interval '11 minutes' where user_id =
      (select id from users where email = 'admin@florka.test')`);
    await visit(page, page.url());
  }

  test('is requested once per ten minutes, reports a wrong password, and then performs the action with its input [SEC]', async ({
    page,
    request,
    database,
    pageErrors,
  }) => {
    test.setTimeout(90_000);
    pageErrors.expectStatus(400, 401, 403);
    const stamp = Date.now().toString(36);
    const member = await signUp(request, { username: `Prueba ${stamp}` });
    await signInAsAdmin(page);
    const made = await page.request.post('/api/admin/networks', {
      data: { name: `Red ${stamp}`, symbol: stamp.slice(-6) },
    });
    expect(made.status()).toBe(200);
    const candidate = await page.request.post('/api/admin/candidates', {
      data: { tokenName: `Voto ${stamp}`, resemblanceAccepted: true, tokenSymbol: 'VOTO' },
    });
    const { id } = (await candidate.json()) as { id: string };
    expect((await request.post(`/api/candidates/${id}/votes`, { data: {} })).status()).toBe(200);
    const proof = page.getByRole('dialog', { name: PROOF });
    const prove = async (password: string) => {
      await proof.getByLabel('Tu contraseña').fill(password);
      await proof.getByRole('button', { name: 'Confirmar' }).click();
    };

    // A role: closing the dialog leaves everything as it was; a wrong password is reported beside the field.
    await visit(page, `/admin/users?q=${encodeURIComponent(member.username)}`);
    await later(page, database);
    const found = page.getByRole('row').filter({ hasText: member.username });
    const refused = await page.request.put(`/api/admin/roles/${member.id}`, { data: { role: 'moderator' } });
    expect(refused.status()).toBe(403);
    expect(((await refused.json()) as { code: string }).code).toBe('STEP_UP_NEEDED');
    const assign = async () => {
      await page.getByLabel('Rol a asignar').selectOption('moderator');
      await found.getByRole('button', { name: /Asignar/ }).click();
    };
    await assign();
    await proof.getByRole('button', { name: 'Cancelar' }).click();
    await expect(proof).toHaveCount(0);
    await expect(found.getByText('Usuario', { exact: true })).toBeVisible();

    // An export with e-mails requires the same step-up first.
    const file = page.getByRole('link', { name: 'Exportar CSV' }).first();
    await file.click();
    const saved = page.waitForEvent('download');
    await prove('admin-password');
    expect((await saved).suggestedFilename()).toMatch(/^[a-z-]+-20\d\d-\d\d-\d\d\.csv$/);
    await later(page, database);

    await assign();
    await prove('not-my-password');
    await expect(proof.getByRole('alert').or(proof.locator('[aria-invalid=true]')).first()).toBeVisible();
    await expect(proof).toBeVisible();
    await prove('admin-password');
    await expect(proof).toHaveCount(0);
    await expect(found.getByText('Moderador', { exact: true })).toBeVisible();

    // Within ten minutes it is valid for other actions too.
    await found.getByRole('button', { name: /Remover/ }).click();
    await expect(found.getByText('Usuario', { exact: true })).toBeVisible();

    // Votes: the reason that was typed before the step-up is sent with the action.
    await visit(page, `/admin/votes?q=${stamp}`);
    await later(page, database);
    await page.getByRole('button', { name: `Reiniciar votos de Voto ${stamp}` }).click();
    await page.getByRole('alertdialog').getByLabel('Motivo').fill(`Motivo ${stamp}`);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reiniciar votos' }).click();
    await prove('admin-password');
    await expect(page.getByRole('button', { name: `Reiniciar votos de Voto ${stamp}` })).toBeDisabled();
    const log = await page.request.get(`/api/admin/audit?action=candidate.votes_reset&resourceId=${id}`);
    expect(((await log.json()) as { rows: { reason: string }[] }).rows.map(({ reason }) => reason)).toEqual([
      `Motivo ${stamp}`,
    ]);

    // A network.
    await visit(page, `/admin/networks?q=${stamp}`);
    await later(page, database);
    await page.getByRole('button', { name: `Eliminar Red ${stamp}` }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Eliminar' }).click();
    await prove('admin-password');
    await expect(page.getByRole('button', { name: `Eliminar Red ${stamp}` })).toHaveCount(0);
  });

  test('completes all actions that waited for it', async ({ page, database, pageErrors }) => {
    pageErrors.expectStatus(403);
    await signInAsAdmin(page);
    await visit(page, '/admin/settings');
    await later(page, database);
    const rounds = page.getByRole('region', { name: 'Calendario de rondas', exact: true });
    const mail = page.getByRole('region', { name: 'Correo', exact: true });
    const release = await heldRequest(page, '**/rpc/admin/settings/save', 2);
    await rounds.getByLabel('Días de cada ronda').fill('13');
    await rounds.getByRole('button', { name: 'Guardar' }).click();
    await mail.getByLabel('Remitente').fill('Feria <feria@florka.test>');
    await mail.getByRole('button', { name: 'Guardar' }).click();
    let waiting = 2;
    const refused = page.waitForResponse((answer) => answer.url().endsWith('/settings/save') && --waiting === 0);
    release();
    await refused;
    const proof = page.getByRole('dialog', { name: PROOF });
    await proof.getByLabel('Tu contraseña').fill('admin-password');
    await proof.getByRole('button', { name: 'Confirmar' }).click();
    await expect(proof).toHaveCount(0);
    for (const part of [rounds, mail]) await expect(part.getByText('sin guardar')).toHaveCount(0);
    await visit(page, '/admin/settings');
    await expect(rounds.getByLabel('Días de cada ronda')).toHaveValue('13');
    await expect(mail.getByLabel('Remitente')).toHaveValue('Feria <feria@florka.test>');
    await rounds.getByLabel('Días de cada ronda').fill('');
    await rounds.getByRole('button', { name: 'Guardar' }).click();
    await expect(rounds.getByText('sin guardar')).toHaveCount(0);
    await mail.getByLabel('Remitente').fill('');
    await mail.getByRole('button', { name: 'Guardar' }).click();
    await expect(mail.getByText('sin guardar')).toHaveCount(0);
  });
});

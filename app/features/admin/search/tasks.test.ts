import { describe, expect, it } from 'vitest';
import { adminReportsTexts } from '#app/lib/messages/admin/reports.ts';
import { adminSettingsTexts } from '#app/lib/messages/admin/settings.ts';
import { adminTaskTexts } from '#app/lib/messages/admin/tasks.ts';
import routes from '../../../routes.ts';
import { NAVIGATION, screenAt } from '../navigation.ts';
import { TASKS, type TaskName, tasksFor } from './tasks.ts';

const everything = () => true;
const spanish = (typed: string) => tasksFor(typed, adminTaskTexts.es.tasks, everything);
const english = (typed: string) => tasksFor(typed, adminTaskTexts.en.tasks, everything);

describe('tasks of the search', () => {
  it('link to existing screens', () => {
    const pages = routes.flatMap(({ children = [] }) => children).map(({ path }) => `/${path}`);
    for (const { path } of Object.values(TASKS)) {
      const [screen = ''] = path.split('#');
      expect(pages).toContain(screen);
      if (path.includes('#')) expect(screenAt(screen)?.name).toBe('settings');
    }
    expect(NAVIGATION.length).toBeGreaterThan(0);
  });

  it('are found by words about orders and their tokens', () => {
    for (const [typed, found] of [
      [spanish('cerrar pedido'), 'closeOrder'],
      [spanish('firmante'), 'createToken'],
      [spanish('pago doble'), 'refund'],
      [spanish('informe semanal'), 'overdueMail'],
      [english('close order'), 'closeOrder'],
      [english('signer'), 'createToken'],
      [english('double payment'), 'refund'],
      [english('weekly report'), 'overdueMail'],
    ] as const)
      expect(typed).toContain(found);
  });

  it('are found by the title of each table of the statistics, and by that of the retention settings', () => {
    for (const [locale, find] of [
      ['es', spanish],
      ['en', english],
    ] as const) {
      const { funnel, retention, moderation, views } = adminReportsTexts[locale].reports;
      const kept = adminSettingsTexts[locale].settings.groups.retention.title;
      for (const [title, path] of [
        [funnel.title, '/admin/reports'],
        [retention.title, '/admin/reports'],
        [moderation.title, '/admin/reports'],
        [views.title, '/admin/reports'],
        [kept, '/admin/settings#retention'],
      ] as const) {
        const paths = find(title).map((task) => TASKS[task].path);
        expect(paths, title).toContain(path);
      }
    }
    expect(spanish('retención')[0]).toBe('retention');
    expect(english('retention')).toEqual(['retention', 'returningVoters']);
  });

  it.each<[string, TaskName]>([
    ['soporte', 'supportAddress'],
    ['banner', 'announcement'],
    ['límites', 'voteLimits'],
    ['votos por minuto', 'voteLimits'],
    ['programar noticia', 'scheduleNews'],
    ['vista previa', 'previewLink'],
    ['restaurar', 'projectVersions'],
    ['buzón', 'findPerson'],
    ['ver como', 'seeAsPerson'],
    ['reenviar correo', 'mailFate'],
    ['REEMBOLSO', 'refund'],
    ['promesa', 'proveDelivery'],
    ['sin pedido', 'unplacedMoney'],
    ['apelacion', 'appeals'],
    ['banear', 'banMember'],
    ['fraude', 'suspectVotes'],
    ['cerrar ronda', 'closeRound'],
    ['ledger', 'ledger'],
    ['permisos', 'giveRole'],
    ['reemplazar imagen', 'replaceImage'],
    ['csv', 'incomeCsv'],
    ['atrasado', 'overdueMail'],
    ['correo de prueba', 'testMail'],
    ['doctor', 'health'],
    ['embudo', 'funnel'],
    ['número de pedido', 'findOrder'],
    ['tope de votos', 'voteLimits'],
    ['registro de votos', 'ledger'],
    ['correo no llegó', 'mailFate'],
    ['comprador sin cuenta', 'mailFate'],
    ['retraso', 'overdueMail'],
    ['columnas', 'listViews'],
    ['borrar cuenta', 'removeAccount'],
    ['rgpd', 'removeAccount'],
    ['sesiones', 'endSessions'],
    ['quién cambió', 'whoChanged'],
    ['precios', 'priceNotes'],
    ['alargar ronda', 'roundEnd'],
    ['papelera', 'deleted'],
    ['mantenimiento', 'announcement'],
    ['términos', 'sitePages'],
    ['idioma', 'siteName'],
    ['logo', 'siteName'],
    ['telegram', 'telegram'],
    ['apagar una red', 'networkOff'],
    ['visitas', 'visits'],
    ['tareas', 'waiting'],
    ['spam', 'hideText'],
    ['2fa', 'mine'],
    ['invitar a un colega', 'newUser'],
    ['copia de seguridad', 'health'],
    ['aplazar lanzamiento', 'moveLaunch'],
    ['correo equivocado', 'correctMailbox'],
    ['moderación', 'hideText'],
    ['palabras prohibidas', 'firstTexts'],
    ['conciliar', 'compareProvider'],
    ['comisión', 'priceNotes'],
    ['encuesta', 'newCandidate'],
    ['errata', 'sitePages'],
    ['pago que no llegó', 'unpaidOrders'],
    ['pago fallido', 'unpaidOrders'],
    ['derechos', 'giveRole'],
    ['solo noticias', 'giveRole'],
    ['retener votos', 'suspectVotes'],
    ['ocultar proyecto', 'hideProject'],
    ['despublicar', 'hideProject'],
    ['parar publicaciones', 'publicationRequests'],
    ['descargar pedidos', 'exportList'],
    ['varias filas', 'bulkActions'],
    ['promesas atrasadas', 'overdueDeliverables'],
    ['desbloquear', 'banMember'],
    ['cliente', 'findPerson'],
    ['texto de ayer', 'projectVersions'],
    ['todo bien', 'health'],
  ])('«%s» means %s', (typed, task) => {
    expect(spanish(typed)).toContain(task);
  });

  it.each<[string, TaskName]>([
    ['support', 'supportAddress'],
    ['vote limit', 'voteLimits'],
    ['order number', 'findOrder'],
    ['impersonate', 'seeAsPerson'],
    ['test mail', 'testMail'],
    ['appeal', 'appeals'],
    ['replace picture', 'replaceImage'],
    ['drop out', 'funnel'],
    ['mail did not arrive', 'mailFate'],
    ['guest buyer', 'mailFate'],
    ['unmatched payment', 'unplacedMoney'],
    ['roll back', 'projectVersions'],
    ['grant role', 'giveRole'],
    ['hide column', 'listViews'],
    ['delete account', 'removeAccount'],
    ['gdpr', 'removeAccount'],
    ['sign out', 'endSessions'],
    ['who changed', 'whoChanged'],
    ['price', 'priceNotes'],
    ['extend round', 'roundEnd'],
    ['trash', 'deleted'],
    ['maintenance', 'announcement'],
    ['privacy', 'sitePages'],
    ['language', 'siteName'],
    ['brand', 'siteName'],
    ['telegram', 'telegram'],
    ['disable network', 'networkOff'],
    ['analytics', 'visits'],
    ['queue', 'waiting'],
    ['abuse', 'hideText'],
    ['status', 'health'],
    ['new user', 'newUser'],
    ['payments csv', 'incomeCsv'],
    ['accountant', 'incomeCsv'],
    ['fee', 'priceNotes'],
    ['commission', 'priceNotes'],
    ['payment method', 'payments'],
    ['wrong email', 'correctMailbox'],
    ['moderation', 'hideText'],
    ['reported posts', 'hideText'],
    ['forbidden word', 'firstTexts'],
    ['scheduled', 'scheduleNews'],
    ['typo', 'sitePages'],
    ['welcome mail', 'mailServer'],
    ['mail template', 'mailServer'],
    ['new vote', 'newCandidate'],
    ['poll', 'newCandidate'],
    ['manipulation', 'suspectVotes'],
    ['launch date', 'moveLaunch'],
    ['postpone', 'moveLaunch'],
    ['ticket', 'supportAddress'],
    ['backup', 'health'],
    ['reconcile', 'compareProvider'],
    ['remove colleague', 'giveRole'],
    ['payment did not arrive', 'unpaidOrders'],
    ['failed payment', 'unpaidOrders'],
    ['order not paid', 'unpaidOrders'],
    ['stuck', 'unpaidOrders'],
    ['rights', 'giveRole'],
    ['news only', 'giveRole'],
    ['hold votes', 'suspectVotes'],
    ['quarantine', 'suspectVotes'],
    ['hide project', 'hideProject'],
    ['unpublish', 'hideProject'],
    ['stop submissions', 'publicationRequests'],
    ['excel', 'exportList'],
    ['download orders', 'exportList'],
    ['bulk', 'bulkActions'],
    ['multiple rows', 'bulkActions'],
    ['overdue promises', 'overdueDeliverables'],
    ['unban', 'banMember'],
    ['customer', 'findPerson'],
    ['yesterday', 'projectVersions'],
    ['everything okay', 'health'],
    ['started and paid', 'funnel'],
    // Only one of the two words is a keyword.
    ['suspicious activity', 'suspectVotes'],
  ])('“%s” means %s', (typed, task) => {
    expect(english(typed)).toContain(task);
  });

  it('are not found by a name, an e-mail address, an order number or one or two characters', () => {
    for (const typed of ['', 'a', 'de', 'lara.ledger@demo.example', 'FL-RBG3EGZP93', 'nadie se llama así'])
      expect(spanish(typed)).toEqual([]);
  });

  it('exclude those that the admin has no right to', () => {
    expect(tasksFor('reembolso', adminTaskTexts.es.tasks, (call) => call !== 'refunds.list')).toEqual([]);
  });
});

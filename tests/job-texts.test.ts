import { expect, test } from 'vitest';
import { adminInboxTexts } from '#app/lib/messages/admin/inbox.ts';
import { FORMER_NAMES, jobs } from '#server/jobs/catalog.ts';
import { renderMail } from '#server/mail/templates.ts';

test('every background job has a name in words in both languages, also under a former name', () => {
  const names = [...Object.keys(jobs), ...Object.values(FORMER_NAMES).flat()].sort();
  expect(Object.keys(adminInboxTexts.es.inbox.jobs).sort()).toEqual(names);
  expect(Object.keys(adminInboxTexts.en.inbox.jobs).sort()).toEqual(names);
});

test('overdue jobs and networks have names in the mail to staff, not codes', () => {
  const items = [
    { source: 'job' as const, title: 'send-mail', hours: 30 },
    { source: 'chain' as const, title: 'binance', hours: 7 },
    { source: 'job' as const, title: 'of-an-earlier-version', hours: 30 },
  ];
  const textIn = (locale: 'es' | 'en') =>
    renderMail('staffOverdue', { items, more: 0, path: '/admin/inbox' }, locale, 'https://florka.test').text;
  expect(textIn('es')).toContain('Tarea fallida: Envío de un correo (30 h)');
  expect(textIn('en')).toContain('Failed job: Sending of a mail (30 h)');
  expect(textIn('en')).toContain('Network: Binance Smart Chain (7 h)');
  expect(textIn('es')).toContain('Tarea fallida: of-an-earlier-version (30 h)');
});

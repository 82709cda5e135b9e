import { expect, it } from 'vitest';
import { renderMail } from './templates.ts';

it.each(['textRemoved', 'textDeclined'] as const)('%s names the hour at which the time to appeal ends', (template) => {
  const data = { title: 'Luna', content: 'Hola', rule: 'spam' as const, reason: 'Repetido', path: '/moderation' };
  const textIn = (locale: 'es' | 'en') =>
    renderMail(template, { ...data, appealUntil: '2026-12-15T01:05:00.000Z' }, locale, 'https://florka.test').text;
  expect(textIn('es').replace(/\s+/g, ' ')).toContain('una vez hasta el 15 de diciembre de 2026, 01:05 (UTC);');
  expect(textIn('en').replace(/\s+/g, ' ')).toContain('once until 15 December 2026, 01:05 (UTC);');
});

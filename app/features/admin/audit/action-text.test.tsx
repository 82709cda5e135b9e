import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { dateTime } from '#app/lib/format/format.ts';
import { LanguageProvider } from '#app/lib/i18n/i18n.tsx';
import { adminAuditActionTexts } from '#app/lib/messages/admin/audit-actions.ts';
import { adminAuditFieldTexts } from '#app/lib/messages/admin/audit-fields.ts';
import { adminAuditValueTexts } from '#app/lib/messages/admin/audit-values.ts';
import { en } from '#app/lib/messages/en.ts';
import { es } from '#app/lib/messages/es.ts';
import { dueFrom } from '#contract/admin/forms/deliverables.ts';
import { AUDIT_FIELDS } from '#contract/admin/shared/audit-fields.ts';
import { deliverableState, evidenceKind, placeKind } from '#contract/domains/deliverables.ts';
import { postCategory, reportReason } from '#contract/domains/forum.ts';
import { notificationKind, notificationMail } from '#contract/domains/notifications.ts';
import { proofEnd, proofMethod } from '#contract/domains/ownership.ts';
import { paymentAnswer, paymentState } from '#contract/domains/payments.ts';
import { refundCause, refundState } from '#contract/domains/refunds.ts';
import { sourceState } from '#contract/domains/tokens.ts';
import { contract } from '#contract/index.ts';
import { PLAN_ITEM_NAMES } from '#contract/text/plan-items.ts';
import { useActionText } from './action-text.ts';
import { Changes } from './Timeline.tsx';

function textsOf(locale: 'es' | 'en', name: string): string[] {
  let messages: string[] = [];
  function Screen() {
    const actionText = useActionText();
    const [kind = '', field = ''] = name.split('.');
    messages = [
      actionText.action(name),
      actionText.kind(kind),
      actionText.field(field),
      actionText.value(field === 'isActive'),
    ];
    return null;
  }
  renderToStaticMarkup(
    <LanguageProvider locale={locale} text={locale === 'es' ? es : en}>
      <Screen />
    </LanguageProvider>,
  );
  return messages;
}

/** Text of a value in the log. */
function asText(locale: 'es' | 'en', value: unknown, field = ''): string {
  let messages = '';
  function Screen() {
    messages = useActionText().value(value, field);
    return null;
  }
  renderToStaticMarkup(
    <LanguageProvider locale={locale} text={locale === 'es' ? es : en}>
      <Screen />
    </LanguageProvider>,
  );
  return messages;
}

describe('values of the audit log', () => {
  it('show the old and the new value of a change, both translated', () => {
    expect(asText('es', 'confirming → partially_paid', 'state')).toBe('Confirmando → Pago parcial');
    expect(asText('en', 'a → b', 'title')).toBe('a → b');
  });

  it('are translated in fields with fixed choices; unknown values and other fields are shown as stored', () => {
    expect(asText('es', 'published_home', 'status')).toBe('Publicado en Home');
    expect(asText('en', 'published_home', 'status')).toBe('Published on home');
    expect(asText('es', 'binance', 'network')).toBe('Binance Smart Chain');
    expect(asText('es', 'pending', 'tokenName')).toBe('pending');
    expect(asText('es', 'something_new', 'status')).toBe('something_new');
    expect(asText('es', 'entry', 'plan')).toBe('Entrada');
    expect(asText('es', ['superseded', 'refunded'], 'attention')).toBe('Pagado después de cambiar de plan, Devuelto');
    expect(asText('en', 'paid_twice', 'attention')).toBe('Another order of the request is paid as well');
    expect(asText('es', 'deliverable', 'cause')).toBe('Entrega retirada');
    expect(asText('es', 'disposable_mail', 'signal')).toBe('Correo desechable');
    expect(asText('en', 'first', 'why')).toBe('One of their first texts');
  });

  it('have a translation for every choice of the contract, each in its field', () => {
    const choices: [field: string, values: readonly string[]][] = [
      ['answer', paymentAnswer.options],
      ['evidenceKind', evidenceKind.options],
      ['item', Object.keys(PLAN_ITEM_NAMES.es)],
      ['items', Object.keys(PLAN_ITEM_NAMES.es)],
      ['mail', notificationMail.options],
      ['notificationKind', notificationKind.options],
      ['placeKind', placeKind.options],
      ['category', postCategory.options],
      ['reason', reportReason.options],
      ['dueFrom', dueFrom.options],
      ['state', [...refundState.options, ...deliverableState.options, ...sourceState.options, ...paymentState.options]],
      ['how', ['password', 'code', 'passkey', 'wallet', 'second factor', ...proofMethod.options]],
      ['why', proofEnd.options],
      ['cause', refundCause.options],
    ];
    for (const locale of ['es', 'en'] as const)
      for (const [field, values] of choices)
        for (const value of values) {
          const words = asText(locale, value, field);
          expect(words, `${locale} ${field} ${value}`).not.toBe(value);
          expect(words, `${locale} ${field} ${value}`).toMatch(/^[A-ZÁÉÍÓÚ¡¿\d]|^dApps$/);
        }
    expect(asText('es', ['uniqueToken', 'docs'], 'items')).toBe('Token único, Documentación');
    expect(asText('es', 'payment', 'dueFrom')).toBe('El pago');
    expect(asText('es', 'usdttrc20', 'asset')).toBe('USDT en la red Tron');
    expect(asText('es', 'vino con un enlace', 'reason')).toBe('vino con un enlace');
  });

  it('are shortened in the middle when they are ids, also in lists', () => {
    const id = 'b72ca4ef-27c5-4431-bc7d-f39441004ef2';
    expect(asText('es', id, 'submissionId')).toBe('b72ca4ef…4ef2');
    expect(asText('en', [id, 'words'], 'anything')).toBe('b72ca4ef…4ef2, words');
    expect(asText('es', `${id}0`, 'reason')).toBe(`${id}0`);
  });

  it('are formatted as local times, days and numbers; an empty value is a dash', () => {
    const at = '2026-11-21T14:05:00.000Z';
    expect(asText('es', at, 'launchDate')).toBe(dateTime(at, 'es'));
    expect(asText('en', '2026-11-21', 'votedOn')).toBe('Nov 21, 2026');
    expect(asText('es', 12_345, 'totalVotes')).toBe('12.345');
    expect([asText('es', null), asText('es', ''), asText('es', [])]).toEqual(['—', '—', '—']);
  });

  it('show lists and records as text, without braces', () => {
    const standing = [
      { tokenName: 'Luna', totalVotes: 3 },
      { tokenName: 'Sol', totalVotes: 1 },
    ];
    expect(asText('es', standing, 'standing')).toBe(
      '(Nombre del token: Luna · Total de votos: 3), (Nombre del token: Sol · Total de votos: 1)',
    );
    expect(asText('en', { role: 'admin', votes: 2 })).toBe('Role: Administrator · Votes: 2');
    expect(asText('es', ['a', 'b'])).toBe('a, b');
  });
});

describe('texts of the audit log', () => {
  it('translate actions, kinds and fields; unknown ones keep their key', () => {
    expect(textsOf('es', 'candidate.votes_reset').slice(0, 2)).toEqual(['Votos reiniciados', 'Candidato']);
    expect(textsOf('en', 'candidate.votes_reset').slice(0, 2)).toEqual(['Votes reset', 'Candidate']);
    expect(textsOf('es', 'network.isActive').slice(1)).toEqual(['Red', 'Activo', 'Sí']);
    expect(textsOf('en', 'network.isActive').slice(1)).toEqual(['Network', 'Active', 'Yes']);
    expect(textsOf('es', 'constructor.toString')).toEqual(['constructor.toString', 'constructor', 'toString', 'No']);
  });

  it('exist for every list that can be exported', () => {
    const lists = Object.entries(contract.admin).flatMap(([name, group]) => {
      const { list } = group as { list?: { '~orpc': { outputSchema?: { shape?: object } } } };
      return 'rows' in (list?.['~orpc'].outputSchema?.shape ?? {}) ? [name] : [];
    });
    expect(lists).toContain('tokenRequests');
    for (const { auditLists } of [adminAuditValueTexts.es, adminAuditValueTexts.en])
      expect(Object.keys(auditLists)).toEqual(expect.arrayContaining(lists));
  });

  it('are different for every action and kind', () => {
    for (const { auditActions, auditKinds } of [adminAuditActionTexts.es, adminAuditActionTexts.en])
      for (const messages of [Object.values(auditActions), Object.values(auditKinds)])
        expect(messages.filter((one, i) => messages.indexOf(one) !== i)).toEqual([]);
  });

  it('exist for every field of an entry, and are all different', () => {
    for (const { auditFields } of [adminAuditFieldTexts.es, adminAuditFieldTexts.en]) {
      expect(Object.keys(auditFields).sort()).toEqual([...AUDIT_FIELDS].sort());
      expect(new Set(Object.values(auditFields)).size).toBe(AUDIT_FIELDS.length);
      // Messages, not codes.
      for (const messages of Object.values(auditFields)) expect(messages).toMatch(/^\p{Lu}/u);
    }
  });
});

describe('changes of an entry', () => {
  const changes = (before: object, after: object) =>
    renderToStaticMarkup(
      <LanguageProvider locale="es" text={es}>
        <Changes entry={{ before, after }} />
      </LanguageProvider>,
    );

  it('show the old value struck out, and unchanged values once', () => {
    const read = changes({ state: 'partially_paid', plan: 'entry' }, { state: 'partially_paid', plan: 'basic' });
    expect(read.match(/Pago parcial/g)).toHaveLength(1);
    expect(read).toMatch(/<del>.*Entrada.*<\/del><ins>.*Básico.*<\/ins>/);
    expect(read.match(/<del>/g)).toHaveLength(1);
  });
});

it('amounts in the audit log have the separators of the language: 1.875 is written 1,875 in Spanish', () => {
  const shown = (locale: 'es' | 'en', value: unknown): string => {
    let text = '';
    function Screen() {
      text = useActionText().value(value, 'amount');
      return null;
    }
    renderToStaticMarkup(
      <LanguageProvider locale={locale} text={locale === 'es' ? es : en}>
        <Screen />
      </LanguageProvider>,
    );
    return text;
  };
  expect(shown('es', 1.875)).toBe('1,875');
  expect(shown('es', 18_750)).toBe('18.750');
  expect(shown('es', '0 → 1875.5')).toBe('0 → 1.875,5');
  expect(shown('en', 1.875)).toBe('1.875');
  expect(shown('es', 'uno → dos')).toBe('uno → dos');
});

import { PLAN_ITEM_NAMES } from '#contract/text/plan-items.ts';
import { defineMessages } from '../define-messages.ts';
import { discussionTexts } from '../discussion.ts';
import { notificationTexts } from '../notifications.ts';
import { adminDeliverablesTexts } from './deliverables.ts';
import { adminTokenTexts } from './token-creation.ts';

const { es, en } = {
  es: {
    categories: discussionTexts.es.discussion.categories,
    notifications: notificationTexts.es.notifications,
    places: adminDeliverablesTexts.es.deliverables.placeKinds,
    problems: adminTokenTexts.es.tokenAdmin.create.problems,
  },
  en: {
    categories: discussionTexts.en.discussion.categories,
    notifications: notificationTexts.en.notifications,
    places: adminDeliverablesTexts.en.deliverables.placeKinds,
    problems: adminTokenTexts.en.tokenAdmin.create.problems,
  },
};

/** Words for the values of fields of the audit log whose choices mean something else in another field. */
export const adminAuditChoiceTexts = defineMessages({
  es: {
    auditChoices: {
      answer: {
        paid: 'Pagado',
        part_paid: 'Pagado en parte',
        not_paid: 'Sin pagar',
        unknown: 'No se pudo preguntar',
      },
      bannedUntil: { infinity: 'Sin fecha de fin' },
      category: es.categories,
      dueFrom: { payment: 'El pago', token: 'La creación del token' },
      evidenceKind: {
        creation: 'El token, leído de la red',
        statement: 'Lo que dice el equipo',
        place: 'Su espacio en la portada',
        url: 'Dirección web',
        transaction: 'Transacción',
        file: 'Imagen',
      },
      item: PLAN_ITEM_NAMES.es,
      items: PLAN_ITEM_NAMES.es,
      mail: es.notifications.mails,
      notificationKind: es.notifications.kinds,
      placeKind: es.places,
      problem: es.problems,
      readerLocale: { es: 'Español', en: 'Inglés' },
      /** Of a report; a reason that somebody wrote is none of these. */
      reason: { spam: 'Spam', scam: 'Estafa', abuse: 'Abuso', other: 'Otro motivo' },
    },
  },
  en: {
    auditChoices: {
      answer: { paid: 'Paid', part_paid: 'Paid in part', not_paid: 'Not paid', unknown: 'Could not be asked' },
      bannedUntil: { infinity: 'Without an end' },
      category: en.categories,
      dueFrom: { payment: 'The payment', token: 'The creation of the token' },
      evidenceKind: {
        creation: 'The token, read back from the chain',
        statement: 'What the team says',
        place: 'Its place on home',
        url: 'Web address',
        transaction: 'Transaction',
        file: 'Picture',
      },
      item: PLAN_ITEM_NAMES.en,
      items: PLAN_ITEM_NAMES.en,
      mail: en.notifications.mails,
      notificationKind: en.notifications.kinds,
      placeKind: en.places,
      problem: en.problems,
      readerLocale: { es: 'Spanish', en: 'English' },
      reason: { spam: 'Spam', scam: 'Scam', abuse: 'Abuse', other: 'Another reason' },
    },
  },
});

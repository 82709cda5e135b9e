import { PAYMENT_STAGE_NAMES, REQUEST_STATUS_NAMES } from '#contract/text/value-names.ts';
import { counted, defineMessages } from '../define-messages.ts';
import { creationFormTexts } from './token-creation/creation-form.ts';
import { requestDialogTexts } from './token-creation/request-dialog.ts';
import { requestsTexts } from './token-creation/requests.ts';
import { signedTexts } from './token-creation/signed-acceptance.ts';
import { unplacedTexts } from './token-creation/unplaced-money.ts';

export const adminTokenTexts = defineMessages({
  es: {
    tokenAdmin: {
      ...requestsTexts.es,
      ...unplacedTexts.es,
      ...requestDialogTexts.es,
      ...signedTexts.es,
      ...creationFormTexts.es,
      heading: 'Creación de tokens',
      lead: 'Las solicitudes del asistente, sus pagos y lo que falta para crear cada token.',
      tabs: {
        label: 'Partes de la creación de tokens',
        requests: 'Solicitudes',
        create: 'Creación',
        networks: 'Redes',
      },
      networksCount: (count: string) => counted(count, 'red', 'redes'),
      yes: 'Sí',
      no: 'No',
      status: REQUEST_STATUS_NAMES.es,
      stages: PAYMENT_STAGE_NAMES.es,
      provider: {
        waiting: 'Esperando',
        confirming: 'Confirmando',
        confirmed: 'Confirmado',
        sending: 'Casi listo',
        partially_paid: 'Parcial',
        finished: 'Completo',
        failed: 'Fallido',
        refunded: 'Devuelto',
        expired: 'Vencido',
        unknown: 'Un estado que no conocemos',
      },
      missing: (amount: string) => `faltan ${amount}`,
      acceptedBy: (who: string) => `aceptado por ${who}`,
      moneyOf: {
        ordered: 'Pedido',
        received: 'Recibido',
        missing: 'Falta',
        returned: 'Devuelto',
        remaining: 'Queda',
        accepted: 'Aceptado por',
      },
    },
  },
  en: {
    tokenAdmin: {
      ...requestsTexts.en,
      ...unplacedTexts.en,
      ...requestDialogTexts.en,
      ...signedTexts.en,
      ...creationFormTexts.en,
      heading: 'Token creation',
      lead: 'The requests of the wizard, their payments, and what each token still needs.',
      tabs: { label: 'Parts of the token creation', requests: 'Requests', create: 'Creation', networks: 'Networks' },
      networksCount: (count) => counted(count, 'network', 'networks'),
      yes: 'Yes',
      no: 'No',
      status: REQUEST_STATUS_NAMES.en,
      stages: PAYMENT_STAGE_NAMES.en,
      provider: {
        waiting: 'Waiting',
        confirming: 'Confirming',
        confirmed: 'Confirmed',
        sending: 'Almost done',
        partially_paid: 'Partial',
        finished: 'Complete',
        failed: 'Failed',
        refunded: 'Given back',
        expired: 'Expired',
        unknown: 'A status that we do not know',
      },
      missing: (amount) => `${amount} missing`,
      acceptedBy: (who) => `accepted by ${who}`,
      moneyOf: {
        ordered: 'Ordered',
        received: 'Received',
        missing: 'Missing',
        returned: 'Given back',
        remaining: 'Left',
        accepted: 'Accepted by',
      },
    },
  },
});

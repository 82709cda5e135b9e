import type { SettingName } from '#contract/domains/settings.ts';
import { defineMessages } from '../define-messages.ts';
import { mailSettingTexts } from './settings/mail.ts';
import { paymentSettingTexts } from './settings/payments.ts';
import { priceSettingTexts } from './settings/prices.ts';
import { ruleSettingTexts } from './settings/rules.ts';
import { siteSettingTexts } from './settings/site.ts';

interface SettingTexts {
  label: string;
  hint: string;
  /** What is wrong when the server refuses it. */
  error: string;
}

/** The screen of settings. */
export const adminSettingsTexts = defineMessages({
  es: {
    settings: {
      heading: 'Ajustes',
      lead: 'Lo que puede cambiar mientras el sitio funciona. Cada cambio vale enseguida, queda en la auditoría y pide tu prueba de identidad. Lo que no dice quién lo guardó tiene su valor inicial.',
      loading: 'Cargando ajustes...',
      loadFailed: 'No se pudieron cargar los ajustes',
      noAnnouncement: 'Escribe y guarda primero el aviso, en los dos idiomas.',
      parts: 'Partes de los ajustes',
      groups: {
        site: {
          title: 'Sitio',
          text: 'Cómo se llama, en qué idiomas habla, cómo se llega al equipo y quién puede enviar proyectos.',
        },
        announcement: {
          title: 'Aviso en todas las páginas',
          text: 'Empieza y termina solo, a las horas que escribas: las de tu zona horaria.',
        },
        mail: {
          title: 'Correo',
          text: 'Por dónde salen los correos. Sus textos son parte del programa: aquí no cambian. El secreto se guarda cifrado y no se muestra más.',
        },
        telegram: {
          title: 'Telegram',
          text: 'El bot al que los miembros pueden vincular sus avisos. El token se guarda cifrado y no se muestra más.',
        },
        payments: {
          title: 'Pagos',
          text: 'El proveedor de pagos. Los secretos se guardan cifrados y no se muestran más.',
        },
        prices: {
          title: 'Notas de los precios',
          text: 'Lo que se lee junto al precio de cada plan. Los precios están fijados en el programa: no cambian aquí.',
        },
        tokens: {
          title: 'Creación de tokens',
          text: 'Cuándo hace falta un segundo administrador. El firmante lo comprueba antes de firmar.',
        },
        votes: { title: 'Votos', text: 'Quién vota y a qué ritmo. Un voto por candidato y día UTC es fijo.' },
        rounds: { title: 'Calendario de rondas', text: 'Cuánto duran, a qué hora cierran y si otra las sigue.' },
        forum: { title: 'Foro', text: 'Lo que se lee antes de publicarse.' },
        retention: { title: 'Cuánto se guarda', text: 'Lo más viejo se borra solo.' },
      },
      names: {
        ...siteSettingTexts.es,
        ...priceSettingTexts.es,
        ...mailSettingTexts.es,
        ...paymentSettingTexts.es,
        ...ruleSettingTexts.es,
      } satisfies Record<SettingName, SettingTexts>,
      choices: { siteLanguages: { both: 'Español e inglés', es: 'Solo español', en: 'Solo inglés' } },
      from: { environment: 'Fijado en el servidor', unreadable: 'No se puede leer' },
      fixedBy: (variable: string) => `Lo decide la variable ${variable} del entorno: aquí no cambia nada.`,
      unreadable: 'Se guardó con otra clave de la instalación (AUTH_SECRET): escríbelo de nuevo.',
      savedBy: (who: string) => `Guardado por ${who},`,
      operator: 'quien opera el servidor o una cuenta eliminada',
      defaultValue: 'Valor inicial del programa',
      byItself: 'Por sí solo',
      defaultIs: (value: string) => `Inicial: ${value}`,
      on: 'activado',
      off: 'desactivado',
      imageSet: 'otra imagen',
      secretKept: 'Guardado; vacío lo deja igual',
      secretNone: 'Sin guardar',
      removeSecret: (name: string) => `Quitar: ${name}`,
      save: 'Guardar',
      saving: 'Guardando...',
      discard: 'Deshacer cambios',
      unsaved: (count: number) => (count === 1 ? '1 cambio sin guardar' : `${count} cambios sin guardar`),
      saved: 'Ajustes guardados',
      savedText: 'Cada proceso del sitio los aplica en cuanto los lee, en un segundo si la base de datos responde.',
      saveFailed: 'No se guardó ningún ajuste',
      conflict:
        'Otra persona cambió alguno mientras tanto. Junto a cada uno está lo que vale ahora; guarda otra vez para dejar lo tuyo.',
      met: (now: string) => `Otra persona lo cambió mientras tanto. Ahora vale: ${now}`,
      secretSet: 'Hay uno guardado',
      trial: {
        running: 'Probando...',
        open: 'Abrir la factura de prueba',
        detail: 'Detalle técnico, en inglés:',
        mail: {
          action: 'Enviarme un correo de prueba',
          hint: 'A tu propio buzón, con lo que vale ahora.',
          ok: 'El servidor de correo lo aceptó:',
          fate: 'Los correos a una persona están en su página, con cuenta o sin ella',
          stored: 'No hay servidor de correo: no le llega a nadie. Quedó como archivo en',
          failed: 'El correo de prueba no salió',
          nowhere: 'No hay servidor de correo.',
        },
        payments: {
          action: 'Crear un pago de prueba',
          hint: 'Una factura de 20 USD sin pedido. Quien la pague deja dinero sin colocar.',
          ok: 'El proveedor creó la factura:',
          failed: 'El proveedor no creó la factura',
          nowhere: 'No hay proveedor de pagos.',
        },
        telegram: {
          action: 'Comprobar el bot',
          hint: 'Pregunta a Telegram quién es; no escribe a nadie.',
          ok: 'Telegram conoce al bot:',
          failed: 'El bot no funciona así',
          nowhere: 'No hay bot: faltan el token y el nombre.',
        },
      },
    },
  },
  en: {
    settings: {
      heading: 'Settings',
      lead: 'What may change while the site runs. Each change counts at once, stands in the audit log and asks for your proof of identity. What does not name who stored it has its initial value.',
      loading: 'Loading settings...',
      loadFailed: 'The settings could not be loaded',
      noAnnouncement: 'Write and save the announcement first, in both languages.',
      parts: 'Parts of the settings',
      groups: {
        site: {
          title: 'Site',
          text: 'What it is called, its languages, how the team is reached, and who may send projects.',
        },
        announcement: {
          title: 'Announcement on every page',
          text: 'It begins and ends by itself at the times you write, which are those of your time zone.',
        },
        mail: {
          title: 'Mail',
          text: 'How mails go out. Their texts are part of the program and do not change here. The secret is stored encrypted and is not shown again.',
        },
        telegram: {
          title: 'Telegram',
          text: 'The bot that members may link for their notifications. The token is stored encrypted and is not shown again.',
        },
        payments: {
          title: 'Payments',
          text: 'The payment provider. Secrets are stored encrypted and are not shown again.',
        },
        prices: {
          title: 'Notes of prices',
          text: 'What is read beside the price of each plan. The prices are fixed in the program: they do not change here.',
        },
        tokens: {
          title: 'Creation of tokens',
          text: 'When a second admin is needed. The signer checks it before it signs.',
        },
        votes: { title: 'Votes', text: 'Who votes and how fast. One vote for a candidate and UTC day is fixed.' },
        rounds: {
          title: 'Calendar of rounds',
          text: 'How long they last, at what hour they close, and whether another one follows.',
        },
        forum: { title: 'Forum', text: 'What is read before it is published.' },
        retention: { title: 'How long things are kept', text: 'What is older is deleted by itself.' },
      },
      names: {
        ...siteSettingTexts.en,
        ...priceSettingTexts.en,
        ...mailSettingTexts.en,
        ...paymentSettingTexts.en,
        ...ruleSettingTexts.en,
      } satisfies Record<SettingName, SettingTexts>,
      choices: { siteLanguages: { both: 'Spanish and English', es: 'Spanish only', en: 'English only' } },
      from: { environment: 'Set on the server', unreadable: 'Not readable' },
      fixedBy: (variable) => `The variable ${variable} of the environment decides: nothing changes here.`,
      unreadable: 'It was stored under another key of the installation (AUTH_SECRET): write it again.',
      savedBy: (who) => `Saved by ${who},`,
      operator: 'whoever operates the server, or a deleted account',
      defaultValue: 'Initial value of the program',
      byItself: 'By itself',
      defaultIs: (value) => `Initial: ${value}`,
      on: 'on',
      off: 'off',
      imageSet: 'another image',
      secretKept: 'Stored; empty leaves it as it is',
      secretNone: 'None stored',
      removeSecret: (name) => `Remove: ${name}`,
      save: 'Save',
      saving: 'Saving...',
      discard: 'Undo changes',
      unsaved: (count) => (count === 1 ? '1 unsaved change' : `${count} unsaved changes`),
      saved: 'Settings saved',
      savedText:
        'Each process of the site applies them once it has read them, within a second where the database responds.',
      saveFailed: 'No setting was saved',
      conflict:
        'Somebody else changed some of them meanwhile. What counts now stands beside each; save again to keep yours.',
      met: (now) => `Somebody else changed it meanwhile. It is now: ${now}`,
      secretSet: 'One is stored',
      trial: {
        running: 'Trying...',
        open: 'Open the test invoice',
        detail: 'Technical detail:',
        mail: {
          action: 'Send me a test mail',
          hint: 'To your own mailbox, with what counts now.',
          ok: 'The mail server took it:',
          fate: 'Mails to a person are on their page, with an account or without',
          stored: 'There is no mail server: nobody gets it. It was kept as a file in',
          failed: 'The test mail did not go out',
          nowhere: 'There is no mail server.',
        },
        payments: {
          action: 'Make a test payment',
          hint: 'An invoice over 20 USD without an order. Whoever pays it leaves money to place.',
          ok: 'The provider made the invoice:',
          failed: 'The provider did not make the invoice',
          nowhere: 'There is no payment provider.',
        },
        telegram: {
          action: 'Test the bot',
          hint: 'Asks Telegram who it is; writes to nobody.',
          ok: 'Telegram knows the bot:',
          failed: 'The bot does not work like this',
          nowhere: 'There is no bot: token and name are missing.',
        },
      },
    },
  },
});

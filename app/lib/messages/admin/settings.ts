import type { SettingName } from '#contract/domains/settings.ts';
import { defineMessages } from '../define-messages.ts';

interface Words {
  label: string;
  hint: string;
  /** What is wrong when the server refuses it. */
  error: string;
}
type Names = Record<SettingName, Words>;

const NOTE_ES = 'Escribe la nota en los dos idiomas, con 200 caracteres como mucho.';
const NOTE_EN = 'Write the note in both languages, with 200 characters at most.';

const es: Names = {
  siteName: {
    label: 'Nombre del sitio',
    hint: 'En páginas, correos, tarjetas, feeds y en la app instalada, en lugar de «Florka». Hasta 40 caracteres.',
    error: 'Escribe un nombre de una línea, con 40 caracteres como mucho.',
  },
  siteMark: {
    label: 'Marca del sitio',
    hint: 'Junto al nombre, en la pestaña del navegador, la app instalada, los avisos y las tarjetas para compartir. JPG, PNG, WebP o GIF que no se mueva, máximo 5 MB; mejor cuadrada y con fondo transparente. Sin ella, la de siempre.',
    error: 'Sube una imagen que no se mueva.',
  },
  siteLanguages: {
    label: 'Idiomas del sitio',
    hint: 'Con uno solo no hay cambio de idioma, las direcciones del otro llevan a él y los correos salen en él. La administración conserva los dos.',
    error: 'Elige los idiomas.',
  },
  planEntryEs: {
    label: 'Plan ENTRY, en español',
    hint: 'Junto al precio del plan. Hace falta en los dos idiomas; vacío: nada.',
    error: NOTE_ES,
  },
  planEntryEn: {
    label: 'Plan ENTRY, en inglés',
    hint: 'Junto al precio del plan, en las páginas en inglés.',
    error: NOTE_ES,
  },
  planBasicEs: {
    label: 'Plan BASIC, en español',
    hint: 'Junto al precio del plan. Hace falta en los dos idiomas; vacío: nada.',
    error: NOTE_ES,
  },
  planBasicEn: {
    label: 'Plan BASIC, en inglés',
    hint: 'Junto al precio del plan, en las páginas en inglés.',
    error: NOTE_ES,
  },
  planStandardEs: {
    label: 'Plan STANDARD, en español',
    hint: 'Junto al precio del plan. Hace falta en los dos idiomas; vacío: nada.',
    error: NOTE_ES,
  },
  planStandardEn: {
    label: 'Plan STANDARD, en inglés',
    hint: 'Junto al precio del plan, en las páginas en inglés.',
    error: NOTE_ES,
  },
  planCompleteEs: {
    label: 'Plan COMPLETE, en español',
    hint: 'Junto al precio del plan. Hace falta en los dos idiomas; vacío: nada.',
    error: NOTE_ES,
  },
  planCompleteEn: {
    label: 'Plan COMPLETE, en inglés',
    hint: 'Junto al precio del plan, en las páginas en inglés.',
    error: NOTE_ES,
  },
  roundDays: {
    label: 'Días de cada ronda',
    hint: 'De 1 a 365. Vale para las rondas que se abran desde ahora; la abierta conserva su final.',
    error: 'Escribe un número de 1 a 365.',
  },
  roundHour: {
    label: 'Hora de cierre (UTC)',
    hint: 'De 0 a 23. Cada ronda nueva termina a esa hora, hasta 12 horas antes o después de cumplir sus días. Vacío: a la hora en que se abrió.',
    error: 'Escribe una hora de 0 a 23.',
  },
  roundFollows: {
    label: 'La siguiente ronda se abre sola',
    hint: 'Desactivado: al terminar una ronda la votación queda en pausa. En la pantalla de votos se puede decir otra cosa para una ronda.',
    error: 'Elige activado o desactivado.',
  },
  supportEmail: {
    label: 'Buzón de ayuda',
    hint: 'Se muestra en pedidos, publicación y contacto; las respuestas a los correos llegan ahí.',
    error: 'Escribe una dirección de correo.',
  },
  publicSubmissions: {
    label: 'Quién puede pedir una publicación',
    hint: 'Activado: cualquiera puede enviar su proyecto. Desactivado: la página dice que llegará pronto.',
    error: 'Elige activado o desactivado.',
  },
  bannerEs: {
    label: 'Aviso en español',
    hint: 'Sobre todas las páginas. Hace falta en los dos idiomas.',
    error: 'Escribe el aviso en los dos idiomas, con 300 caracteres como mucho.',
  },
  bannerEn: {
    label: 'Aviso en inglés',
    hint: 'Sobre todas las páginas en inglés.',
    error: 'Escribe el aviso en los dos idiomas, con 300 caracteres como mucho.',
  },
  overdueMails: {
    label: 'Avisar al equipo de lo atrasado por correo',
    hint: 'A cada administrador, cuando algo de la bandeja espera más de su plazo; de cada cosa, una vez. En la lista de avisos y en el navegador lo ve como lo elija en sus avisos.',
    error: 'Este valor no es válido.',
  },
  weeklyReport: {
    label: 'Informe semanal por correo',
    hint: 'Los lunes (UTC), a cada administrador: registros, votos, pedidos, ingresos y promesas vencidas.',
    error: 'Este valor no es válido.',
  },
  bannerShown: {
    label: 'Anuncio publicado',
    hint: 'Apagado es un borrador: solo lo ve quien tenga su enlace de vista previa.',
    error: 'Este valor no es válido.',
  },
  bannerFrom: { label: 'Se muestra desde', hint: 'Vacío: enseguida.', error: 'Escribe un día y una hora.' },
  bannerUntil: {
    label: 'Se muestra hasta',
    hint: 'Vacío: hasta que lo quites.',
    error: 'Escribe un día y una hora después del comienzo.',
  },
  mailFrom: { label: 'Remitente', hint: 'Nombre <buzón@dominio>', error: 'Escribe un remitente de una línea.' },
  smtpUrl: {
    label: 'Servidor de correo (SMTP)',
    hint: 'smtp://usuario:clave@host:587 o smtps://… Sin él, los correos quedan en archivos del servidor.',
    error: 'Escribe una dirección smtp:// o smtps://.',
  },
  telegramToken: {
    label: 'Token del bot',
    hint: 'De @BotFather. Un bot propio, que no lea ningún otro programa.',
    error: 'Hacen falta los dos: el token, como 123456789:AbC…, y el nombre.',
  },
  telegramBot: {
    label: 'Nombre del bot',
    hint: 'Sin @; termina en «bot».',
    error: 'Hacen falta los dos: el nombre, que termina en «bot», y el token.',
  },
  telegramUrl: {
    label: 'Dirección de su API',
    hint: 'El token se envía a esta dirección. Otra distinta solo con un servidor propio de la Bot API.',
    error: 'Escribe una dirección con http:// o https://.',
  },
  paymentsKey: {
    label: 'Clave de NOWPayments',
    hint: 'Junto con el secreto de avisos.',
    error: 'Hacen falta los dos: la clave y el secreto de avisos.',
  },
  paymentsIpnSecret: {
    label: 'Secreto de sus avisos (IPN)',
    hint: 'Al menos 16 caracteres.',
    error: 'Hacen falta los dos: la clave y el secreto, de al menos 16 caracteres.',
  },
  paymentsOldKeys: {
    label: 'Claves anteriores',
    hint: 'Con comas: los pagos que crearon se siguen leyendo con ellas.',
    error: 'Escribe claves separadas por comas.',
  },
  paymentsOldIpnSecrets: {
    label: 'Secretos de avisos anteriores',
    hint: 'Con comas: lo que firmaron se sigue escuchando.',
    error: 'Escribe secretos separados por comas.',
  },
  paymentsUrl: {
    label: 'Dirección de su API',
    hint: 'La clave se envía a esta dirección.',
    error: 'Escribe una dirección http:// o https://.',
  },
  paymentsShared: {
    label: 'La cuenta sirve también a otras tiendas',
    hint: 'Activado: el dinero con números de pedido ajenos se deja.',
    error: 'Elige activado o desactivado.',
  },
  paymentsEmail: {
    label: 'Correo de la cuenta',
    hint: 'Con su contraseña, encuentra depósitos cuyos avisos se perdieron.',
    error: 'Hacen falta los dos: el correo y la contraseña.',
  },
  paymentsPassword: {
    label: 'Contraseña de la cuenta',
    hint: 'Solo para leer listas de depósitos.',
    error: 'Hacen falta los dos: el correo y la contraseña.',
  },
  creationApproval: {
    label: 'Dos administradores para crear cada token',
    hint: 'Uno aprueba el resumen que confirmó quien pagó; otro pulsa «Create Token». Con una sola cuenta admin no se puede crear ninguno.',
    error: 'Elige activado o desactivado.',
  },
  creationApprovalAbove: {
    label: 'Dos administradores si cuesta más de (USD)',
    hint: 'El precio del plan o del pedido más caro de la solicitud. Vacío: no depende del importe.',
    error: 'Escribe dólares enteros, de 0 a 1 000 000.',
  },
  voteConfirmedOnly: {
    label: 'Solo vota quien confirmó su correo',
    hint: 'Por sí solo: activado cuando los correos salen por SMTP.',
    error: 'Elige activado o desactivado.',
  },
  votesPerMinute: {
    label: 'Votos de una cuenta por minuto',
    hint: 'De 1 a 1000.',
    error: 'Escribe un número de 1 a 1000.',
  },
  votesPerDay: {
    label: 'Votos de una cuenta en 24 horas',
    hint: 'De 1 a 10 000, entre todos los candidatos.',
    error: 'Escribe un número de 1 a 10 000.',
  },
  forumReview: {
    label: 'Revisar los primeros textos y enlaces',
    hint: 'Activado: los primeros textos y enlaces de cuentas nuevas esperan hasta que una persona del equipo los lee; /moderation dice la regla. Desactivado: todo se publica al momento.',
    error: 'Elige activado o desactivado.',
  },
  removalCopyDays: {
    label: 'Días de las copias de textos retirados',
    hint: 'De 90 a 3650. La copia y el motivo que ve su autor; el registro público se queda. Con un recurso abierto no se borran.',
    error: 'Escribe un número de 90 a 3650.',
  },
  pageViewDays: {
    label: 'Días que se guardan las cuentas de páginas vistas',
    hint: 'De 28 a 3650. Solo son números por día y tipo de página; los más viejos se borran en la limpieza de cada hora.',
    error: 'Escribe un número de 28 a 3650.',
  },
  notificationDays: {
    label: 'Días que se guardan los avisos de los miembros',
    hint: 'De 7 a 3650; los más viejos se borran en la limpieza de cada hora.',
    error: 'Escribe un número de 7 a 3650.',
  },
};

const en: Names = {
  siteName: {
    label: 'Name of the site',
    hint: 'On pages, in mails, cards, feeds and the installed app, in the place of “Florka”. Up to 40 characters.',
    error: 'Write a name of one line, with 40 characters at most.',
  },
  siteMark: {
    label: 'Mark of the site',
    hint: 'Beside the name, in the tab of the browser, the installed app, notices and cards for sharing. JPG, PNG, WebP or a GIF that does not move, up to 5 MB; best square and with a transparent background. Without one, the usual mark.',
    error: 'Upload an image that does not move.',
  },
  siteLanguages: {
    label: 'Languages of the site',
    hint: 'With one alone there is no switch, addresses of the other one lead to it, and mails go out in it. The back office keeps both.',
    error: 'Choose the languages.',
  },
  planEntryEs: {
    label: 'Plan ENTRY, in Spanish',
    hint: 'Beside the price of the plan. It is needed in both languages; empty: nothing.',
    error: NOTE_EN,
  },
  planEntryEn: {
    label: 'Plan ENTRY, in English',
    hint: 'Beside the price of the plan, on English pages.',
    error: NOTE_EN,
  },
  planBasicEs: {
    label: 'Plan BASIC, in Spanish',
    hint: 'Beside the price of the plan. It is needed in both languages; empty: nothing.',
    error: NOTE_EN,
  },
  planBasicEn: {
    label: 'Plan BASIC, in English',
    hint: 'Beside the price of the plan, on English pages.',
    error: NOTE_EN,
  },
  planStandardEs: {
    label: 'Plan STANDARD, in Spanish',
    hint: 'Beside the price of the plan. It is needed in both languages; empty: nothing.',
    error: NOTE_EN,
  },
  planStandardEn: {
    label: 'Plan STANDARD, in English',
    hint: 'Beside the price of the plan, on English pages.',
    error: NOTE_EN,
  },
  planCompleteEs: {
    label: 'Plan COMPLETE, in Spanish',
    hint: 'Beside the price of the plan. It is needed in both languages; empty: nothing.',
    error: NOTE_EN,
  },
  planCompleteEn: {
    label: 'Plan COMPLETE, in English',
    hint: 'Beside the price of the plan, on English pages.',
    error: NOTE_EN,
  },
  roundDays: {
    label: 'Days of each round',
    hint: '1 to 365. It counts for rounds that open from now on; the open one keeps its end.',
    error: 'Write a number from 1 to 365.',
  },
  roundHour: {
    label: 'Closing hour (UTC)',
    hint: '0 to 23. Each new round ends at that hour, up to 12 hours before or after its days are over. Empty: at the hour at which it opened.',
    error: 'Write an hour from 0 to 23.',
  },
  roundFollows: {
    label: 'The next round opens by itself',
    hint: 'Off: voting pauses when a round ends. The screen of votes can say otherwise for one round.',
    error: 'Choose on or off.',
  },
  supportEmail: {
    label: 'Help mailbox',
    hint: 'Shown on orders, publication and contact; answers to mails go there.',
    error: 'Write a mail address.',
  },
  publicSubmissions: {
    label: 'Who may ask for a publication',
    hint: 'On: everybody may send their project. Off: the page says that it comes soon.',
    error: 'Choose on or off.',
  },
  bannerEs: {
    label: 'Announcement in Spanish',
    hint: 'Above every page. It is needed in both languages.',
    error: 'Write the announcement in both languages, with 300 characters at most.',
  },
  bannerEn: {
    label: 'Announcement in English',
    hint: 'Above every English page.',
    error: 'Write the announcement in both languages, with 300 characters at most.',
  },
  overdueMails: {
    label: 'Mail the team what is overdue',
    hint: 'To every admin when something in the inbox waits past its deadline; of each thing once. In the list of notifications and in the browser as each admin chose it there.',
    error: 'This value is not valid.',
  },
  weeklyReport: {
    label: 'Weekly report by mail',
    hint: 'On Mondays (UTC), to every admin: sign-ups, votes, orders, income and promises overdue.',
    error: 'This value is not valid.',
  },
  bannerShown: {
    label: 'Announcement published',
    hint: 'Off makes it a draft: only who has its preview link sees it.',
    error: 'This value is not valid.',
  },
  bannerFrom: { label: 'Shown from', hint: 'Empty: at once.', error: 'Write a day and an hour.' },
  bannerUntil: {
    label: 'Shown until',
    hint: 'Empty: until you remove it.',
    error: 'Write a day and an hour after the beginning.',
  },
  mailFrom: { label: 'Sender', hint: 'Name <mailbox@domain>', error: 'Write a sender of one line.' },
  smtpUrl: {
    label: 'Mail server (SMTP)',
    hint: 'smtp://user:password@host:587 or smtps://… Without it mails become files on the server.',
    error: 'Write an address with smtp:// or smtps://.',
  },
  telegramToken: {
    label: 'Token of the bot',
    hint: 'From @BotFather. A bot of its own, which no other program reads.',
    error: 'Both are needed: the token, as 123456789:AbC…, and the name.',
  },
  telegramBot: {
    label: 'Name of the bot',
    hint: 'Without @; it ends in “bot”.',
    error: 'Both are needed: the name, which ends in “bot”, and the token.',
  },
  telegramUrl: {
    label: 'Address of its API',
    hint: 'The token is sent to this address. Another one only with a Bot API server of your own.',
    error: 'Write an address with http:// or https://.',
  },
  paymentsKey: {
    label: 'Key of NOWPayments',
    hint: 'Together with the callback secret.',
    error: 'Both are needed: the key and the callback secret.',
  },
  paymentsIpnSecret: {
    label: 'Secret of its callbacks (IPN)',
    hint: 'At least 16 characters.',
    error: 'Both are needed: the key and the secret, of at least 16 characters.',
  },
  paymentsOldKeys: {
    label: 'Earlier keys',
    hint: 'With commas: payments that they made are still read with them.',
    error: 'Write keys with commas between them.',
  },
  paymentsOldIpnSecrets: {
    label: 'Earlier callback secrets',
    hint: 'With commas: what they signed is still listened to.',
    error: 'Write secrets with commas between them.',
  },
  paymentsUrl: {
    label: 'Address of its API',
    hint: 'The key is sent to this address.',
    error: 'Write an address with http:// or https://.',
  },
  paymentsShared: {
    label: 'The account serves other shops too',
    hint: 'On: money with order numbers of others is left alone.',
    error: 'Choose on or off.',
  },
  paymentsEmail: {
    label: 'Mail address of the account',
    hint: 'With its password it finds deposits whose callbacks got lost.',
    error: 'Both are needed: the mail address and the password.',
  },
  paymentsPassword: {
    label: 'Password of the account',
    hint: 'Only to read lists of deposits.',
    error: 'Both are needed: the mail address and the password.',
  },
  creationApproval: {
    label: 'Two admins for each token',
    hint: 'One approves the summary that the payer confirmed; another presses “Create Token”. With one admin account none can be made.',
    error: 'Choose on or off.',
  },
  creationApprovalAbove: {
    label: 'Two admins where it costs more than (USD)',
    hint: 'The price of the plan, or of the dearest order of the request. Empty: the amount makes no difference.',
    error: 'Write whole dollars, from 0 to 1,000,000.',
  },
  voteConfirmedOnly: {
    label: 'Only members with a confirmed mailbox vote',
    hint: 'By itself: on when mails go out over SMTP.',
    error: 'Choose on or off.',
  },
  votesPerMinute: {
    label: 'Votes of one account a minute',
    hint: '1 to 1000.',
    error: 'Write a number from 1 to 1000.',
  },
  votesPerDay: {
    label: 'Votes of one account in 24 hours',
    hint: '1 to 10,000, for all candidates together.',
    error: 'Write a number from 1 to 10,000.',
  },
  forumReview: {
    label: 'Review first texts and links',
    hint: 'On: the first texts and links of new accounts wait until somebody of the team has read them; /moderation says the rule. Off: everything is published at once.',
    error: 'Choose on or off.',
  },
  removalCopyDays: {
    label: 'Days of the copies of removed texts',
    hint: '90 to 3,650. The copy and the reason that its author sees; the public log stays. With an open appeal they are kept.',
    error: 'Write a number from 90 to 3,650.',
  },
  pageViewDays: {
    label: 'Days that counts of shown pages are kept',
    hint: '28 to 3,650. They are numbers by day and kind of page only; older ones are deleted by the hourly housekeeping.',
    error: 'Write a number from 28 to 3,650.',
  },
  notificationDays: {
    label: 'Days that notifications of members are kept',
    hint: '7 to 3650; older ones are deleted by the hourly housekeeping.',
    error: 'Write a number from 7 to 3650.',
  },
};

/** The screens of settings and of the state of the installation. */
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
      names: es,
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
      savedText: 'Ya valen en todos los procesos del sitio.',
      saveFailed: 'No se guardó ningún ajuste',
      conflict:
        'Otra persona cambió alguno mientras tanto. Junto a cada uno está lo que vale ahora; guarda otra vez para dejar lo tuyo.',
      met: (now: string) => `Otra persona lo cambió mientras tanto. Ahora vale: ${now}`,
      secretSet: 'Hay uno guardado',
      trial: {
        running: 'Probando...',
        open: 'Abrir la factura de prueba',
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
      doctor: {
        heading: 'Estado de la instalación',
        lead: 'Lo que dice «florka doctor» del proceso que responde. Sus palabras están en inglés, para enviarlas a quien ayude.',
        loading: 'Revisando la instalación...',
        failed: 'No se pudo revisar la instalación',
        fine: 'Nada está mal',
        problems: (count: number) => (count === 1 ? '1 cosa por mirar' : `${count} cosas por mirar`),
        readAt: 'Revisado',
        again: 'Revisar de nuevo',
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
      names: en,
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
      savedText: 'They count in every process of the site now.',
      saveFailed: 'No setting was saved',
      conflict:
        'Somebody else changed some of them meanwhile. What counts now stands beside each; save again to keep yours.',
      met: (now) => `Somebody else changed it meanwhile. It is now: ${now}`,
      secretSet: 'One is stored',
      trial: {
        running: 'Trying...',
        open: 'Open the test invoice',
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
      doctor: {
        heading: 'State of the installation',
        lead: 'What «florka doctor» says of the process that answers, to be sent to whoever helps.',
        loading: 'Looking at the installation...',
        failed: 'The installation could not be looked at',
        fine: 'Nothing is wrong',
        problems: (count) => (count === 1 ? '1 thing needs a look' : `${count} things need a look`),
        readAt: 'Looked at',
        again: 'Look again',
      },
    },
  },
});

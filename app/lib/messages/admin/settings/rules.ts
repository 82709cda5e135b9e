import { defineMessages } from '../../define-messages.ts';

/** The settings of rules: creation of tokens, votes, rounds, forum, and how long data are kept. */
export const ruleSettingTexts = defineMessages({
  es: {
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
      hint: 'También quienes confirmó el equipo. Por sí solo: activado cuando los correos salen por SMTP.',
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
    forumReview: {
      label: 'Revisar los primeros textos y enlaces',
      hint: 'Activado: los primeros textos y enlaces de cuentas nuevas esperan hasta que una persona del equipo los lee; /moderation dice la regla. Desactivado: todo se publica al momento.',
      error: 'Elige activado o desactivado.',
    },
    notificationDays: {
      label: 'Días que se guardan los avisos de los miembros',
      hint: 'De 7 a 3650; los más viejos se borran en la limpieza de cada hora.',
      error: 'Escribe un número de 7 a 3650.',
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
  },
  en: {
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
      hint: 'Also those whom the team confirmed. By itself: on when mails go out over SMTP.',
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
    forumReview: {
      label: 'Review first texts and links',
      hint: 'On: the first texts and links of new accounts wait until somebody of the team has read them; /moderation says the rule. Off: everything is published at once.',
      error: 'Choose on or off.',
    },
    notificationDays: {
      label: 'Days that notifications of members are kept',
      hint: '7 to 3650; older ones are deleted by the hourly housekeeping.',
      error: 'Write a number from 7 to 3650.',
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
  },
});

import { defineMessages } from '../../define-messages.ts';

/** The settings of mails and of the Telegram bot. */
export const mailSettingTexts = defineMessages({
  es: {
    mailFrom: { label: 'Remitente', hint: 'Nombre <buzón@dominio>', error: 'Escribe un remitente de una línea.' },
    overdueMails: {
      label: 'Avisar al equipo de lo atrasado por correo',
      hint: 'A cada administrador, cuando algo de su parte de la bandeja espera más de su plazo; de cada cosa, una vez, y otra si cambia y vuelve a esperar. En la lista de avisos, el navegador y Telegram lo ve como lo elija en sus avisos.',
      error: 'Este valor no es válido.',
    },
    weeklyReport: {
      label: 'Informe semanal por correo',
      hint: 'Los lunes (UTC), a cada propietario: páginas vistas, registros, votos, publicaciones del foro, pedidos, ingresos y promesas vencidas.',
      error: 'Este valor no es válido.',
    },
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
  },
  en: {
    mailFrom: { label: 'Sender', hint: 'Name <mailbox@domain>', error: 'Write a sender of one line.' },
    overdueMails: {
      label: 'Mail the team what is overdue',
      hint: 'To every admin when something in their part of the inbox waits past its deadline; of each thing once, and again if it changes and waits again. In the list of notifications, the browser and Telegram as each admin chose it there.',
      error: 'This value is not valid.',
    },
    weeklyReport: {
      label: 'Weekly report by mail',
      hint: 'On Mondays (UTC), to every owner: pages shown, sign-ups, votes, forum posts, orders, income and promises overdue.',
      error: 'This value is not valid.',
    },
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
  },
});

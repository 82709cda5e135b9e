import { defineMessages } from './define-messages.ts';

export const reportTexts = defineMessages({
  es: {
    report: {
      post: (title: string) => `Denunciar «${title}»`,
      comment: (author: string) => `Denunciar el comentario de ${author}`,
      title: 'Denunciar',
      text: 'Lo verá el equipo de moderación. Tu nombre no se muestra a nadie más.',
      reason: 'Motivo',
      reasons: { spam: 'Spam', scam: 'Estafa o robo de claves', abuse: 'Abuso o insultos', other: 'Otro motivo' },
      note: 'Cuéntanos más',
      optional: 'opcional',
      cancel: 'Cancelar',
      submit: 'Enviar denuncia',
      sending: 'Enviando...',
      done: 'Denuncia enviada',
      doneText: 'Gracias. La revisará una persona.',
      already: 'Ya lo habías denunciado',
      failed: 'No se pudo enviar la denuncia',
    },
  },
  en: {
    report: {
      post: (title) => `Report “${title}”`,
      comment: (author) => `Report the comment of ${author}`,
      title: 'Report',
      text: 'The moderation team will see it. Your name is shown to nobody else.',
      reason: 'Reason',
      reasons: { spam: 'Spam', scam: 'Scam or theft of keys', abuse: 'Abuse or insults', other: 'Other reason' },
      note: 'Tell us more',
      optional: 'optional',
      cancel: 'Cancel',
      submit: 'Send the report',
      sending: 'Sending...',
      done: 'Report sent',
      doneText: 'Thank you. A person will look at it.',
      already: 'You reported it before',
      failed: 'The report could not be sent',
    },
  },
});

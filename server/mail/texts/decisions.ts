// Texts of mails to members about decisions that have no mail of their own elsewhere.

const es = {
  decision: {
    moderator_approved: {
      subject: () => 'Tu solicitud para moderar está aprobada',
      body: (): string =>
        'Hemos aprobado tu solicitud para moderar el foro. Tus derechos valen en cuanto tu cuenta tenga lo que se pide al equipo, como la verificación en dos pasos: en la página de tu cuenta ves si falta algo.',
      button: 'Ver mi cuenta',
    },
    moderator_rejected: {
      subject: () => 'Tu solicitud para moderar no se ha aprobado',
      body: (): string => 'Hemos mirado tu solicitud para moderar el foro y esta vez no la aprobamos.',
      button: 'Ver mi cuenta',
    },
    text_released: {
      subject: (title: string) => `Un texto tuyo está publicado: «${title}»`,
      body: (title: string): string => `Un texto tuyo en «${title}» esperaba una revisión. Ya está publicado.`,
      button: 'Ver el texto',
    },
    proof_ends: {
      subject: (title: string) => `Una prueba de que ${title} es tuyo termina pronto`,
      body: (title: string): string =>
        `Una prueba de que ${title} es tuyo termina pronto. Renuévala: sin otra que valga, su página pierde la marca de verificado.`,
      button: 'Renovarla',
    },
    proof_ended: {
      subject: (title: string) => `Una prueba de que ${title} es tuyo ha terminado`,
      body: (title: string): string =>
        `Una prueba de que ${title} es tuyo ha terminado; sin otra que valga, su página ya no lleva la marca de verificado. En esta página ves por qué, y puedes volver a probarlo.`,
      button: 'Ver por qué',
    },
  },
};

const en: typeof es = {
  decision: {
    moderator_approved: {
      subject: () => 'Your request to moderate is approved',
      body: () =>
        'We approved your request to moderate the forum. Your rights are valid as soon as your account has what is asked of the team, such as two-step verification: your account page says whether something is missing.',
      button: 'See my account',
    },
    moderator_rejected: {
      subject: () => 'Your request to moderate was not approved',
      body: () => 'We looked at your request to moderate the forum and do not approve it this time.',
      button: 'See my account',
    },
    text_released: {
      subject: (title) => `A text of yours is published: “${title}”`,
      body: (title) => `A text of yours in “${title}” waited for a review. It is published now.`,
      button: 'See the text',
    },
    proof_ends: {
      subject: (title) => `A proof that ${title} is yours ends soon`,
      body: (title) =>
        `A proof that ${title} is yours ends soon. Renew it: without another valid one, its page loses the mark of a verified creator.`,
      button: 'Renew it',
    },
    proof_ended: {
      subject: (title) => `A proof that ${title} is yours has ended`,
      body: (title) =>
        `A proof that ${title} is yours has ended; without another valid one, its page does not wear the mark of a verified creator any more. This page says why, and you can prove it again.`,
      button: 'See why',
    },
  },
};

export const decisionTexts = { es, en };

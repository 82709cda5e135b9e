// Texts of mails about submissions.

const es = {
  submissionReceived: {
    subject: (reference: string) => `Tu solicitud ${reference}`,
    body: (reference: string) =>
      `Hemos recibido tu solicitud de publicación ${reference}. En esta página privada ves en qué punto está.`,
    button: 'Ver mi solicitud',
  },
  submissionDecided: {
    subject: {
      approved: (reference: string) => `Tu solicitud ${reference} está aprobada`,
      rejected: (reference: string) => `Tu solicitud ${reference} no se ha aprobado`,
    },
    approved: (reference: string) =>
      `Hemos aprobado tu solicitud de publicación ${reference}. El equipo prepara su página y decide cuándo se publica en Florka.`,
    rejected: (reference: string) =>
      `Hemos revisado tu solicitud de publicación ${reference} y esta vez no la publicamos. Puedes corregirla y enviarla de nuevo.`,
    answer: 'Lo que dice el equipo:',
  },
};

const en: typeof es = {
  submissionReceived: {
    subject: (reference) => `Your request ${reference}`,
    body: (reference) =>
      `We have received your publication request ${reference}. Its private page shows where it stands.`,
    button: 'See my request',
  },
  submissionDecided: {
    subject: {
      approved: (reference) => `Your request ${reference} is approved`,
      rejected: (reference) => `Your request ${reference} was not approved`,
    },
    approved: (reference) =>
      `We have approved your publication request ${reference}. The team prepares its page and decides when it is published on Florka.`,
    rejected: (reference) =>
      `We have reviewed your publication request ${reference} and will not publish it this time. You can correct it and send it again.`,
    answer: 'What the team says:',
  },
};

export const submissionsTexts = { es, en };

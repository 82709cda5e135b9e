import type { RemovalRule } from '#contract/domains/forum.ts';

// Texts of mails to authors of removed texts.

/** A text written by a person, to be followed by a sentence: with a full stop unless it ends with punctuation. */
const ended = (written: string): string => (/[.!?…]$/.test(written) ? written : `${written}.`);

const es = {
  removalRule: {
    spam: 'Publicidad o texto repetido',
    scam: 'Estafa o robo de claves',
    abuse: 'Insultos, acoso u odio',
    illegal: 'Contenido ilegal',
    personal: 'Datos personales de otros',
    off_topic: 'Fuera del tema del foro',
  } satisfies Record<RemovalRule, string>,
  textRemoved: {
    subject: (title: string) => `Hemos retirado un texto tuyo: «${title}»`,
    body: (rule: string, reason: string, until: string): string =>
      `Hemos retirado del foro un texto tuyo. Norma: ${rule}. Motivo: ${ended(reason)} Puedes recurrir una vez hasta el ${until}; decide otra persona, si hay otra en el equipo.`,
    copy: 'Esto decía:',
    button: 'Ver y recurrir',
  },
  textDeclined: {
    subject: (title: string) => `No hemos publicado un texto tuyo: «${title}»`,
    body: (rule: string, reason: string, until: string): string =>
      `Un texto tuyo esperaba una revisión y no se ha publicado. Norma: ${rule}. Motivo: ${ended(reason)} Puedes recurrir una vez hasta el ${until}; decide otra persona, si hay otra en el equipo.`,
  },
  appealAnswered: {
    subject: (title: string) => `Respuesta a tu recurso: «${title}»`,
    decidedBy: (alone: boolean, unseen: boolean): string =>
      alone
        ? `Ha decidido sobre tu recurso la misma persona que ${unseen ? 'rechazó' : 'retiró'} el texto, porque en el equipo nadie más podía. El registro público también lo dice.`
        : 'Otra persona ha mirado tu recurso.',
    upheld: (unseen: boolean): string => (unseen ? 'El texto sigue sin publicarse.' : 'El texto sigue retirado.'),
    reversed: (unseen: boolean): string =>
      `Te da la razón. El texto ${unseen ? 'se publica' : 'vuelve a verse'} si no se había borrado ya de la papelera.`,
    answer: 'Lo que dice:',
    button: 'Ver la decisión',
  },
};

const en: typeof es = {
  removalRule: {
    spam: 'Advertising or repeated text',
    scam: 'Scam or theft of keys',
    abuse: 'Insults, harassment or hate',
    illegal: 'Illegal content',
    personal: 'Personal data of others',
    off_topic: 'Off the topic of the forum',
  },
  textRemoved: {
    subject: (title) => `We removed a text of yours: “${title}”`,
    body: (rule, reason, until) =>
      `We removed a text of yours from the forum. Rule: ${rule}. Reason: ${ended(reason)} You may appeal once until ${until}; somebody else decides, if the team has anybody else.`,
    copy: 'It said:',
    button: 'Read and appeal',
  },
  textDeclined: {
    subject: (title) => `We did not publish a text of yours: “${title}”`,
    body: (rule, reason, until) =>
      `A text of yours waited for a review and was not published. Rule: ${rule}. Reason: ${ended(reason)} You may appeal once until ${until}; somebody else decides, if the team has anybody else.`,
  },
  appealAnswered: {
    subject: (title) => `Answer to your appeal: “${title}”`,
    decidedBy: (alone, unseen) =>
      alone
        ? `Your appeal was decided by the same person who ${unseen ? 'declined' : 'removed'} the text, because nobody else on the team could. The public log says so too.`
        : 'Somebody else looked at your appeal.',
    upheld: (unseen) => (unseen ? 'The text stays unpublished.' : 'The text stays removed.'),
    reversed: (unseen) =>
      `They agree with you. The text is ${unseen ? 'published' : 'shown again'}, unless the trash had dropped it already.`,
    answer: 'What they say:',
    button: 'See the decision',
  },
};

export const removalTexts = { es, en };

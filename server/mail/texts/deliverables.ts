// Texts of mails about the items of a paid plan.
import { PLAN_ITEM_NAMES } from '#contract/text/plan-items.ts';

/** Formats the UTC day of a moment: 3 de enero de 2027. */
const dayIn = (locale: string) => {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  return (moment: string): string => format.format(new Date(moment));
};

const es = {
  deliverables: {
    item: PLAN_ITEM_NAMES.es as Record<string, string>,
    day: dayIn('es-ES'),
    subject: {
      done: (order: string) => `Entregado: novedades de tu pedido ${order}`,
      late: (order: string) => `Vamos con retraso en tu pedido ${order}`,
      interrupted: (order: string) => `Un espacio contratado de tu pedido ${order} terminó antes de tiempo`,
      withdrawn: (order: string) => `Algo de tu pedido ${order} no se entregará`,
    },
    done: (order: string) => `De tu pedido ${order} está hecho:`,
    late: (order: string) => `De tu pedido ${order} ha pasado la fecha prometida y todavía no está hecho:`,
    interrupted: (order: string) =>
      `En tu pedido ${order} un espacio contratado terminó antes de tiempo. No cuenta como entregado y sigue pendiente:`,
    withdrawn: (order: string) => `De tu pedido ${order} hemos retirado:`,
    due: (name: string, day: string) => `${name}: prometido para el ${day}`,
    evidence: (what: string) => `La prueba: ${what}`,
    evidenceImage: 'La prueba es esta imagen.',
    ran: (time: string) => `Estuvo en su sitio: ${time}`,
    withRefund: (number: string) =>
      `Con ello se abre la devolución ${number}. En la página de tu pedido dices adónde enviarla.`,
    withoutRefund: 'El equipo no abre una devolución por esto.',
    note: 'Lo que dice el equipo:',
  },
};

const en: typeof es = {
  deliverables: {
    item: PLAN_ITEM_NAMES.en,
    day: dayIn('en-GB'),
    subject: {
      done: (order) => `Delivered: news of your order ${order}`,
      late: (order) => `We are late with your order ${order}`,
      interrupted: (order) => `A paid placement of your order ${order} ended before its time`,
      withdrawn: (order) => `Something of your order ${order} will not be delivered`,
    },
    done: (order) => `Of your order ${order} this is done:`,
    late: (order) => `Of your order ${order} the promised date has passed, and this is not done yet:`,
    interrupted: (order) =>
      `In your order ${order} a paid placement ended before its time. It does not count as delivered, and is still due:`,
    withdrawn: (order) => `Of your order ${order} we have withdrawn:`,
    due: (name, day) => `${name}: promised for ${day}`,
    evidence: (what) => `The evidence: ${what}`,
    evidenceImage: 'The evidence is this image.',
    ran: (time) => `It was in its place: ${time}`,
    withRefund: (number) => `With it refund ${number} is opened. On the page of your order you say where it goes.`,
    withoutRefund: 'The team opens no refund for this.',
    note: 'What the team says:',
  },
};

export const deliverablesTexts = { es, en };

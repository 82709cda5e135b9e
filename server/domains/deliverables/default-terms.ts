import { DELIVERABLES, type DeliverableItem, type DeliverableTerms } from '#contract/domains/deliverables.ts';

/** Built-in consequence of an item that is not delivered; an operator may promise more, in their own words. */
const ORDINARY = {
  es: 'Si no está en su plazo, te avisamos por correo y aquí se ve como atrasado. Si no podemos entregarlo, lo retiramos, te decimos por qué y, si corresponde dinero, abrimos una devolución que ves en esta página.',
  en: 'If it is not there in time, we tell you by mail and it is shown here as late. If we cannot deliver it, we withdraw it, tell you why and, where money is due, open a refund that you see on this page.',
};
const TOKEN = {
  es: 'Si no podemos crear tu token, cerramos tu pedido, te decimos por qué y abrimos la devolución de lo que ha llegado y aún no se ha devuelto, salvo que digamos ahí por qué no la hay.',
  en: 'If we cannot create your token, we close your order, tell you why and open the refund of what arrived and was not given back yet, unless we say there why there is none.',
};
const LISTING = {
  es: `La admisión la decide el exchange. ${ORDINARY.es}`,
  en: `The exchange itself decides whether to admit it. ${ORDINARY.en}`,
};

/** The terms that apply while the team has saved no others. */
export function builtInTerms(item: DeliverableItem): DeliverableTerms & { version: number } {
  const { kind, dueFrom, dueDays } = DELIVERABLES[item];
  const ifNot = kind === 'token' ? TOKEN : item === 'exchangeListing' ? LISTING : ORDINARY;
  return { item, kind, dueFrom, dueDays, ifNot, offered: true, version: 0 };
}

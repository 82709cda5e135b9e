/** Data of the mail to a payer about the summary of a token. */
export interface ProposalMail {
  orderId: string;
  name: string;
  symbol: string;
  owner: string;
  network: string;
  path: string;
  simulation: boolean;
  /** True if it differs from what was paid for. */
  changed: boolean;
  reminder: boolean;
}

export const PROPOSAL_ES = {
  reminder: 'Recordatorio: ',
  subject: {
    same: (order: string) => `Confirma los datos de tu token: pedido ${order}`,
    changed: (order: string) => `Confirma el cambio de tu token: pedido ${order}`,
  },
  body: {
    same: (order: string) =>
      `El token de tu pedido ${order} está listo para crearse. Se creará solo cuando confirmes su resumen en la página de tu pedido; después nadie puede cambiarlo.`,
    changed: (order: string) =>
      `El equipo quiere crear el token de tu pedido ${order} con datos distintos de los que pagaste. Solo lo hará si lo confirmas en la página de tu pedido.`,
  },
  token: (token: string) => `Token: ${token}`,
  network: (network: string) => `Red: ${network}`,
  owner: (owner: string) => `Wallet que recibe todo el suministro: ${owner}`,
  unless: {
    same: 'Si algo no es correcto, recházalo allí.',
    changed: 'Si no has pedido este cambio, recházalo allí.',
  },
};

export const PROPOSAL_EN: typeof PROPOSAL_ES = {
  reminder: 'Reminder: ',
  subject: {
    same: (order) => `Confirm the data of your token: order ${order}`,
    changed: (order) => `Confirm the change of your token: order ${order}`,
  },
  body: {
    same: (order) =>
      `The token of your order ${order} is ready to be made. It is made only once you confirm its summary on the page of your order; afterwards nobody can change it.`,
    changed: (order) =>
      `The team wants to make the token of your order ${order} with other data than you paid for. It does so only if you confirm it on the page of your order.`,
  },
  token: (token) => `Token: ${token}`,
  network: (network) => `Network: ${network}`,
  owner: (owner) => `Wallet that receives the whole supply: ${owner}`,
  unless: {
    same: 'If something is not right, decline it there.',
    changed: 'If you did not ask for this change, decline it there.',
  },
};

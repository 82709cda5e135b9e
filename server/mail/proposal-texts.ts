/** The mail that asks a payer about a token that is not as it was paid for. */
export const PROPOSAL_ES = {
  subject: (order: string) => `Confirma el cambio de tu token: pedido ${order}`,
  body: (order: string) =>
    `El equipo quiere crear el token de tu pedido ${order} con datos distintos de los que pagaste. Solo lo hará si lo confirmas en la página de tu pedido.`,
  token: (token: string) => `Token: ${token}`,
  network: (network: string) => `Red: ${network}`,
  owner: (owner: string) => `Wallet que recibe todo el suministro: ${owner}`,
  unless: 'Si no has pedido este cambio, recházalo allí.',
};

export const PROPOSAL_EN: typeof PROPOSAL_ES = {
  subject: (order) => `Confirm the change of your token: order ${order}`,
  body: (order) =>
    `The team wants to make the token of your order ${order} with other data than you paid for. It does so only if you confirm it on the page of your order.`,
  token: (token) => `Token: ${token}`,
  network: (network) => `Network: ${network}`,
  owner: (owner) => `Wallet that receives the whole supply: ${owner}`,
  unless: 'If you did not ask for this change, decline it there.',
};

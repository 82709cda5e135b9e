// Texts of mails to payers about their token: its summary to confirm, and its creation.

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

const es = {
  tokenCreated: {
    subject: (token: string) => `Tu token ${token} ya existe`,
    body: (token: string, order: string) =>
      `Hemos creado ${token}, el token de tu pedido ${order}. Todo su suministro fue a tu wallet al crearlo. Lo hemos leído de la red para comprobarlo.`,
    owner: (owner: string) => `Wallet que recibió el suministro: ${owner}`,
    address: (address: string) => `Dirección del token: ${address}`,
    explorer: (url: string) => `En el explorador de la red: ${url}`,
    test: 'Pagado en la simulación: existe solo en una red de prueba y no tiene valor.',
  },
  tokenProposal: {
    reminder: 'Recordatorio: ',
    subject: {
      same: (order: string) => `Confirma los datos de tu token: pedido ${order}`,
      changed: (order: string) => `Confirma el cambio de tu token: pedido ${order}`,
    },
    body: {
      same: (order: string) =>
        `El token de tu pedido ${order} está listo para crearse. Se creará solo cuando confirmes su resumen en la página de tu pedido; después nadie puede cambiar su nombre, su símbolo ni sus permisos, ni crear más.`,
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
  },
};

const en: typeof es = {
  tokenCreated: {
    subject: (token) => `Your token ${token} exists`,
    body: (token, order) =>
      `We made ${token}, the token of your order ${order}. Its whole supply went to your wallet when it was created. We read it back from the network to be sure.`,
    owner: (owner) => `Wallet that received the supply: ${owner}`,
    address: (address) => `Address of the token: ${address}`,
    explorer: (url) => `In the network’s explorer: ${url}`,
    test: 'Paid in the simulation: it exists on a test network only and is worth nothing.',
  },
  tokenProposal: {
    reminder: 'Reminder: ',
    subject: {
      same: (order) => `Confirm the data of your token: order ${order}`,
      changed: (order) => `Confirm the change of your token: order ${order}`,
    },
    body: {
      same: (order) =>
        `The token of your order ${order} is ready to be made. It is made only once you confirm its summary on the page of your order; afterwards nobody can change its name, symbol or authorities, or make more.`,
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
  },
};

export const tokenTexts = { es, en };

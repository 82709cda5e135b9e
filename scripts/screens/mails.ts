import { type MailData, type MailTemplate, renderMail } from '#server/mail/templates.ts';

const order = { orderId: 'FL-26-0142', priceUsd: 1500, path: '/order/7d1f#k3y', simulation: true };
const SAMPLES: { [T in MailTemplate]?: MailData[T] } = {
  verifyEmail: { path: '/verify#t0k3n', until: '2030-01-01T00:00:00Z' },
  signInCode: { code: '481 205', until: '2030-01-01T00:00:00Z' },
  passwordChanged: {},
  savedToken: { name: 'Pulpo Titiritero', news: 'launched', path: '/token/pulpo', unsubscribePath: '/unsubscribe#k3y' },
  orderPaid: order,
  tokenCreated: {
    orderId: order.orderId,
    name: 'Ajolote de plata',
    owner: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    symbol: 'AJO',
    address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    explorerUrl: 'https://sepolia.etherscan.io/token/0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    path: order.path,
    simulation: true,
  },
  submissionDecided: {
    reference: 'PR-26-0031',
    path: '/submission/7d1f#k3y',
    status: 'approved',
    answer: 'Nos gusta la plaza común.\nTe escribimos por Telegram.',
  },
};

/** Some mails, as a mail program shows them. */
export const mails = (publicUrl: string): { name: string; html: string }[] =>
  (Object.keys(SAMPLES) as MailTemplate[]).map((template) => ({
    name: `mail-${template.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    html: renderMail(template, SAMPLES[template] as never, 'es', publicUrl).html,
  }));

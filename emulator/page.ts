import { type Invoice, type Payment, RATES } from './state.ts';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const text = (value: string) => value.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

const STYLE = `
:root{color-scheme:light dark;--page:#fff7e0;--panel:#fff;--text:#1b1a24;--quiet:#5e5b6b;--line:#1b1a24;--dash:#b57a00;--link:#7a4b00}
@media (prefers-color-scheme:dark){:root{--page:#14121c;--panel:#1f1c2b;--text:#f4f1e8;--quiet:#b7b3c6;--line:#8f8aa3;--link:#ffcf6b}}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,sans-serif}
.band{background:repeating-linear-gradient(45deg,#1b1a24 0 14px,#ffb627 14px 28px);padding:6px}
.band b{display:block;background:#ffb627;color:#1b1a24;text-align:center;padding:10px;letter-spacing:.12em}
main{max-width:640px;margin:0 auto;padding:20px}
section{background:var(--panel);border:2px dashed var(--dash);border-radius:14px;padding:18px;margin:16px 0}
h1{font-size:22px;margin:0 0 4px}h2{font-size:16px;margin:0 0 10px}
dl{display:grid;grid-template-columns:auto 1fr;gap:4px 14px;margin:0}dt{color:var(--quiet)}dd{margin:0;font-weight:600;overflow-wrap:anywhere}
small+dl{margin-top:12px}
form{display:flex;flex-wrap:wrap;gap:8px}
a{color:var(--link)}
button,select{font:inherit;min-height:44px;padding:8px 14px;border-radius:10px;border:1px solid var(--line);background:var(--panel);color:var(--text)}
button{cursor:pointer}
button.main{background:#ffb627;color:#1b1a24;font-weight:700}
button:focus-visible,select:focus-visible,a:focus-visible{outline:3px solid var(--text);outline-offset:2px}
small{display:block;color:var(--quiet)}`;

type Language = 'es' | 'en';

/** The page is in the language of the page to which the payer returns. */
function languageOf({ success_url: back }: Invoice): Language {
  return back && URL.canParse(back) && /^\/en(\/|$)/.test(new URL(back).pathname) ? 'en' : 'es';
}

const TEXTS = {
  es: {
    simulation: 'SIMULACIÓN',
    band: 'SIMULACIÓN · no se mueve dinero · SIMULATION',
    title: 'SIMULACIÓN · Pago',
    heading: 'Pago de prueba',
    text: 'Esta página sustituye a la del proveedor de pagos. No se mueve dinero real.',
    order: 'Pedido',
    amount: 'Importe',
    callbacks: 'Avisos',
    lost: 'se pierden',
    sent: 'se envían',
    what: '¿Qué ocurre?',
    currency: 'Moneda',
    payment: (id: number, other: boolean) => `Pago simulado ${id}${other ? ' (otra moneda)' : ''}`,
    state: 'Estado',
    toPay: 'A pagar',
    received: 'Recibido',
    address: 'Dirección',
    back: 'Volver al pedido',
    missing: 'No existe',
    missingText: 'Este pago simulado no existe o ya se ha borrado.',
    actions: {
      pay_all: 'Pagar todo',
      pay_part: 'Pagar una parte (40 %)',
      top_up: 'Completar lo que falta',
      pay_more: 'Pagar de más (125 %)',
      late: 'Pagar tarde',
      fail: 'Fallar',
      expire: 'Dejar vencer',
      wrong_asset: 'Enviar otra moneda',
      refund: 'Reembolsar',
      duplicate: 'Repetir el último aviso',
      reorder: 'Avisos en orden inverso',
      mute: 'Perder los avisos',
      unmute: 'Volver a enviar avisos',
    },
  },
  en: {
    simulation: 'SIMULATION',
    band: 'SIMULATION · no money is moved · SIMULACIÓN',
    title: 'SIMULATION · Payment',
    heading: 'Test payment',
    text: 'This page stands in for that of the payment provider. No real money moves.',
    order: 'Order',
    amount: 'Amount',
    callbacks: 'Callbacks',
    lost: 'are lost',
    sent: 'are sent',
    what: 'What happens?',
    currency: 'Currency',
    payment: (id: number, other: boolean) => `Simulated payment ${id}${other ? ' (another currency)' : ''}`,
    state: 'State',
    toPay: 'To pay',
    received: 'Received',
    address: 'Address',
    back: 'Back to the order',
    missing: 'Not found',
    missingText: 'This simulated payment does not exist or was deleted.',
    actions: {
      pay_all: 'Pay all of it',
      pay_part: 'Pay a part (40%)',
      top_up: 'Pay what is missing',
      pay_more: 'Pay too much (125%)',
      late: 'Pay late',
      fail: 'Fail',
      expire: 'Let it expire',
      wrong_asset: 'Send another currency',
      refund: 'Refund',
      duplicate: 'Repeat the last callback',
      reorder: 'Callbacks in reverse order',
      mute: 'Lose the callbacks',
      unmute: 'Send callbacks again',
    },
  },
};

const frame = (language: Language, body: string, refresh = false) => {
  const texts = TEXTS[language];
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">
${refresh ? '<meta http-equiv="refresh" content="3">' : ''}<title>${texts.title}</title><style>${STYLE}</style></head><body>
<div class="band"><b>${texts.band}</b></div><main>${body}</main>
<div class="band"><b>${texts.simulation}</b></div></body></html>`;
};

type Action = keyof (typeof TEXTS)['es']['actions'];
const BUTTONS = [
  'pay_all',
  'pay_part',
  'top_up',
  'pay_more',
  'late',
  'fail',
  'expire',
  'wrong_asset',
  'refund',
  'duplicate',
  'reorder',
] as const satisfies Action[];

const UNDER_WAY = new Set(['confirming', 'confirmed', 'sending']);

/** The page on which a tester acts as the payer and the network. */
export function renderPage(invoice: Invoice, payments: Payment[]): string {
  const language = languageOf(invoice);
  const texts = TEXTS[language];
  const button = (action: Action) =>
    `<button name="action" value="${action}"${action === 'pay_all' ? ' class="main"' : ''}>${texts.actions[action]}</button>`;
  const rows = payments
    .map(
      (payment) => `<section><h2>${texts.payment(payment.payment_id, payment.parent_payment_id !== null)}</h2>
<dl><dt>${texts.state}</dt><dd>${payment.payment_status}</dd><dt>${texts.toPay}</dt><dd>${payment.pay_amount} ${text(payment.pay_currency)}</dd>
<dt>${texts.received}</dt><dd>${payment.actually_paid} ${text(payment.pay_currency)}</dd><dt>${texts.address}</dt><dd>${text(payment.pay_address)}</dd></dl></section>`,
    )
    .join('');
  const last = payments.at(-1);
  const back = invoice.success_url && /^https?:\/\//.test(invoice.success_url) ? invoice.success_url : null;
  const href = back && `${back}${last ? `${back.includes('?') ? '&' : '?'}NP_id=${last.payment_id}` : ''}`;
  return frame(
    language,
    `<section><h1>${texts.heading}</h1><small>${texts.text}</small>
<dl><dt>${texts.order}</dt><dd>${text(invoice.order_id ?? '')}</dd><dt>${texts.amount}</dt><dd>${invoice.price_amount} ${text(invoice.price_currency.toUpperCase())}</dd>
<dt>${texts.callbacks}</dt><dd>${invoice.muted ? texts.lost : texts.sent}</dd></dl></section>
<section><h2>${texts.what}</h2><form method="post"><label>${texts.currency} <select name="currency">${Object.keys(RATES)
      .map((currency) => `<option>${currency}</option>`)
      .join(
        '',
      )}</select></label>${BUTTONS.map(button).join('')}${button(invoice.muted ? 'unmute' : 'mute')}</form></section>${rows}${
      href ? `<p><a href="${text(href)}">${texts.back}</a></p>` : ''
    }`,
    payments.some(({ payment_status: status }) => UNDER_WAY.has(status)),
  );
}

/** Without an invoice the language of its payer is unknown. */
export const renderMissing = (): string =>
  frame(
    'es',
    `<section><h1>${TEXTS.es.missing}</h1><p>${TEXTS.es.missingText}</p></section>
<section lang="en"><h1>${TEXTS.en.missing}</h1><p>${TEXTS.en.missingText}</p></section>`,
  );

import { type Invoice, type Payment, RATES } from './state.ts';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const text = (value: string) => value.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

const STYLE = `
:root{color-scheme:light}
body{margin:0;background:#fff7e0;color:#1b1a24;font:16px/1.5 system-ui,sans-serif}
.band{background:repeating-linear-gradient(45deg,#1b1a24 0 14px,#ffb627 14px 28px);padding:6px}
.band b{display:block;background:#ffb627;color:#1b1a24;text-align:center;padding:10px;letter-spacing:.12em}
main{max-width:640px;margin:0 auto;padding:20px}
section{background:#fff;border:2px dashed #b57a00;border-radius:14px;padding:18px;margin:16px 0}
h1{font-size:22px;margin:0 0 4px}h2{font-size:16px;margin:0 0 10px}
dl{display:grid;grid-template-columns:auto 1fr;gap:4px 14px;margin:0}dt{color:#5e5b6b}dd{margin:0;font-weight:600;overflow-wrap:anywhere}
form{display:flex;flex-wrap:wrap;gap:8px}
button,select{font:inherit;min-height:44px;padding:8px 14px;border-radius:10px;border:1px solid #1b1a24;background:#fff;cursor:pointer}
button.main{background:#ffb627;font-weight:700}
button:focus-visible,select:focus-visible,a:focus-visible{outline:3px solid #1b1a24;outline-offset:2px}
small{color:#5e5b6b}`;

const frame = (body: string, refresh = false) => `<!doctype html><html lang="es"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">
${refresh ? '<meta http-equiv="refresh" content="3">' : ''}<title>SIMULACIÓN · Pago</title><style>${STYLE}</style></head><body>
<div class="band"><b>SIMULACIÓN · no se mueve dinero · SIMULATION</b></div><main>${body}</main>
<div class="band"><b>SIMULACIÓN</b></div></body></html>`;

const BUTTONS: [action: string, label: string, main?: boolean][] = [
  ['pay_all', 'Pagar todo', true],
  ['pay_part', 'Pagar una parte (40 %)'],
  ['top_up', 'Completar lo que falta'],
  ['pay_more', 'Pagar de más (125 %)'],
  ['late', 'Pagar tarde'],
  ['fail', 'Fallar'],
  ['expire', 'Dejar vencer'],
  ['wrong_asset', 'Enviar otra moneda'],
  ['refund', 'Reembolsar'],
  ['duplicate', 'Repetir el último aviso'],
  ['reorder', 'Avisos en orden inverso'],
];

const UNDER_WAY = new Set(['confirming', 'confirmed', 'sending']);

/** The page on which a tester plays the payer and the network. */
export function renderPage(invoice: Invoice, payments: Payment[]): string {
  const button = ([action, label, main]: (typeof BUTTONS)[number]) =>
    `<button name="action" value="${action}"${main ? ' class="main"' : ''}>${label}</button>`;
  const rows = payments
    .map(
      (
        payment,
      ) => `<section><h2>Pago simulado ${payment.payment_id}${payment.parent_payment_id ? ' (otra moneda)' : ''}</h2>
<dl><dt>Estado</dt><dd>${payment.payment_status}</dd><dt>A pagar</dt><dd>${payment.pay_amount} ${text(payment.pay_currency)}</dd>
<dt>Recibido</dt><dd>${payment.actually_paid} ${text(payment.pay_currency)}</dd><dt>Dirección</dt><dd>${text(payment.pay_address)}</dd></dl></section>`,
    )
    .join('');
  const last = payments.at(-1);
  const back = invoice.success_url && /^https?:\/\//.test(invoice.success_url) ? invoice.success_url : null;
  const href = back && `${back}${last ? `${back.includes('?') ? '&' : '?'}NP_id=${last.payment_id}` : ''}`;
  return frame(
    `<section><h1>Pago de prueba</h1><small>Esta página sustituye a la del proveedor de pagos. Nada de esto es dinero.</small>
<dl><dt>Pedido</dt><dd>${text(invoice.order_id ?? '')}</dd><dt>Importe</dt><dd>${invoice.price_amount} ${text(invoice.price_currency.toUpperCase())}</dd>
<dt>Avisos</dt><dd>${invoice.muted ? 'se pierden' : 'se envían'}</dd></dl></section>
<section><h2>¿Qué ocurre?</h2><form method="post"><label>Moneda <select name="currency">${Object.keys(RATES)
      .map((currency) => `<option>${currency}</option>`)
      .join('')}</select></label>${BUTTONS.map(button).join('')}${button(
      invoice.muted ? ['unmute', 'Volver a enviar avisos'] : ['mute', 'Perder los avisos'],
    )}</form></section>${rows}${href ? `<p><a href="${text(href)}">Volver al pedido</a></p>` : ''}`,
    payments.some(({ payment_status: status }) => UNDER_WAY.has(status)),
  );
}

export const renderMissing = (): string =>
  frame('<section><h1>No existe</h1><p>Este pago simulado no existe o ya se ha borrado.</p></section>');

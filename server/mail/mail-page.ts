/** Dark mode for mail programs with support for it; others show the light colours. */
const NIGHT = `:root{color-scheme:light dark;supported-color-schemes:light dark}@media (prefers-color-scheme:dark){.out{background:#0e0f1a!important}.card{background:#171927!important;border-color:#2a2d42!important;color:#f4f1ea!important}.card p,.card a{color:inherit!important}.card .small,.card .small a{color:#a9a7b8!important}.card a.btn{color:#1d1503!important}.card .code{background:#35290f!important;border-color:#86671f!important;color:#ffb627!important}}`;
/** A decorative dotted line, with CSS that every mail program supports. */
const LIGHTS = `<div aria-hidden="true" style="height:0;border-top:6px dotted #ffb627;margin:0 0 24px"></div>`;

/**
 * HTML of a mail: a card below the site's name.
 *
 * @param subject plain text. @param preview plain text that mail programs show beside the subject. @param parts HTML.
 */
export const mailPage = (
  { locale, siteName }: { locale: string; siteName: string },
  subject: string,
  preview: string,
  parts: string[],
) =>
  `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title><style>${NIGHT}</style></head><body class="out" style="margin:0;background:#fbf7ef;padding:24px 12px"><div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div><div class="card" style="max-width:560px;margin:auto;background:#ffffff;border:1px solid #e6decf;border-radius:14px;padding:28px;word-break:break-word;font:16px/1.6 Inter,'Segoe UI',Helvetica,Arial,sans-serif;color:#1b1a24"><p style="font:800 26px/1.1 'Bricolage Grotesque',Inter,'Segoe UI',Arial,sans-serif;letter-spacing:-.04em;margin:0 0 16px">${escapeHtml(siteName)}</p>${LIGHTS}${parts.join('')}</div></body></html>`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

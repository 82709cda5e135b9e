/** Endpoint for browsers' reports of policy violations (csp-reports.ts). */
export const CSP_REPORTS = '/csp-reports';

/**
 * Headers of every response.
 *
 * @param secure the site is reached over https.
 */
export const securityHeaders = (secure: boolean): Record<string, string> => headersWith(secure, { scripts: '' }, []);

/** Scheme and host of the other origins that a document needs. */
export interface DocumentOrigins {
  /** Origin of images. */
  assets?: string | undefined;
  /** Origin for large uploads. */
  bucket?: string | undefined;
}

/**
 * Headers of a document of the web app: its own inline scripts are allowed, text becomes markup only through its one Trusted
 * Types policy (app/lib/page/trusted-types.ts), and what is refused is reported.
 *
 * @param scripts CSP sources of its inline scripts.
 */
export const documentHeaders = (
  secure: boolean,
  scripts: readonly string[],
  { assets, bucket }: DocumentOrigins = {},
): Record<string, string> => ({
  ...headersWith(secure, { scripts: scripts.map((source) => ` ${source}`).join(''), assets, bucket }, [
    "require-trusted-types-for 'script'",
    'trusted-types default',
    `report-uri ${CSP_REPORTS}`,
    'report-to csp',
  ]),
  'reporting-endpoints': `csp="${CSP_REPORTS}"`,
});

function headersWith(
  secure: boolean,
  { scripts, assets, bucket }: DocumentOrigins & { scripts: string },
  more: readonly string[],
): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'self'",
      `script-src 'self'${scripts}`,
      "style-src 'self' 'unsafe-inline'",
      `img-src 'self' data: https:${assets ? ` ${assets}` : ''}`,
      `connect-src 'self'${bucket ? ` ${bucket}` : ''}`,
      "worker-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      ...more,
      ...(secure ? ['upgrade-insecure-requests'] : []),
    ].join('; '),
    ...baseHeaders(secure),
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
}

/** Policy of the service worker: it may connect to this site only. */
export function workerHeaders(secure: boolean): Record<string, string> {
  return {
    'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'",
    ...baseHeaders(secure),
  };
}

/** Headers of every response. Subresources such as scripts have no others: their content security policy is that of the document. */
export function baseHeaders(secure: boolean): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    ...(secure ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
}

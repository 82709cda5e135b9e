/**
 * What every answer carries.
 *
 * @param secure the site is reached over https.
 * @param scriptHashes CSP sources of a document's inline scripts; left out for answers that hold none.
 */
export function securityHeaders(secure: boolean, scriptHashes = ''): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'self'",
      `script-src 'self'${scriptHashes && ` ${scriptHashes}`}`,
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data: https:",
      "connect-src 'self'",
      "worker-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      ...(secure ? ['upgrade-insecure-requests'] : []),
    ].join('; '),
    ...partHeaders(secure),
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
}

/** What the service worker may do: ask this site, and nothing else. */
export function workerHeaders(secure: boolean): Record<string, string> {
  return {
    'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'",
    ...partHeaders(secure),
  };
}

/** What is enough for a part of a page, as a script or a font: the page's own policy rules the rest. */
export function partHeaders(secure: boolean): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    ...(secure ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
}

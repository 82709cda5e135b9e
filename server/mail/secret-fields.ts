/** What of a mail's data signs somebody in, confirms something or opens a private page: its code, and the key in its link. */
function secretsIn(data: object): string[] {
  const { code, path } = data as { code?: unknown; path?: unknown };
  // The rest of a path is the same for everybody.
  const key = typeof path === 'string' ? path.split('#')[1]?.replace(/^token=/, '') : undefined;
  return [code, key].filter((secret) => typeof secret === 'string' && secret !== '') as string[];
}

/**
 * What a server said about a mail, without the code or key that it quotes.
 *
 * @param data of that mail.
 */
export const withoutSecrets = (text: string, data: object): string =>
  secretsIn(data).reduce((cleaned, secret) => cleaned.replaceAll(secret, '…'), text);

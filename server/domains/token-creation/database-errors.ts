/** PostgreSQL's five signs, of whatever wraps them. */
export function databaseCode(error: unknown): string | undefined {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { code } = one as { code?: unknown };
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code;
  }
  return undefined;
}

const isAwayCode = (code: string | undefined): boolean => /^(08|53|57|58|40)/.test(code ?? '');

const isConnectionError = (error: unknown): boolean => {
  for (let one = error; one instanceof Error; one = one.cause)
    if (/connection (terminated|timeout|ended|closed)|query read timeout|ECONN|EPIPE|ENOENT.*PGSQL/i.test(one.message))
      return true;
  return false;
};

/** The database is not there, too busy or ending: that says nothing about what was asked of it. */
export const isDatabaseAway = (error: unknown): boolean => isAwayCode(databaseCode(error)) || isConnectionError(error);

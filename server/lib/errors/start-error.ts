/**
 * An error at startup that the operator can resolve. The message is one sentence; the entry point prints it without a
 * stack trace and exits with code 1.
 */
export class StartError extends Error {
  override name = 'StartError';
}

/** The `code` of a system error (`ENOENT`, `EACCES`…), or undefined for any other value. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/**
 * Converts a failed write below `target` into a StartError with a readable message; returns any other error unchanged.
 */
export function explainWriteError(error: unknown, target: string): unknown {
  switch (errorCode(error)) {
    case 'EACCES':
    case 'EPERM':
      return new StartError(`DATA_DIR cannot be used: this user has no right to write in ${target}`, { cause: error });
    case 'EROFS':
      return new StartError(`DATA_DIR cannot be used: ${target} is on a read-only file system`, { cause: error });
    case 'EEXIST':
    case 'ENOTDIR':
      return new StartError(`DATA_DIR cannot be used: ${target} is not a directory`, { cause: error });
    case 'ENOSPC':
    case 'EDQUOT':
      return new StartError(`DATA_DIR cannot be used: no space is left on the disk of ${target}`, { cause: error });
    case 'ENOENT':
    case 'EINVAL':
    case 'EIO':
    case 'ELOOP':
    case 'ENAMETOOLONG':
    case 'ENOSYS':
    case 'ENOTSUP':
    case 'EOPNOTSUPP':
    case 'ENXIO':
      return new StartError(
        `DATA_DIR cannot be used: the file system of ${target} does not support the required file operations (${errorCode(error)})`,
        { cause: error },
      );
    default:
      return error;
  }
}

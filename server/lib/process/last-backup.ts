/** The file in DATA_DIR that holds the moment of the newest finished backup, as an ISO date. */
export const LAST_BACKUP = 'last-backup';

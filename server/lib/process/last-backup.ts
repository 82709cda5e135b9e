/** Name of the file in DATA_DIR with the time of the newest completed backup, as an ISO date. */
export const LAST_BACKUP = 'last-backup';

/** Column name of a field: 'websiteUrl' is stored in website_url. */
export const columnOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Why the team removes a text, where a test does not care. */
export const REMOVAL_REASON = { rule: 'spam', reason: 'Tres veces lo mismo' } as const;

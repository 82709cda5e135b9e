/** Why the team removes a text, where a test does not care. */
export const BECAUSE = { rule: 'spam', reason: 'Tres veces lo mismo' } as const;

/** Rule and reason of a removal, where they do not matter to the test. */
export const REMOVAL_REASON = { rule: 'spam', reason: 'Tres veces lo mismo' } as const;

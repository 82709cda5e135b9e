/** True if an address shows a list with its filters (`explorePath`). */
export const hasFilters = (parameters: URLSearchParams): boolean => parameters.get('filters') === 'on';

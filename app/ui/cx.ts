/** Joins class names, leaving out what is empty: `cx('card', wide && 'wide', className)`. */
export function cx(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}

/** 'florka.io' as a full URL; anything else unchanged. */
export function asLink(typed: string): string {
  const text = typed.trim();
  return /^[\w-]+(\.[\w-]+)*\.[a-z]{2,}(:\d+)?([/?#]\S*)?$/i.test(text) ? `https://${text}` : typed;
}

/** 'florka.io' as the link it stands for; anything else as it is. */
export function asLink(typed: string): string {
  const text = typed.trim();
  return /^[\w-]+(\.[\w-]+)*\.[a-z]{2,}(:\d+)?([/?#]\S*)?$/i.test(text) ? `https://${text}` : typed;
}

import { Drawn } from './Drawn.tsx';

export interface TokenArtProps {
  id: string;
  symbol: string;
  /** Empty or undefined: decoration. */
  label?: string | undefined;
  /** Below about 48 px: no lettering. */
  small?: boolean | undefined;
}

/** The generated coin of a token. Normally used through `TokenImage`. */
export function TokenArt({ id, symbol, label, small = false }: TokenArtProps) {
  return (
    <Drawn
      drawing={{ name: 'token-coin', id, symbol, small }}
      viewBox="0 0 96 96"
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    />
  );
}

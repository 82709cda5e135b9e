/** What a catalogue must hold: every key of the default one, with the same parameters. */
export type Widen<T> = T extends string
  ? string
  : T extends (...args: infer A) => string
    ? (...args: A) => string
    : T extends readonly (infer E)[]
      ? readonly Widen<E>[]
      : { [K in keyof T]: Widen<T[K]> };

/** The texts of one part of the product, in both languages. */
export interface MessageNamespace<Texts extends object = object> {
  readonly es: Texts;
  readonly en: Widen<Texts>;
}

/** Texts that load with the pages that say them, and not with every page. A missing or wrong key does not compile. */
export const defineMessages = <Texts extends object>(texts: MessageNamespace<Texts>): MessageNamespace<Texts> => texts;

/** '1 voto', '2 votos': a count, written as it is or already with its separators, and what is counted. */
export const counted = (count: number | string, one: string, many: string): string =>
  `${count} ${String(count) === '1' ? one : many}`;

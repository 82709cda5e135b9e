import { isEnglish } from '../messages/english.ts';

/** Words of a catalogue, marked where the documents quote them in English for both languages (WCAG 3.1.2). */
export const Quoted = ({ children }: { children: string }) =>
  isEnglish(children) ? <span lang="en">{children}</span> : children;

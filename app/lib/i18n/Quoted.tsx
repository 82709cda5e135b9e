import { isEnglish } from '../messages/english.ts';

/** Text of a catalogue, marked as English where the specification requires English in both languages (WCAG 3.1.2). */
export const Quoted = ({ children }: { children: string }) =>
  isEnglish(children) ? <span lang="en">{children}</span> : children;

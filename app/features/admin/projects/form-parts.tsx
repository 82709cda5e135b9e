import type { ReactNode } from 'react';
import { useText } from '#app/lib/i18n.tsx';
import { adminProjectsTexts } from '#app/lib/messages/admin/projects.ts';
import { Field, Input } from '#app/ui/Field.tsx';
import { PLACE_MAX, REQUEST_MAX } from '#contract/limits.ts';

export const LINKS = ['websiteUrl', 'telegramUrl', 'twitterUrl', 'discordUrl'] as const;

/** A named part of a long form. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="bs-part">
      <legend>{title}</legend>
      <div className="grid grid-cols-1 gap-x-4 gap-y-3 sm:grid-cols-2">{children}</div>
    </fieldset>
  );
}

interface LinkFieldsProps {
  form: {
    text: (name: (typeof LINKS)[number]) => object;
    errors: Partial<Record<(typeof LINKS)[number], string>>;
  };
}

/** The four public links of a token. */
export function LinkFields({ form }: LinkFieldsProps) {
  const words = useText(adminProjectsTexts).projects;
  return LINKS.map((name) => (
    <Field key={name} label={words.field[name]} error={form.errors[name]}>
      <Input {...form.text(name)} type="url" inputMode="url" autoComplete="off" maxLength={REQUEST_MAX.link} />
    </Field>
  ));
}

/** Names and values of a record that is only read. */
export function Fact({ name, wide, children }: { name: ReactNode; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? 'bs-wide' : undefined}>
      <dt>{name}</dt>
      <dd>{children === null || children === '' || children === undefined ? '—' : children}</dd>
    </div>
  );
}

/** A link as people entered it; only http(s) ones lead anywhere (AMB-35). */
export function LinkFact({ name, href }: { name: string; href: string | null }) {
  return (
    <Fact name={name}>
      {href && /^https?:\/\//i.test(href) ? (
        <a href={href} target="_blank" rel="noopener noreferrer" className="underline break-all">
          {href}
        </a>
      ) : (
        href
      )}
    </Fact>
  );
}

// What is typed, as the API takes it.
export const integer = (typed: unknown, otherwise: number): number => {
  const value = Number.parseInt(String(typed), 10);
  return Number.isFinite(value) ? value : otherwise;
};
export const orNull = (typed: string): string | null => typed.trim() || null;

interface FaultWords {
  nameNeeded: string;
  nameShort: string;
  symbolNeeded: string;
  symbolLong: string;
  progressLow: string;
  progressHigh: string;
  order: string;
  link: string;
}

// The same checks as the server's, one sentence each.
export const nameFault = (name: string, words: FaultWords) =>
  !name.trim() ? words.nameNeeded : name.trim().length < 2 && words.nameShort;
export const symbolFault = (symbol: string, words: FaultWords) =>
  !symbol.trim() ? words.symbolNeeded : symbol.trim().length > REQUEST_MAX.symbol && words.symbolLong;
export const progressFault = (typed: unknown, words: FaultWords) => {
  const progress = integer(typed, 0);
  return progress < 0 ? words.progressLow : progress > 100 && words.progressHigh;
};
export const orderFault = (typed: unknown, words: FaultWords) => {
  const order = integer(typed, 0);
  return (order < 0 || order > PLACE_MAX) && words.order;
};
export const linkFault = (link: string, words: FaultWords) =>
  link.trim() !== '' && !/^https?:\/\/[^\s.]+\.[^\s]+$/i.test(link.trim()) && words.link;

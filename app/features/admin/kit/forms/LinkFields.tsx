import { asLink } from '#app/lib/forms/as-link.ts';
import { Field, Input } from '#app/ui/controls/Field.tsx';
import { eachLink, TOKEN_LINKS, type TokenLink } from '#contract/fields/links.ts';

/** For the `readers` of a form with links: 'luna.io' is sent as a full URL, as the public forms do. */
export const LINK_READERS: Record<TokenLink, (typed: string) => string> = eachLink(() => asLink);

interface LinkFieldsProps {
  form: {
    values: Record<TokenLink, string>;
    text: (name: TokenLink) => object;
    set: (name: TokenLink, link: string) => void;
    errors: Partial<Record<TokenLink, string>>;
  };
  labels: Record<TokenLink, string>;
}

/** The public links of a token; https:// is added on blur when it is missing. */
export function LinkFields({ form, labels }: LinkFieldsProps) {
  return TOKEN_LINKS.map((name) => (
    <Field key={name} label={labels[name]} error={form.errors[name]}>
      <Input
        {...form.text(name)}
        type="url"
        inputMode="url"
        placeholder="https://"
        autoComplete="off"
        onBlur={() => {
          const link = asLink(form.values[name]);
          if (link !== form.values[name]) form.set(name, link);
        }}
      />
    </Field>
  ));
}

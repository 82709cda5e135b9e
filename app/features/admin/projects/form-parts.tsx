import type { ReactNode } from 'react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminProjectsTexts } from '#app/lib/messages/admin/projects.ts';
import { Field, Input, Select, Textarea } from '#app/ui/controls/Field.tsx';
import { type ProjectText, TEAM_TEXTS, textField } from '#contract/fields/project-texts.ts';
import { ImageField, type ImagePicker } from '../kit/forms/ImageField.tsx';

/** A named part of a long form. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="admin-part">
      <legend>{title}</legend>
      <div className="grid grid-cols-1 gap-x-4 gap-y-3 sm:grid-cols-2">{children}</div>
    </fieldset>
  );
}

interface TokenFormProps<Name extends string> {
  form: { text: (name: Name) => object; errors: Partial<Record<Name, string>> };
}

interface NameProps {
  form: TokenFormProps<'tokenName' | 'tokenSymbol'>['form'] & { set: (name: 'tokenSymbol', symbol: string) => void };
  hint?: string | null;
}

/** Name and symbol; the symbol is converted to capitals while typing. */
export function NameFields({ form, hint }: NameProps) {
  const { field, hint: hints } = useText(adminProjectsTexts).projects;
  return (
    <>
      <Field label={field.tokenName} hint={hint} error={form.errors.tokenName}>
        <Input {...form.text('tokenName')} autoComplete="off" />
      </Field>
      <Field label={field.tokenSymbol} hint={hints.tokenSymbol} error={form.errors.tokenSymbol}>
        <Input
          {...form.text('tokenSymbol')}
          onChange={(event) => form.set('tokenSymbol', event.target.value.toUpperCase())}
          autoComplete="off"
          autoCapitalize="characters"
        />
      </Field>
    </>
  );
}

interface AddressProps extends TokenFormProps<'tokenAddress' | 'contractAddress'> {
  name: 'tokenAddress' | 'contractAddress';
  optional?: string;
  hint?: string;
  className?: string;
}

/** An address of a chain. */
export function AddressField({ form, name, ...look }: AddressProps) {
  const { field } = useText(adminProjectsTexts).projects;
  return (
    <Field label={field[name]} error={form.errors[name]} {...look}>
      <Input {...form.text(name)} autoComplete="off" spellCheck={false} />
    </Field>
  );
}

/** Its progress. */
export function ProgressField({ form }: TokenFormProps<'progressPercentage'>) {
  const { field } = useText(adminProjectsTexts).projects;
  return (
    <Field label={field.progressPercentage} error={form.errors.progressPercentage}>
      <Input {...form.text('progressPercentage')} type="number" min={0} max={100} step={1} />
    </Field>
  );
}

/** Optional texts, each in a field as high as its lines. */
export function TextFields({ form, names }: TokenFormProps<ProjectText> & { names: readonly ProjectText[] }) {
  const { field, hint } = useText(adminProjectsTexts).projects;
  const hints: Partial<Record<string, unknown>> = hint;
  return names.map((name) => {
    const { rows } = textField(name);
    const about = hints[name];
    return (
      <Field
        key={name}
        label={field[name]}
        hint={typeof about === 'string' ? about : undefined}
        error={form.errors[name]}
        className="sm:col-span-2"
      >
        {rows === 1 ? <Input {...form.text(name)} autoComplete="off" /> : <Textarea {...form.text(name)} rows={rows} />}
      </Field>
    );
  });
}

interface ImagePartProps {
  form: { values: { imageUrl: string }; set: (name: 'imageUrl', url: string) => void; errors: { imageUrl?: string } };
  picker: ImagePicker;
  title: string;
  hint?: ReactNode;
}

/** Its image, uploaded or from a URL. */
export function ImagePart({ form, picker, title, hint }: ImagePartProps) {
  const messages = useText(adminProjectsTexts).projects;
  return (
    <fieldset className="admin-part">
      <legend>{title}</legend>
      <ImageField
        picker={picker}
        label={messages.field.imageUrl}
        hint={hint}
        error={form.errors.imageUrl}
        value={form.values.imageUrl}
        onChange={(url) => form.set('imageUrl', url)}
      />
    </fieldset>
  );
}

interface SettingsProps extends TokenFormProps<'status' | 'orderIndex'> {
  /** Each status with its label. */
  statuses: readonly (readonly [status: string, messages: string])[];
  orderHint: string;
}

/** Its status and its order. */
export function StateFields({ form, statuses, orderHint }: SettingsProps) {
  const messages = useText(adminProjectsTexts).projects;
  return (
    <>
      <Field label={messages.field.status} error={form.errors.status}>
        <Select {...form.text('status')}>
          {statuses.map(([status, name]) => (
            <option key={status} value={status}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={messages.field.orderIndex} hint={orderHint} error={form.errors.orderIndex}>
        <Input {...form.text('orderIndex')} type="number" min={0} step={1} />
      </Field>
    </>
  );
}

/** The team's internal notes. */
export function NotesPart({ form, title }: TokenFormProps<ProjectText> & { title: string }) {
  return (
    <Part title={title}>
      <TextFields form={form} names={TEAM_TEXTS} />
    </Part>
  );
}

/** Label and value of a read-only record. */
export function Fact({ name, wide, children }: { name: ReactNode; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? 'admin-wide' : undefined}>
      <dt>{name}</dt>
      <dd>{children === null || children === '' || children === undefined ? '—' : children}</dd>
    </div>
  );
}

/** A link as entered; only http(s) URLs are rendered as links (AMB-35). */
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

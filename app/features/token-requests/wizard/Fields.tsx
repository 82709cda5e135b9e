import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, createContext, type ReactNode, use } from 'react';
import { rpc } from '#app/lib/api/rpc.ts';
import { asLink } from '#app/lib/forms/as-link.ts';
import { useChecksum } from '#app/lib/forms/useChecksum.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { createTexts } from '#app/lib/messages/create.ts';
import { Field, Input, Select, Textarea } from '#app/ui/controls/Field.tsx';
import type { Network } from '#contract/domains/networks.ts';
import type { DraftData } from '#contract/domains/token-requests.ts';
import { type DraftText, draftMax } from '#contract/fields/draft-fields.ts';
import { checkWallet } from '#contract/fields/wallets.ts';
import { isBadLink } from './field-errors.ts';
import type { FieldName } from './stored-draft.ts';
import { draftStore } from './useDraft.ts';

export interface Form {
  data: DraftData;
  /** Error message by field. */
  errors: Partial<Record<FieldName, string>>;
}
export const FormContext = createContext<Form | null>(null);
export function useForm(): Form {
  const form = use(FormContext);
  if (!form) throw new Error('useForm needs a FormContext above it');
  return form;
}
export const change = (patch: Partial<DraftData>): void => draftStore().change(patch);

export const networksQuery = (api: typeof rpc = rpc) => api.networks.list.queryOptions({ staleTime: 60_000 });
export const useNetworks = () => useQuery(networksQuery());
/** Networks on which tokens can be sold; undefined while they are loading. */
export const useNetworksOnSale = (): Network[] | undefined => useQuery({ ...networksQuery(), select: soldOf }).data;
const soldOf = (networks: Network[]) => networks.filter(({ delivery }) => delivery !== null);

interface Base {
  name: DraftText;
  label: ReactNode;
  hint?: ReactNode;
  optional?: ReactNode;
  className?: string | undefined;
}
type Native = Omit<ComponentProps<'input'>, keyof Base | 'value' | 'onChange'>;

/** One line of the form, stored on every keystroke. */
export function TextField({ name, label, hint, optional, className, ...rest }: Base & Native) {
  const { data, errors } = useForm();
  return (
    <Field label={label} hint={hint} optional={optional} error={errors[name]} className={className}>
      <Input
        name={name}
        maxLength={draftMax(name)}
        {...rest}
        value={data[name]}
        onChange={(event) => change({ [name]: event.target.value })}
      />
    </Field>
  );
}

export function AreaField({ name, label, hint, rows, required }: Base & { rows: number; required?: boolean }) {
  const { data, errors } = useForm();
  return (
    <Field label={label} hint={hint} error={errors[name]}>
      <Textarea
        name={name}
        rows={rows}
        required={required}
        maxLength={draftMax(name)}
        value={data[name]}
        onChange={(event) => change({ [name]: event.target.value })}
      />
    </Field>
  );
}

/** A URL. An invalid one can be typed and left: a hint says that it will not be stored. */
export function LinkField({ name, ...rest }: Base) {
  const text = useText(createTexts);
  const { data } = useForm();
  const bad = isBadLink(data[name]);
  return (
    <TextField
      {...rest}
      name={name}
      hint={bad ? <Warning>{text.create.hint.linkBad}</Warning> : text.create.hint.link}
      type="url"
      inputMode="url"
      placeholder="https://"
      onBlur={() => {
        const link = asLink(data[name]);
        if (link !== data[name]) change({ [name]: link });
      }}
    />
  );
}

/** A percentage; the limits are only those of the browser, and nothing is refused. */
export function PercentField({ name, label }: Base) {
  return <TextField name={name} label={label} type="number" inputMode="decimal" min={0} max={100} step="any" />;
}

interface NetworkFieldProps extends Base {
  /** The network of the order: offers only networks on sale, with the kind of delivery. */
  sold?: boolean;
  symbols?: boolean;
  required?: boolean;
}

export function NetworkField({ name, label, sold, symbols, required, optional }: NetworkFieldProps) {
  const text = useText(createTexts);
  const { data, errors } = useForm();
  const networks = useNetworks();
  const value = data[name];
  const offered = sold ? networks.data && soldOf(networks.data) : networks.data;
  const chosen = offered?.find(({ key }) => key === value);
  const delivery = useDeliveryHint(sold ? chosen : undefined);
  const past = chosen ? undefined : networks.data?.find(({ key }) => key === value);
  const warning = !offered
    ? networks.isError && text.create.networksFailed
    : offered.length === 0
      ? text.create.networksNone
      : sold && value && !chosen && text.create.missing.network;
  return (
    <Field
      label={label}
      optional={optional}
      error={errors[name]}
      hint={warning ? <Warning>{warning}</Warning> : delivery}
    >
      <Select
        name={name}
        required={required}
        aria-busy={networks.isPending || undefined}
        value={value}
        onChange={(event) => change({ [name]: event.target.value })}
      >
        <option value="">{offered ? text.create.choose : text.create.loadingNetworks}</option>
        {/* A network that is no longer offered stays selected until the user changes it. */}
        {value && !chosen ? <option value={value}>{past?.name ?? value}</option> : null}
        {offered?.map((network) => (
          <option key={network.key} value={network.key}>
            {symbols ? `${network.name} (${network.symbol})` : network.name}
          </option>
        ))}
      </Select>
    </Field>
  );
}

/** Hint about the delivery on a network; nothing where a signer creates the token. */
export function useDeliveryHint(network: Network | undefined): string | undefined {
  const messages = useText(createTexts).create.delivery;
  if (network?.delivery === 'trial') return messages.trial;
  return network?.delivery === 'manual' && network.manualDays !== null
    ? messages.manual(network.name, network.manualDays)
    : undefined;
}

/** The owner's address, with immediate hints about its format. */
export function WalletField({ label }: { label: ReactNode }) {
  return (
    <TextField
      name="ownerWalletAddress"
      label={label}
      hint={useWalletHint()}
      autoComplete="off"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      required
      style={{ fontFamily: 'var(--font-mono)', letterSpacing: '-0.03em' }}
    />
  );
}

function useWalletHint(): ReactNode {
  const text = useText(createTexts).create.wallet;
  const { data } = useForm();
  const networks = useNetworks();
  const { selectedNetwork: network } = data;
  const checksum = useChecksum(network);
  const address = data.ownerWalletAddress.trim();
  if (!network || !address) return null;
  const name = networks.data?.find(({ key }) => key === network)?.name ?? network;
  switch (checkWallet(network, address, checksum)) {
    case 'ok':
      return <span className="font-medium text-mint-text">{text.ok(name)}</span>;
    case 'invalid':
      return <Warning>{text.invalid(name)}</Warning>;
    case 'unchecksummed':
      return text.unchecksummed;
    case 'unchecked':
      return text.unchecked(name);
    case 'pending':
      return null;
  }
}

/** A hint that does not block the user. */
const Warning = ({ children }: { children: ReactNode }) => (
  <span className="font-medium text-lead-text">{children}</span>
);

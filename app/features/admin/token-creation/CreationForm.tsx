import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { codeOf } from '#app/lib/failure.ts';
import { useLocale, useText } from '#app/lib/i18n.tsx';
import { adminTokenTexts } from '#app/lib/messages/admin/token-creation.ts';
import { notify } from '#app/lib/notify.ts';
import { client } from '#app/lib/rpc.ts';
import { Badge, type Tone } from '#app/ui/Badge.tsx';
import { Button } from '#app/ui/Button.tsx';
import { Field, Input, Select, Textarea } from '#app/ui/Field.tsx';
import type { AdminTokenRequest } from '#contract/admin/token-requests.ts';
import { REQUEST_MAX, TOKEN_SYMBOL_MAX } from '#contract/limits.ts';
import {
  creationFaults,
  looksLikeAnother,
  requestNetworkOf,
  supplyMost,
  TOKEN_NETWORKS,
  type TokenInput,
} from '#contract/token-form.ts';
import { checkWallet } from '#contract/wallets.ts';
import { InlineForm } from '../kit/FormDialog.tsx';
import { Cancelled, useAdminFailure } from '../kit/failures.ts';
import { useStepUp } from '../kit/StepUp.tsx';
import { useAdminForm } from '../kit/useAdminForm.ts';
import { Deliverable, requestQuery } from './RequestDialog.tsx';

const EMPTY: Values = {
  requestId: '',
  tokenName: '',
  tokenSymbol: '',
  network: 'solana',
  totalSupply: '1000000000',
  ownerWallet: '',
  description: '',
};
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type State = 'idle' | 'processing' | 'completed' | 'error';
const TONES: Record<State, Tone> = { idle: 'neutral', processing: 'sky', completed: 'mint', error: 'coral' };

const trimmed = (values: Values): TokenInput => {
  const texts = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, String(value ?? '').trim()]),
  ) as unknown as TokenInput;
  return { ...texts, confirmation: texts.tokenSymbol, lookAlikeAccepted: true };
};
type Values = Record<Exclude<keyof TokenInput, 'confirmation' | 'lookAlikeAccepted'>, string>;

const valuesOf = (request: AdminTokenRequest): Values => ({
  ...EMPTY,
  requestId: request.id,
  tokenName: request.tokenName,
  // Whole, also when it is too long: somebody has to decide how it becomes shorter.
  tokenSymbol: request.tokenSymbol,
  network: request.creatableOn ?? EMPTY.network,
  ownerWallet: request.ownerWallet,
  description: request.data.description,
});

interface CreationProps {
  /** The request that the form begins with. */
  from: string | null;
  onView: (id: string) => void;
  onPrefill: (id: string) => void;
}

/** The form of a token, empty or filled in from a request. */
export function Creation(props: CreationProps) {
  const query = useQuery({ ...requestQuery(props.from ?? ''), enabled: props.from !== null });
  if (props.from && query.isPending) return <CreationForm key="waiting" {...props} initial={EMPTY} />;
  const request = props.from ? query.data : undefined;
  return <CreationForm key={request?.id ?? 'empty'} {...props} initial={request ? valuesOf(request) : EMPTY} />;
}

function CreationForm({ initial, onView, onPrefill }: CreationProps & { initial: Values }) {
  const words = useText(adminTokenTexts).tokenAdmin.create;
  const locale = useLocale();
  const failure = useAdminFailure('tokens');
  const withProof = useStepUp();
  const [state, setState] = useState<State>('idle');
  const [problem, setProblem] = useState('');
  const ruled = (name: keyof Values) => (_value: string, all: Values) => {
    const fault = creationFaults(trimmed(all))[name];
    return fault && words.faults[fault];
  };
  const form = useAdminForm<Values>({
    initial,
    rules: {
      requestId: ruled('requestId'),
      tokenName: ruled('tokenName'),
      tokenSymbol: ruled('tokenSymbol'),
      network: ruled('network'),
      totalSupply: ruled('totalSupply'),
      ownerWallet: ruled('ownerWallet'),
      description: ruled('description'),
    },
    screen: 'tokens',
    failed: (error) => {
      const text = codeOf(error) === 'UNEXPECTED' ? words.unknownError : failure(error);
      setState('error');
      setProblem(text);
      return { title: words.failed, text };
    },
    submit: async (values) => {
      const input = trimmed(values);
      setState('processing');
      setProblem('');
      try {
        await withProof(() => client.admin.tokenRequests.createToken(input));
      } catch (error) {
        if (error instanceof Cancelled) setState('idle');
        throw error;
      }
      setState('completed');
      notify.success({
        title: words.done,
        text: words.doneText(`${input.tokenName} (${input.tokenSymbol})`, words.networks[input.network]),
      });
      form.reset(EMPTY);
    },
  });
  const { values } = form;
  const id = values.requestId.trim();
  const about = useQuery({ ...requestQuery(id), enabled: UUID.test(id) });
  const filled = (['requestId', 'tokenName', 'tokenSymbol', 'ownerWallet'] as const).every((name) =>
    values[name].trim(),
  );

  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <section className="bs-panel grid grid-cols-1 gap-4">
        <header className="flex flex-wrap items-center justify-between gap-2">
          <h2>{words.heading}</h2>
          <p className="flex items-center gap-2 text-sm" role="status">
            <span className="text-quiet">{words.state}:</span>
            <Badge tone={TONES[state]}>{words.states[state]}</Badge>
          </p>
        </header>
        <div className="bs-callout" data-tone="lead">
          <p className="font-semibold">{words.notConnectedTitle}</p>
          <p className="text-sm">{words.notConnected}</p>
        </div>
        <InlineForm form={form} label={words.heading} fieldNames={{}}>
          <div className="grid grid-cols-1 items-start gap-x-4 gap-y-3 sm:grid-cols-2">
            <Field
              label={words.requestId}
              hint={words.requestIdHint}
              error={form.errors.requestId}
              className="sm:col-span-2"
            >
              <Input {...form.text('requestId')} className="figures" autoComplete="off" spellCheck={false} />
            </Field>
            <Field label={words.tokenName} error={form.errors.tokenName}>
              <Input {...form.text('tokenName')} autoComplete="off" />
            </Field>
            <Field label={words.tokenSymbol} error={form.errors.tokenSymbol}>
              <Input
                {...form.text('tokenSymbol')}
                className="figures"
                autoComplete="off"
                autoCapitalize="characters"
                maxLength={TOKEN_SYMBOL_MAX}
              />
            </Field>
            <Field label={words.network} error={form.errors.network}>
              <Select {...form.text('network')}>
                {TOKEN_NETWORKS.map((network) => (
                  <option key={network} value={network}>
                    {words.networks[network]}
                  </option>
                ))}
              </Select>
            </Field>
            <Field
              label={words.totalSupply}
              hint={words.supplyHint(grouped(supplyMost(trimmed(values).network), locale))}
              error={form.errors.totalSupply}
            >
              <Input {...form.text('totalSupply')} className="figures" inputMode="numeric" autoComplete="off" />
            </Field>
            <Field label={words.ownerWallet} error={form.errors.ownerWallet} className="sm:col-span-2">
              <Input {...form.text('ownerWallet')} className="figures" autoComplete="off" spellCheck={false} />
            </Field>
            <Field label={words.description} error={form.errors.description} className="sm:col-span-2">
              <Textarea {...form.text('description')} rows={6} maxLength={REQUEST_MAX.description} />
            </Field>
          </div>
          <Warnings values={trimmed(values)} request={about.data} unknown={about.isError} />
          {state === 'error' ? (
            <div className="bs-callout mt-4" data-tone="coral" role="alert">
              <p className="font-semibold">{words.problem}</p>
              <p className="text-sm">{problem}</p>
            </div>
          ) : null}
          <div className="mt-4">
            <Button type="submit" variant="primary" busy={form.busy} busyLabel={words.busy} disabled={!filled}>
              {words.submit}
            </Button>
          </div>
        </InlineForm>
      </section>
      <section className="bs-panel grid grid-cols-1 gap-3" aria-label={words.about}>
        <h2>{words.about}</h2>
        {about.data && UUID.test(id) ? (
          <>
            <p>
              {about.data.tokenName} <span className="figures text-quiet">{about.data.tokenSymbol}</span>
            </p>
            <Deliverable request={about.data} />
            <div className="flex flex-wrap gap-2">
              <Button size="sm" onClick={() => onView(id)}>
                {words.open}
              </Button>
              <Button
                size="sm"
                variant="ghost"
                onClick={() => {
                  if (about.data) form.reset(valuesOf(about.data));
                  onPrefill(id);
                }}
              >
                {words.fill}
              </Button>
            </div>
          </>
        ) : (
          <p className="text-quiet">{words.noRequest}</p>
        )}
      </section>
    </div>
  );
}

/** What is worth a second look, though nothing forbids it. */
function Warnings(props: { values: TokenInput; request: AdminTokenRequest | undefined; unknown: boolean }) {
  const words = useText(adminTokenTexts).tokenAdmin.create;
  const { values, request, unknown } = props;
  const mine = requestNetworkOf(values.network);
  const warnings = [
    looksLikeAnother(values.tokenName) && words.warn.lookAlikeName,
    looksLikeAnother(values.tokenSymbol) && words.warn.lookAlikeSymbol,
    checkWallet(mine, values.ownerWallet) === 'unchecksummed' && words.warn.unchecksummed,
    unknown && UUID.test(values.requestId) && words.warn.unknownRequest,
    request && values.ownerWallet && request.ownerWallet !== values.ownerWallet && words.warn.otherWallet,
    request && request.network !== mine && words.warn.otherNetwork(request.networkName ?? request.network),
  ].filter((one) => typeof one === 'string');
  return (
    <div aria-live="polite">
      {warnings.length > 0 ? (
        <div className="bs-callout mt-4" data-tone="lead">
          <p className="flex items-center gap-2 font-semibold">
            <TriangleAlert aria-hidden="true" className="size-4 flex-none" />
            {words.warn.heading}
          </p>
          <ul className="list-disc pl-5 text-sm">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </div>
      ) : null}
    </div>
  );
}

const grouped = (value: bigint, locale: 'es' | 'en') =>
  new Intl.NumberFormat(locale === 'es' ? 'es-ES' : 'en-GB').format(value);

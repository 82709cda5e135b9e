import { useQuery, useQueryClient } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { ApiFailure, codeOf } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { integer } from '#app/lib/format/format.ts';
import { useChecksum } from '#app/lib/forms/useChecksum.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminCreationTexts } from '#app/lib/messages/admin/token-creation/creation-part.ts';
import { adminTokenTexts } from '#app/lib/messages/admin/token-creation.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Field, Input, Select, Textarea } from '#app/ui/controls/Field.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { English } from '#app/ui/layout/English.tsx';
import type { ChainStatus, TokenCreation } from '#contract/admin/token-creation.ts';
import type { AdminTokenRequest } from '#contract/admin/token-requests.ts';
import { creationErrors, isConfusable, maxSupplyOf, type TokenInput } from '#contract/fields/token-form.ts';
import { checkWallet } from '#contract/fields/wallets.ts';
import { REQUEST_MAX, TOKEN_SYMBOL_MAX } from '#contract/limits.ts';
import { requestNetworkOf, TOKEN_NETWORKS } from '#contract/networks.ts';
import { Cancelled, useAdminFailure } from '../kit/failures.ts';
import { InlineForm } from '../kit/forms/FormDialog.tsx';
import { type AdminForm, useAdminForm } from '../kit/forms/useAdminForm.ts';
import { useStepUp } from '../kit/StepUp.tsx';
import { ApprovalPart, missingApproval } from './ApprovalPart.tsx';
import { CreationConfirm, type TokenFields } from './CreationConfirm.tsx';
import { CreationPart, INDICATOR_TONES, type Indicator, indicatorOf, useCreationNews } from './CreationPart.tsx';
import { ProposeToken, type Unconfirmed, unconfirmedIn, unconfirmedOf } from './ProposeToken.tsx';
import { Deliverable, requestQuery } from './RequestDialog.tsx';
import { chainsQuery, SignerWorkers } from './SignerWorkers.tsx';

const EMPTY: Values = {
  requestId: '',
  tokenName: '',
  tokenSymbol: '',
  network: 'solana',
  totalSupply: '1000000000',
  ownerWallet: '',
  description: '',
};
/** Empty while the request with the initial values is loading. */
const WAITING: Values = { ...EMPTY };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Values = Record<keyof TokenFields, string>;

const trimmed = (values: Values): TokenFields =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, String(value ?? '').trim()]),
  ) as unknown as TokenFields;
/** The input for validation, as if the confirmation dialog were completed. */
const answered = (fields: TokenFields): TokenInput => ({
  ...fields,
  confirmation: fields.tokenSymbol,
  lookAlikeAccepted: true,
});

const valuesOf = (request: AdminTokenRequest): Values => ({
  ...EMPTY,
  requestId: request.id,
  tokenName: request.tokenName,
  // Complete, even when it is too long: the user has to decide how to shorten it.
  tokenSymbol: request.tokenSymbol,
  network: request.creatableOn ?? EMPTY.network,
  ownerWallet: request.ownerWallet,
  description: request.data.description,
});

/** Why nothing can be ordered on the network, when that is the cause of the error. */
const obstacleOf = (error: unknown): NonNullable<ChainStatus['why']> | undefined =>
  codeOf(error) === 'CHAIN_UNAVAILABLE'
    ? ((error as ApiFailure & { data: Pick<ChainStatus, 'why'> }).data.why ?? undefined)
    : undefined;

interface CreationProps {
  /** Id of the request with the initial values. */
  from: string | null;
  onView: (id: string) => void;
  onPrefill: (id: string) => void;
}

/** The form of a token, empty or prefilled from a request. */
export function Creation(props: CreationProps) {
  const query = useQuery({ ...requestQuery(props.from ?? ''), enabled: props.from !== null });
  if (props.from && query.isPending) return <CreationForm key="waiting" {...props} initial={WAITING} />;
  const request = props.from ? query.data : undefined;
  return <CreationForm key={request?.id ?? 'empty'} {...props} initial={request ? valuesOf(request) : EMPTY} />;
}

/** A token that waits for confirmation. */
interface PendingConfirmation {
  token: TokenFields;
  resolve: (made: TokenCreation) => void;
  reject: (error: unknown) => void;
}

const isFilled = (values: Values): boolean =>
  (['requestId', 'tokenName', 'tokenSymbol', 'ownerWallet'] as const).every((name) => values[name].trim());

/** The token that waits for its payer's confirmation, and how a form checks it. */
function useUnconfirmed() {
  const queries = useQueryClient();
  const [unconfirmed, setUnconfirmed] = useState<Unconfirmed | null>(null);
  const isUnconfirmed = async (token: TokenFields) => {
    const waits = unconfirmedIn(answered(token), await queries.fetchQuery(requestQuery(token.requestId)));
    setUnconfirmed(waits);
    return waits !== null;
  };
  return { unconfirmed, setUnconfirmed, isUnconfirmed };
}

/** Refetches whether a missing approval of another admin blocks a request; null when it does not, or when the request is unknown. */
function useApproval() {
  const queries = useQueryClient();
  return async (requestId: string) => {
    const request = await queries.fetchQuery({ ...requestQuery(requestId), staleTime: 0 });
    return request ? missingApproval(request.approval) : null;
  };
}

function CreationForm({ initial, onView, onPrefill }: CreationProps & { initial: Values }) {
  const messages = useText(adminTokenTexts).tokenAdmin.create;
  const approvals = useText(adminCreationTexts).creation.approval;
  const approvalLacks = useApproval();
  const failure = useAdminFailure('tokens');
  const [refused, setRefused] = useState('');
  const { unconfirmed, setUnconfirmed, isUnconfirmed } = useUnconfirmed();
  const [confirming, setConfirming] = useState<PendingConfirmation | null>(null);
  const queries = useQueryClient();
  // Loaded independently of the network chosen later.
  const checksum = useChecksum('ethereum');
  const form = useAdminForm<Values>({
    initial,
    // The server calls the same function.
    check: (values) => {
      const fieldErrors = Object.entries(creationErrors(answered(trimmed(values)), checksum));
      return Object.fromEntries(fieldErrors.map(([name, fieldError]) => [name, messages.fieldErrors[fieldError]]));
    },
    screen: 'tokens',
    fieldErrors: (error) => {
      const obstacle = obstacleOf(error);
      return obstacle ? { network: messages.chainWhy[obstacle] } : {};
    },
    stored:
      initial === WAITING
        ? null
        : { form: 'tokenCreation', record: initial.requestId ? { id: initial.requestId } : null },
    failed: (error) => {
      const obstacle = obstacleOf(error);
      const text = obstacle
        ? messages.chainWhy[obstacle]
        : codeOf(error) === 'UNEXPECTED'
          ? messages.unknownError
          : failure(error);
      setRefused(text);
      return { title: messages.failed, text };
    },
    submit: async (values) => {
      const token = trimmed(values);
      setRefused('');
      // Checked before the user types the ticker and a code for an order that the chain would not accept.
      const seen = await queries.fetchQuery({ ...chainsQuery(), staleTime: 0 });
      const why = seen.find(({ network }) => network === token.network)?.why;
      if (why) throw new ApiFailure('CHAIN_UNAVAILABLE', 502, { why });
      // The missing confirmation is shown next to the form; this is no failure.
      if (await isUnconfirmed(token)) throw new Cancelled();
      const lacks = await approvalLacks(token.requestId);
      if (lacks) {
        setRefused(approvals.why[lacks]);
        throw new Cancelled();
      }
      const made = await new Promise<TokenCreation>((resolve, reject) =>
        setConfirming({ token, resolve, reject }),
      ).finally(() => setConfirming(null));
      // What was ordered is not unsaved any more.
      form.reset(values);
      // The remaining progress is shown next to the form.
      queries.setQueryData(requestQuery(token.requestId).queryKey, (old) => old && { ...old, creation: made });
      await queries.invalidateQueries({ queryKey: rpc.admin.tokenRequests.key() });
    },
  });
  const { values } = form;
  const id = values.requestId.trim();
  const about = useQuery({ ...requestQuery(id), enabled: UUID.test(id) });
  const creation = UUID.test(id) ? about.data?.creation : null;
  const state: Indicator = refused ? 'error' : form.busy && !confirming ? 'processing' : indicatorOf(creation);
  useCreationNews(creation);
  // Once a transaction is signed, the token can't be changed; another order would be refused.
  const taken = creation != null && !creation.correctable;
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <section className="admin-panel grid grid-cols-1 gap-4">
        <header className="flex flex-wrap items-center justify-between gap-2">
          <h2>{messages.heading}</h2>
          <p className="flex items-center gap-2 text-sm" role="status">
            <span className="text-quiet">{messages.state}:</span>
            <Badge tone={INDICATOR_TONES[state]}>{messages.states[state]}</Badge>
          </p>
        </header>
        <InlineForm form={form} label={messages.heading} fieldNames={{}}>
          <CreationFields form={form} />
          <Warnings values={trimmed(values)} request={about.data} unknown={about.isError} />
          <Refusal text={refused} />
          <ProposeToken refused={taken ? null : unconfirmed} onProposed={setUnconfirmed} />
          <div className="mt-4">
            <Button
              type="submit"
              variant="primary"
              busy={form.busy}
              busyLabel={messages.busy}
              disabled={!isFilled(values) || taken}
            >
              <English>{messages.submit}</English>
            </Button>
          </div>
        </InlineForm>
      </section>
      <div className="grid grid-cols-1 gap-4">
        <RequestSummary
          request={UUID.test(id) ? about.data : undefined}
          onView={() => onView(id)}
          onPrefill={(request) => {
            form.reset(valuesOf(request));
            onPrefill(id);
          }}
        />
        <SignerWorkers />
      </div>
      {confirming ? (
        <Confirming confirming={confirming} image={about.data?.data.imageUrl ?? ''} onRefused={setUnconfirmed} />
      ) : null}
    </div>
  );
}

interface ConfirmingProps {
  confirming: PendingConfirmation;
  /** Image of the request; only the site's own copies are loaded. */
  image: string;
  onRefused: (unconfirmed: Unconfirmed | null) => void;
}

/** Asks for confirmation before a token is ordered, and orders it. */
function Confirming({ confirming, image, onRefused }: ConfirmingProps) {
  const withProof = useStepUp();
  return (
    <CreationConfirm
      token={confirming.token}
      image={image.startsWith('/media/') ? image : null}
      onClose={() => confirming.reject(new Cancelled())}
      onConfirm={async (confirmed) => {
        const token = { ...confirming.token, ...confirmed };
        try {
          confirming.resolve(await withProof(() => client.admin.tokenRequests.createToken(token)));
        } catch (error) {
          onRefused(unconfirmedOf(error, token));
          confirming.reject(error);
          throw error;
        }
      }}
    />
  );
}

/** Why nothing was ordered; renders nothing without a reason. */
function Refusal({ text }: { text: string }) {
  const { problem } = useText(adminTokenTexts).tokenAdmin.create;
  if (!text) return null;
  return (
    <div className="admin-callout mt-4" data-tone="coral" role="alert">
      <p className="font-semibold">{problem}</p>
      <p className="text-sm">{text}</p>
    </div>
  );
}

function CreationFields({ form }: { form: AdminForm<Values> }) {
  const messages = useText(adminTokenTexts).tokenAdmin.create;
  const locale = useLocale();
  return (
    <div className="grid grid-cols-1 items-start gap-x-4 gap-y-3 sm:grid-cols-2">
      <Field
        label={messages.requestId}
        hint={messages.requestIdHint}
        error={form.errors.requestId}
        className="sm:col-span-2"
      >
        <Input {...form.text('requestId')} className="figures" autoComplete="off" spellCheck={false} />
      </Field>
      <Field label={messages.tokenName} error={form.errors.tokenName}>
        <Input {...form.text('tokenName')} autoComplete="off" />
      </Field>
      <Field label={messages.tokenSymbol} error={form.errors.tokenSymbol}>
        <Input
          {...form.text('tokenSymbol')}
          className="figures"
          autoComplete="off"
          autoCapitalize="characters"
          maxLength={TOKEN_SYMBOL_MAX}
        />
      </Field>
      <Field label={messages.network} error={form.errors.network}>
        <Select {...form.text('network')}>
          {TOKEN_NETWORKS.map((network) => (
            <option key={network} value={network}>
              {messages.networks[network]}
            </option>
          ))}
        </Select>
      </Field>
      <Field
        label={messages.totalSupply}
        hint={messages.supplyHint(integer(maxSupplyOf(trimmed(form.values).network), locale))}
        error={form.errors.totalSupply}
      >
        <Input {...form.text('totalSupply')} className="figures" inputMode="numeric" autoComplete="off" />
      </Field>
      <Field label={messages.ownerWallet} error={form.errors.ownerWallet} className="sm:col-span-2">
        <Input {...form.text('ownerWallet')} className="figures" autoComplete="off" spellCheck={false} />
      </Field>
      <Field label={messages.description} error={form.errors.description} className="sm:col-span-2">
        <Textarea {...form.text('description')} rows={6} maxLength={REQUEST_MAX.description} />
      </Field>
    </div>
  );
}

interface RequestSummaryProps {
  request: AdminTokenRequest | undefined;
  onView: () => void;
  onPrefill: (request: AdminTokenRequest) => void;
}

/** The request whose id is in the form, and the progress of its token. */
function RequestSummary({ request, onView, onPrefill }: RequestSummaryProps) {
  const messages = useText(adminTokenTexts).tokenAdmin.create;
  return (
    <section className="admin-panel grid grid-cols-1 gap-3" aria-label={messages.about}>
      <h2>{messages.about}</h2>
      {request ? (
        <>
          <p>
            {request.tokenName} <span className="figures text-quiet">{request.tokenSymbol}</span>
          </p>
          {request.creation ? <CreationPart creation={request.creation} /> : <Deliverable request={request} />}
          <ApprovalPart request={request} />
          <div className="flex flex-wrap gap-2">
            <Button size="sm" onClick={onView}>
              {messages.open}
            </Button>
            <Button size="sm" variant="ghost" onClick={() => onPrefill(request)}>
              {messages.fill}
            </Button>
          </div>
        </>
      ) : (
        <p className="text-quiet">{messages.noRequest}</p>
      )}
    </section>
  );
}

/** Warnings that do not block the order. */
function Warnings(props: { values: TokenFields; request: AdminTokenRequest | undefined; unknown: boolean }) {
  const messages = useText(adminTokenTexts).tokenAdmin.create;
  const { values, request, unknown } = props;
  const mine = requestNetworkOf(values.network);
  const checksum = useChecksum(mine);
  const warnings = [
    isConfusable(values.tokenName) && messages.warn.lookAlikeName,
    isConfusable(values.tokenSymbol) && messages.warn.lookAlikeSymbol,
    checkWallet(mine, values.ownerWallet, checksum) === 'unchecksummed' && messages.warn.unchecksummed,
    unknown && UUID.test(values.requestId) && messages.warn.unknownRequest,
    request && values.ownerWallet && request.ownerWallet !== values.ownerWallet && messages.warn.otherWallet,
    request && request.network !== mine && messages.warn.otherNetwork(request.networkName ?? request.network),
  ].filter((one) => typeof one === 'string');
  return (
    <div aria-live="polite">
      {warnings.length > 0 ? (
        <div className="admin-callout mt-4" data-tone="lead">
          <p className="flex items-center gap-2 font-semibold">
            <TriangleAlert aria-hidden="true" className="size-4 flex-none" />
            {messages.warn.heading}
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

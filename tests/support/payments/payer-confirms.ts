import type { TokenInput } from '#contract/fields/token-form.ts';
import { answerProposal } from '#server/domains/token-creation/proposals.service.ts';
import type { Actor } from '#server/lib/audit.ts';
import type { startTestApp } from '#tests/support/app/test-app.ts';

type App = Awaited<ReturnType<typeof startTestApp>>;
type RequestsApi = ReturnType<App['as']>['admin']['tokenRequests'];
type Input = Parameters<RequestsApi['proposeToken']>[0] & Pick<TokenInput, 'requestId'>;

/** An admin requests the payer to confirm a token, and the payer answers, as before every creation. */
export async function payerConfirms(
  app: Pick<App, 'sql' | 'services' | 'now' | 'pass'>,
  requests: RequestsApi,
  input: Input,
  answer: 'confirmed' | 'declined' = 'confirmed',
): Promise<void> {
  const { requestId: id } = input;
  // Proposals never have the same time.
  app.pass(1_000);
  await requests.proposeToken(input);
  const [proposal] = await app.sql<{ id: string }>(
    "select id from token_proposals where submission_id = $1 and state = 'open'",
    [id],
  );
  const now = app.now;
  const actor: Actor = { id: null, role: 'visitor', ipHash: null, requestId: null };
  await answerProposal(app.services.db, { requestId: id, proposalId: proposal?.id ?? '', answer }, { actor, now });
}

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { LanguageProvider } from '#app/lib/i18n/i18n.tsx';
import { en } from '#app/lib/messages/en.ts';
import type { ChainStatus, TokenApproval } from '#contract/admin/token-creation.ts';
import type { AdminTokenRequest } from '#contract/admin/token-requests.ts';
import { ApprovalPart } from './ApprovalPart.tsx';
import { Deliverable } from './RequestDialog.tsx';
import { chainsQuery } from './SignerWorkers.tsx';

const shown = (approval: Partial<TokenApproval>, why: string | null = null): string => {
  const queries = new QueryClient();
  queries.setQueryData(chainsQuery().queryKey, [{ network: 'ethereum', why } as ChainStatus]);
  const summary = { id: 'p', tokenName: 'Luna' };
  const request = {
    notDeliverable: null,
    creatableOn: 'ethereum',
    network: 'ethereum',
    creation: null,
    proposals: [summary],
    approval: {
      needed: true,
      given: [],
      otherAdmins: 1,
      aboveUsd: null,
      amountUsd: 50,
      proposal: summary,
      ...approval,
    },
  } as unknown as AdminTokenRequest;
  return renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <LanguageProvider locale="en" text={en}>
        <Deliverable request={request} />
        <ApprovalPart request={request} />
      </LanguageProvider>
    </QueryClientProvider>,
  );
};
const given = (mine: boolean) => [{ by: 'somebody', mine, at: '2026-03-10T12:00:00.000Z' }];

it('a token that needs the approval of another admin is not shown as ready', () => {
  expect(shown({})).toContain('The approval of another admin is missing.');
  expect(shown({})).not.toContain('the token can be prepared');
  expect(shown({ given: given(true) })).toContain('The approval of another admin is missing.');
  expect(shown({ given: given(false) })).not.toContain('The approval of another admin is missing.');
  expect(shown({ needed: false })).not.toContain('The approval of another admin is missing.');
});

it('the only admin is not offered an approval, which would have no effect', () => {
  expect(shown({})).toContain('Approve this summary</');
  expect(shown({ otherAdmins: 0 })).not.toContain('Approve this summary</');
  expect(shown({ otherAdmins: 0 })).toContain('You are the only admin account');
});

it('no approval is offered once one was given, by oneself or by another admin', () => {
  for (const mine of [true, false]) expect(shown({ given: given(mine) })).not.toContain('Approve this summary</');
  expect(shown({ given: given(false) })).toContain('Approved by somebody');
});

it('a token on a network that no signer serves is not shown as ready, and the reason is shown', () => {
  expect(shown({ needed: false })).toContain('the token can be prepared');
  const unserved = shown({ needed: false }, 'not_configured');
  expect(unserved).not.toContain('the token can be prepared');
  expect(unserved).toContain('This network is not configured');
});

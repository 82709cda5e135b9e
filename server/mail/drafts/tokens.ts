// Mails to payers about their token: its summary to confirm, and its creation.
import type { ProposalMail } from '../texts/tokens.ts';
import type { MailTexts } from '../texts.ts';
import { type Draft, markedSubject } from './draft.ts';

export interface TokenMails {
  tokenCreated: {
    orderId: string;
    name: string;
    symbol: string;
    owner: string;
    address: string;
    explorerUrl: string | null;
    path: string;
    simulation: boolean;
  };
  tokenProposal: ProposalMail;
}

export const tokenDrafts: { [T in keyof TokenMails]: (data: TokenMails[T], texts: MailTexts) => Draft } = {
  tokenCreated: (
    { orderId, name, symbol, owner, address, explorerUrl, path, simulation },
    { tokenCreated, order },
  ) => ({
    subject: markedSubject(tokenCreated.subject(`${name} (${symbol})`), simulation, order),
    body: tokenCreated.body(`${name} (${symbol})`, orderId),
    lines: [
      ...(owner ? [tokenCreated.owner(owner)] : []),
      tokenCreated.address(address),
      ...(explorerUrl ? [tokenCreated.explorer(explorerUrl)] : []),
      ...(simulation ? [tokenCreated.test] : []),
    ],
    link: { path, label: order.button },
  }),
  tokenProposal: (
    { orderId, name, symbol, owner, network, path, simulation, changed, reminder },
    { tokenProposal, order },
  ) => ({
    subject: markedSubject(
      `${reminder ? tokenProposal.reminder : ''}${tokenProposal.subject[changed === false ? 'same' : 'changed'](orderId)}`,
      simulation,
      order,
    ),
    body: tokenProposal.body[changed === false ? 'same' : 'changed'](orderId),
    lines: [
      tokenProposal.token(`${name} (${symbol})`),
      tokenProposal.network(network),
      tokenProposal.owner(owner),
      tokenProposal.unless[changed === false ? 'same' : 'changed'],
    ],
    link: { path, label: order.button },
  }),
};

import { LIMITS } from '#contract/limits.ts';
import { limit, perMember } from '#server/http/api/guarantees.ts';
import { member, open } from '#server/http/api/procedures.ts';
import { actorOf } from '#server/http/context.ts';
import { placingsOf, raceOf, ranksOf } from './race.service.ts';
import { findTicket, keepTicket } from './tickets.service.ts';

export const raceApi = {
  days: open.race.days.handler(({ input, context }) => raceOf(context.db, input.round, context.now())),
  ranks: open.race.ranks.handler(({ input, context }) => ranksOf(context.db, input.candidateId, context.now())),
  placings: open.race.placings.handler(({ input, context }) => placingsOf(context.db, input.candidateId)),
  keepTicket: member.race.keepTicket
    .use(limit(perMember('ticket', LIMITS.ticketMinute)))
    .handler(({ input, context }) => {
      const actor = { ...actorOf(context, context.me), id: context.me.id };
      return keepTicket(context.db, actor, input.candidateId, context.now());
    }),
  ticket: open.race.ticket.handler(({ input, context }) => findTicket(context.db, context.ledger, input.id)),
};

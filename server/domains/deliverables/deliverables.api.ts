import { open } from '#server/http/api/procedures.ts';
import { readPlanTerms } from './terms.service.ts';

export const deliverablesApi = {
  terms: open.deliverables.terms.handler(({ context }) => readPlanTerms(context.db)),
};

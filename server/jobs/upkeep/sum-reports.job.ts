import { sumReports } from '#server/domains/admin/reports/reports.service.ts';
import type { Handler } from '#server/jobs/handler.ts';

export const sumReportsJob: Handler<'sum-reports'> = async (_input, { services }) => {
  await sumReports(services.db, services.now());
};

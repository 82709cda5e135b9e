import { z } from 'zod';
import { adminAudit } from './admin/audit.ts';
import { adminDashboard } from './admin/dashboard.ts';
import { adminInbox } from './admin/inbox.ts';
import { adminRead } from './admin/list.ts';
import { adminNetworks } from './admin/networks.ts';
import { adminSubmissions } from './admin/submissions.ts';
import { adminTokenRequests } from './admin/token-requests.ts';

export const adminSession = z.object({
  email: z.string(),
  username: z.string().nullable(),
  /** `setup`: everything else is refused until the second factor is set up. */
  secondFactor: z.enum(['ready', 'setup']),
  /** What a fresh proof consists of. */
  proof: z.enum(['code', 'password']),
});
export type AdminSession = z.infer<typeof adminSession>;

/** The back office: everything here is for admins only, whose rights are read anew for each call. */
export const admin = {
  /** Who am I in the back office; refused to everybody else. */
  session: adminRead('/session', 'My session in the back office').output(adminSession),
  audit: adminAudit,
  dashboard: adminDashboard,
  inbox: adminInbox,
  networks: adminNetworks,
  submissions: adminSubmissions,
  tokenRequests: adminTokenRequests,
};

import { OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { contract } from '#contract/index.ts';

const ABOUT = `Everything that the site shows and does. Who asks is known from the session cookie, which sign-in sets. Writes carry JSON
and come from this site's pages or from programs that are no browser. Failures have the shape \`{ defined, code, status, message, data }\`;
\`code\` is for programs and stays. 400 BAD_REQUEST (with the place of each fault), 429 RATE_LIMITED and 503 BUSY (with Retry-After) and
500 INTERNAL_SERVER_ERROR may come from any call. Images go to \`POST /uploads?bucket=…\`, changes arrive at \`GET /live\`.`;

/** Tags in the order of the document; a missing tag fails a test. */
const TAGS: Record<string, string> = {
  projects: 'Projects on home and the Top 3',
  voting: 'Candidates, the ranking, votes',
  ledger: 'The public ledger of votes and its receipts',
  next: 'Upcoming launches',
  ownership: 'Verified creators: proofs by DNS, a file, a wallet',
  tokens: 'One token, whatever list it is in',
  news: 'News',
  forum: 'Posts, comments, reactions, reports',
  search: 'One search over everything public',
  presence: 'Who is online',
  notifications: 'What concerns a member, and how it reaches them',
  saved: 'Saved tokens and notices about launches',
  submissions: 'Requests for a publication',
  'token requests': 'Drafts, payments, orders',
  networks: 'Networks on offer',
  sitePages: 'Pages about the site',
  previews: 'Links to drafts',
  deliverables: 'What plans promise, by when, and which are sold now',
  refunds: 'Money that goes back, for its payer',
  media: 'Uploaded images',
  auth: 'Signing up, in and out',
  account: "The member's own account",
  admin: 'The back office: admins with a second factor only',
};

interface Operation {
  responses?: Record<string, { description?: string; content?: Record<string, { schema?: unknown }> }>;
}

/** The OpenAPI document, and the methods supported by each path. */
export async function describeApi(version: string) {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
  const document = await generator.generate(contract, {
    info: { title: 'Florka', version, description: ABOUT, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/api' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'florka.session_token',
          description: 'Over https the name begins with __Host-.',
        },
      },
    },
  });
  for (const operations of Object.values(document.paths ?? {}))
    for (const operation of Object.values(operations ?? {}) as Operation[])
      for (const [status, response] of Object.entries(operation.responses ?? {})) {
        const codes = codesOf(response.content?.['application/json']?.schema);
        response.description = codes.length > 0 ? codes.join(', ') : status === '200' ? 'Done' : status;
      }
  const routes = Object.entries(document.paths ?? {}).map(([path, operations]) => ({
    pattern: new RegExp(`^/api${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
    methods: Object.keys(operations ?? {}).map((method) => method.toUpperCase()),
  }));
  return {
    document,
    methodsOf: (pathname: string) =>
      routes.filter(({ pattern }) => pattern.test(pathname)).flatMap(({ methods }) => methods),
  };
}

/** The error codes in a response's schema. */
function codesOf(schema: unknown): string[] {
  const { oneOf = [], properties } = (schema ?? {}) as {
    oneOf?: unknown[];
    properties?: { code?: { const?: string } };
  };
  const own = properties?.code?.const;
  return [...(own ? [own] : []), ...oneOf.flatMap(codesOf)];
}

// `npm run field-cost`: what one more field costs. Adds a text to projects and a link to the social links on a copy of the
// sources, counts the files and lines that it takes, and lets the compiler check that the fields arrive where they should.
// Fails above the limits. Migrations and tests are not counted.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

interface Edit {
  file: string;
  /** A line of the file, as it stands; the new lines come after it. */
  after: string;
  lines: string[];
}

interface FieldScenario {
  name: string;
  /** Maximum number of changed files. */
  limit: number;
  edits: Edit[];
}

const REPLAYS: FieldScenario[] = [
  {
    name: 'a text of a project',
    limit: 6,
    edits: [
      {
        file: 'contract/fields/project-texts.ts',
        after: '  descriptionFull: { max: REQUEST_MAX.description, rows: 4 },',
        lines: ['  slogan: { max: 120, rows: 1 },'],
      },
      {
        file: 'app/lib/messages/admin/project-texts.ts',
        after: "    descriptionFull: 'Descripción completa',",
        lines: ["    slogan: 'Lema',"],
      },
      {
        file: 'app/lib/messages/admin/project-texts.ts',
        after: "    descriptionFull: 'Full description',",
        lines: ["    slogan: 'Slogan',"],
      },
      {
        file: 'server/db/demo/text.ts',
        after: '    descriptionFull: text,',
        lines: ["    slogan: line.split(':')[0] ?? '',"],
      },
    ],
  },
  {
    name: 'a social link',
    limit: 3,
    edits: [
      {
        file: 'contract/fields/links.ts',
        after: "  { key: 'discordUrl', contact: 'discord' },",
        lines: ["  { key: 'githubUrl', wizardPlace: 4 },"],
      },
      {
        file: 'app/lib/messages/links.ts',
        after: "    discordUrl: es('Discord'),",
        lines: ["    githubUrl: es('GitHub'),"],
      },
      {
        file: 'app/lib/messages/links.ts',
        after: "    discordUrl: en('Discord'),",
        lines: ["    githubUrl: en('GitHub'),"],
      },
      {
        file: 'app/features/tokens/TokenLinks.tsx',
        after: '  discordUrl: MessageCircle,',
        lines: ['  githubUrl: CodeXml,'],
      },
      {
        file: 'app/features/tokens/TokenLinks.tsx',
        after: "import { useText } from '#app/lib/i18n/i18n.tsx';",
        lines: ["import { CodeXml } from 'lucide-react';"],
      },
    ],
  },
];

/** Code that uses the two fields; not counted. It compiles only when they exist everywhere. */
const PROOF = `
import type { z } from 'zod';
import type { AuditField } from '#contract/admin/shared/audit-fields.ts';
import type { candidateForm } from '#contract/admin/forms/candidates.ts';
import type { nextProjectForm } from '#contract/admin/forms/next-projects.ts';
import type { projectForm } from '#contract/admin/forms/projects.ts';
import type { AdminNextProject } from '#contract/admin/next-projects.ts';
import type { AdminProject } from '#contract/admin/projects.ts';
import type { AdminCandidate } from '#contract/admin/voting.ts';
import type { SubmissionInput } from '#contract/domains/submissions.ts';
import type { DraftData } from '#contract/domains/token-requests.ts';
import type { Token } from '#contract/domains/tokens.ts';
import type { nextProjects } from '#server/db/tables/next-projects.ts';
import type { projects } from '#server/db/tables/projects.ts';
import type { votingCandidates } from '#server/db/tables/voting.ts';
import { linksOf, textsOf } from '#server/db/demo/text.ts';
import { adminAuditFieldTexts } from '#app/lib/messages/admin/audit-fields.ts';
import { adminProjectsTexts } from '#app/lib/messages/admin/projects.ts';
import { createTexts } from '#app/lib/messages/create.ts';
import { publishTexts } from '#app/lib/messages/publish.ts';
import { tokenDetailTexts } from '#app/lib/messages/token-details.ts';
import { tokenValues } from '#app/features/admin/projects/token-values.ts';
import { BLANK } from '#app/features/submissions/form.ts';

type Has<T, Name extends keyof T> = Pick<T, Name>;
export type Text = [
  Has<typeof projects.$inferSelect, 'slogan'>,
  Has<typeof nextProjects.$inferSelect, 'slogan'>,
  Has<AdminProject, 'slogan'>,
  Has<AdminNextProject, 'slogan'>,
  Has<z.input<typeof projectForm>, 'slogan'>,
  Has<z.input<typeof nextProjectForm>, 'slogan'>,
];
export type Link = [
  Has<typeof projects.$inferSelect, 'githubUrl'>,
  Has<typeof nextProjects.$inferSelect, 'githubUrl'>,
  Has<typeof votingCandidates.$inferSelect, 'githubUrl'>,
  Has<AdminProject, 'githubUrl'>,
  Has<AdminNextProject, 'githubUrl'>,
  Has<AdminCandidate, 'githubUrl'>,
  Has<z.input<typeof projectForm>, 'githubUrl'>,
  Has<z.input<typeof nextProjectForm>, 'githubUrl'>,
  Has<z.input<typeof candidateForm>, 'githubUrl'>,
  Has<Token, 'githubUrl'>,
  Has<DraftData, 'githubUrl'>,
  Has<SubmissionInput, 'githubUrl'>,
];
export const audited: AuditField[] = ['slogan', 'githubUrl'];
export const texts: string[] = [
  adminAuditFieldTexts.en.auditFields.slogan,
  adminAuditFieldTexts.es.auditFields.githubUrl,
  adminProjectsTexts.es.projects.field.slogan,
  adminProjectsTexts.en.projects.field.githubUrl,
  createTexts.es.create.field.githubUrl,
  publishTexts.es.publish.field.githubUrl,
  tokenDetailTexts.es.token.link.githubUrl,
  textsOf({ line: '', text: '' }).slogan,
  linksOf('').githubUrl ?? '',
  tokenValues(null).slogan,
  tokenValues(null).githubUrl,
  BLANK.githubUrl,
];
`;

/** Not needed in the copy: dependencies, builds, data, history. */
const LEFT_OUT = /^(node_modules|build|data.*|docs|public|ops|test-results|playwright-report|\.(?!react-router).*)$/;

/** Copies the sources without their tests and what those share; dependencies are linked. */
function copySources(from: string, to: string): void {
  for (const name of fs.readdirSync(from).filter((name) => !LEFT_OUT.test(name)))
    fs.cpSync(path.join(from, name), path.join(to, name), {
      recursive: true,
      filter: (file) => !/\.test\.tsx?$|(^|\/)tests\/fixtures\/(?!guarantees(\/|$))/.test(file),
    });
  fs.symlinkSync(path.join(from, 'node_modules'), path.join(to, 'node_modules'), 'junction');
}

/** Makes one edit. @throws Error when the line before it is missing: then the replay has to be adapted to the code. */
function makeEdit(root: string, { file, after, lines }: Edit): void {
  const place = path.join(root, file);
  const text = fs.readFileSync(place, 'utf8').split('\n');
  const at = text.indexOf(after);
  if (at < 0) throw new Error(`scripts/field-cost.ts: no line in ${file} reads ${after.trim()}`);
  text.splice(at + 1, 0, ...lines);
  fs.writeFileSync(place, text.join('\n'));
}

const root = process.cwd();
const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'florka-field-cost-'));
process.once('exit', () => fs.rmSync(copy, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

copySources(root, copy);
for (const { name, limit, edits } of REPLAYS) {
  for (const edit of edits) makeEdit(copy, edit);
  const files = new Set(edits.map(({ file }) => file));
  const lines = edits.reduce((sum, edit) => sum + edit.lines.length, 0);
  console.log(`  ${name}: ${files.size} files, ${lines} lines (at most ${limit} files)`);
  if (files.size > limit) process.exitCode = 1;
}
fs.writeFileSync(path.join(copy, 'scripts/field-cost-proof.ts'), PROOF);
const { status, stdout, stderr } = spawnSync(
  process.execPath,
  // The compiler's cache of the original sources must not be used for the copy.
  [
    path.join(root, 'node_modules/typescript/bin/tsc'),
    '--noEmit',
    '--incremental',
    'false',
    '--tsBuildInfoFile',
    'null',
  ],
  { cwd: copy, encoding: 'utf8' },
);
if (status !== 0) {
  console.log(`With both fields the sources do not compile:\n${stdout}${stderr}`);
  process.exitCode = 1;
}

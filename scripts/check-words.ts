// One term for one concept: retired names and terms, and their replacements. The product's own terms
// are in docs/glossary.md.
import fs from 'node:fs';

export interface RetiredUse {
  /** `path:line` */
  where: string;
  found: string;
  instead: string;
}

interface Retired {
  /** Matches a whole name or word. */
  pattern: RegExp;
  instead: string;
  /** Paths where it means something else. */
  except?: RegExp;
}

/** Names of variables, functions, types, properties and files. */
const NAMES: Retired[] = [
  { pattern: /^(?:open)?[Hh]ouse(?:Of|Options|Parts)?$/, instead: 'services' },
  { pattern: /^[Dd]esk$|Desk$/, instead: 'service' },
  { pattern: /^door$|Door$/, instead: 'guard', except: /payments\.test/ },
  { pattern: /[Bb]ackstage|[Bb]ackOffice/, instead: 'admin' },
  { pattern: /^(?:tell|told)(?:[A-Z]|$)/, instead: 'notify, notified' },
  { pattern: /^[Ff]olded(?:[A-Z]|$)/, instead: 'collapsed (panels), normalized (texts)', except: /feeds/ },
  { pattern: /^[Kk]eeper|Keeper$/, instead: 'store' },
  {
    pattern: /^[Ll]anes?$/,
    instead: 'worker',
  },
  { pattern: /^[Mm]aker(?:Of|Options)?$/, instead: 'creator' },
  {
    pattern: /^(?:hear|hears|ear|ears|crowd|crowded)$/,
    instead: 'onMessage, listener, concurrent',
    except: /streams/,
  },
  {
    pattern: /^[Ww]ish(?:es|ed|Queue|Of)?$/,
    instead: 'mutation, request',
  },
  { pattern: /[a-z]Letters$|(?<![A-Z])LETTERS$/, instead: 'characters: MIN_CHARACTERS' },
  { pattern: /^signs$/, instead: 'characters', except: /^server\/mail\/texts\/|^scripts\/florka/ },
  {
    pattern: /^[Ff]aults$/,
    instead: 'errors',
    except: /^faults\/|chains|rpc-proxy|scripts\/|market|support|^tests\/docs\.test/,
  },
  { pattern: /^takeLimits$/, instead: 'consumeRateLimits' },
  { pattern: /^(?:shareReads|[Cc]rowdReads)$/, instead: 'singleFlight' },
  { pattern: /Studio$|^studio$/, instead: 'image processor' },
  { pattern: /PATIENCE|_MOST$|^MOST_|^MOST$/, instead: '…_TIMEOUT_MS, MAX_…' },
  { pattern: /^GATHER|^PAUSES?$/, instead: 'COALESCE_MS, DELAY_MS, BACKOFF_MS' },
  { pattern: /[Pp]ainte[dr]/, instead: 'encoded, image worker', except: /^app\/|^bench\// },
  { pattern: /^barriers$/, instead: 'a11yViolations' },
  {
    pattern: /^(?:LIVES|IN_THE_RUNNING|TROUBLED)$/,
    instead: 'the condition itself: ACTIVE_SESSION, COMPETING, NEEDS_ATTENTION',
  },
  { pattern: /^(?:NOBODYS?|ABSENT)$/, instead: 'UNKNOWN_ID', except: /page|password/ },
  { pattern: /^B(?:ECAUSE|ecause)$/, instead: 'REMOVAL_REASON, RemovalReason' },
  {
    pattern: /^(?:afterTrouble|Sight|Say|Manners)$/,
    instead: 'afterProblem, Observation, LogMethod, ProviderBehaviour',
  },
  { pattern: /^(?:plan|claim|settle|forget)\w*Asks$/, instead: 'fetches' },
  { pattern: /Acts$|^ACTS$|_ACTS$|^useAct$/, instead: 'actions' },
  { pattern: /[Pp]atience|Patiently/, instead: 'timeoutMs, backoff' },
  { pattern: /^(?!at)[a-z]+(?:Most|Least)$|_LEAST$/, instead: 'max…, min…' },
  { pattern: /^[aA]sk(?:ed)?[A-Z]|Asker$/, instead: 'fetch…, request…, issue…', except: /\.test\.|stored-facts/ },
  { pattern: /Kept(?:Reads|List)/, instead: 'cache, store' },
  {
    pattern: /^(?:LOOKS?|WAIT|BEAT|KEEP|QUIET|LONGEST|FRESH|FAREWELL|AT_ONCE|LIFE)$/,
    instead: 'what it holds and its unit: POLL_MS, HEARTBEAT_MS, MAX_AGE_SECONDS, BATCH_SIZE',
    except: /\.test\./,
  },
  { pattern: /[a-z]Tries$|_TRIES$|TryAt$/, instead: 'attempts, nextAttemptAt' },
  {
    pattern: /^[Ww]ay(?:Of|Props)?$/,
    instead: 'what it is: method, source, path, link',
    except: /\.test\.|^tests\/|ImageField/,
  },
  { pattern: /^[Tt]rouble|Trouble$/, instead: 'problem, failure', except: /\.test\.|^tests\// },
  { pattern: /^(?:isPoor|POOR)$/, instead: 'hasInsufficientFunds' },
  { pattern: /^nonsense$/, instead: 'invalidAnswer', except: /\.test\./ },
  { pattern: /^Gone$/, instead: 'ClientDisconnected' },
  { pattern: /^takeItem$/, instead: 'claimItem' },
  { pattern: /^asker$|Makers$|StandIn$/, instead: 'caller, factories, the service that it replaces' },
  { pattern: /^say[A-Z]|WhoStill|ToLookAt$/, instead: 'what it returns or does' },
  {
    pattern: /^follow[A-Z]/,
    instead: 'what happens: subscribe, update, process; a follower is a member who saved a token',
  },
  { pattern: /^usual$/, instead: 'default…', except: /\.test\.|operator\/restore/ },
  {
    pattern: /^(?:NothingHere|LaterDrawing|DrawnHere|whenNear|placeNotices|useMore|mayLower)$|SaidBy$/,
    instead: 'what it holds, returns or does, in the terms of the field',
    except: /\.test\.|^tests\//,
  },
  { pattern: /^PICTURE_/, instead: 'IMAGE_…, and the unit' },
  {
    pattern: /Sandbox/,
    instead: 'emulator (the program that imitates the payment provider), simulation (a payment without real money)',
  },
  { pattern: /^(?:Present|presentIn)$/, instead: 'FixedNow, databaseNow' },
  { pattern: /^keepImageUrl$/, instead: 'markImageUsed' },
  { pattern: /^nextBy$/, instead: 'nextRoundDays' },
  { pattern: /^picture[A-Z]|^Picture$|[a-z]PictureKey/, instead: 'image', except: /messages|TreeDiagram|Proposals/ },
  {
    pattern: /^(?:proven(?:Admin|Member)|requireProof|provedLately|proveAgain)$/,
    instead: 'step-up: adminAfterStepUp, memberAfterStepUp, requireStepUp, hasRecentStepUp, completeStepUp',
  },
  { pattern: /^(?:Happening|happening|numbersOfAll)$/, instead: 'event, timeline entry, metricsOfAllWorkers' },
];

/** Names that a statement declares: within texts and queries the same words are ordinary English. */
const DECLARED: Retired[] = [
  {
    pattern: /^(?:said|asked|told|heard|acts?|Asked|Acts?)$/,
    instead: 'what it holds: answer, requested, polled, sentences, action, received',
  },
];

/** Parts of names of files and of classes in CSS, between hyphens and capitals. */
const FILES: Retired[] = [
  {
    pattern:
      /^(?:acts?|words|tell|told|hear|keeper|house|desk|maker|lanes?|kept|ask|story|trouble|pictures?|trials|followers?|welcome|likeness|folding|sandbox)$/,
    instead: 'what it does or holds',
  },
  {
    pattern: /^(?:happenings?|wish(?:es)?)$/,
    instead: 'event; request',
  },
  { pattern: /^promises$/, instead: 'deliverables', except: /^docs\/adr\// },
  {
    pattern: /^(?:audience|scenes|stage|world)$/,
    instead: 'clients, setup, environment, seed',
    except: /(?:payment|request)-stage|SceneEmptyStage|admin\/facts\.css/,
  },
];

/** Words of comments and documents. */
const PROSE: Retired[] = [
  { pattern: /\bthe house\b|\bof the house\b|\ba house\b/i, instead: 'services' },
  { pattern: /\bdesks?\b/i, instead: 'service; desktop' },
  { pattern: /\bbackstage\b/i, instead: 'admin' },
  { pattern: /\bkeeper\b/i, instead: 'store' },
  { pattern: /\bpainters?\b|\bpainted anew\b/i, instead: 'image worker, encoded anew' },
  { pattern: /\bbarriers?\b/i, instead: 'accessibility violations' },
  { pattern: /\bstor(?:y|ies)\b/i, instead: 'scenario' },
  { pattern: /\blanes?\b/i, instead: 'worker, slot', except: /passwords\.ts|asvs\.md/ },
  { pattern: /\bmakers?\b/i, instead: 'token creator' },
  { pattern: /\bcrowds?\b/i, instead: 'concurrent callers', except: /vote-review/ },
];

/** Words of comments in code: in documents they are ordinary English. */
const COMMENTS: Retired[] = [
  {
    pattern: /\b(?:told|tells?)\b/i,
    instead: 'notified, mailed, reported, shown',
  },
  { pattern: /\bhappenings?\b/i, instead: 'event' },
  { pattern: /\bwish(?:es|ed)?\b/i, instead: 'request, requested state, choice' },
  { pattern: /\b(?:few|many|more|several) tries\b/i, instead: 'attempts' },
];

/** Catalogues of texts for people: their comments and names are read, the texts are not, whatever their quotes. */
const MESSAGES = /^app\/lib\/messages\//;

/** `MakerPart` and `maker-part` of a path that ends so: maker and part. */
const partsOf = (path: string): string[] =>
  (path.split('/').at(-1) ?? '')
    .replace(/\..*$/, '')
    .split(/-|(?<=[a-z])(?=[A-Z])/)
    .map((part) => part.toLowerCase());

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/** Code without its comments and texts between quotes; an approximation that needs no parser. */
const withoutTexts = (code: string): string =>
  code
    .replace(/\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/[^\n]*/g, blank)
    .replace(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, blank);

/** A comment, a text between quotes, a backtick or a brace. */
const TOKEN = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|[`{}]/g;
/** The rest of a text between backticks, up to its end or to the next expression in it. */
const TEMPLATE = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y;

/** Code without its comments and texts, also those between backticks; the expressions in these remain. */
function withoutMessages(code: string): string {
  /** Number of open braces in each expression around the position. */
  const depths: number[] = [];
  let bare = '';
  let at = 0;
  for (;;) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(code);
    if (!found) return bare + code.slice(at);
    const token = found[0];
    const depth = depths.at(-1);
    bare += code.slice(at, found.index);
    at = found.index + token.length;
    if (token === '{' || (token === '}' && depth !== 0)) {
      bare += token;
      if (depth !== undefined) depths[depths.length - 1] = depth + (token === '{' ? 1 : -1);
    } else if (token === '`' || token === '}') {
      if (token === '}') depths.pop();
      TEMPLATE.lastIndex = at;
      const text = TEMPLATE.exec(code)?.[0] ?? code.slice(at);
      if (text.endsWith('${')) depths.push(0);
      bare += blank(token + text);
      at += text.length;
    } else bare += blank(token);
  }
}

/** Names in code, by line. @param bare the code without its comments and texts. */
function namesOf(bare: string): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const [index, line] of bare.split('\n').entries()) found.set(index + 1, line.match(/[A-Za-z_$][\w$]*/g) ?? []);
  return found;
}

/** Names of classes in a style sheet, by line. */
const classesOf = (css: string): [number, string][] =>
  css
    .replace(/\/\*[\s\S]*?\*\/|'[^'\n]*'|"[^"\n]*"|url\([^)]*\)/g, blank)
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(/\.([A-Za-z_][\w-]*)/g)].map(([, name = '']): [number, string] => [index + 1, name]),
    );

/** Names that a line declares: variables, functions, types and parts of a destructured object or tuple. */
function declaredIn(line: string): string[] {
  const declared =
    /^\s*(?:export )?(?:async )?(?:const|let|function|interface|type) ([{[][^=]*[}\]]|[A-Za-z_$][\w$]*)/.exec(
      line,
    )?.[1];
  return declared?.match(/[A-Za-z_$][\w$]*(?!\s*:)\b/g) ?? [];
}

/** Comments of code, by line. */
function commentsOf(code: string): [number, string][] {
  return code.split('\n').flatMap((line, index): [number, string][] => {
    const text = /^\s*(?:\/\/|\/?\*)(.*)/.exec(line)?.[1];
    return text === undefined ? [] : [[index + 1, text]];
  });
}

/**
 * Every use of a retired name or word.
 *
 * @param files their paths from the root of the project, and texts.
 */
export function findRetired(files: { path: string; text: string }[]): RetiredUse[] {
  const uses: RetiredUse[] = [];
  const look = (list: Retired[], path: string, line: number, word: string) => {
    for (const { pattern, instead, except } of list) {
      const found = pattern.exec(word);
      if (found && !except?.test(path) && !except?.test(word))
        uses.push({ where: `${path}:${line}`, found: found[0], instead });
    }
  };
  for (const { path, text } of files) {
    for (const part of partsOf(path)) look(FILES, path, 1, part);
    if (path.endsWith('.md')) {
      for (const [index, line] of text.split('\n').entries()) look(PROSE, path, index + 1, line);
      continue;
    }
    if (path.endsWith('.css')) {
      for (const [line, name] of classesOf(text)) for (const part of partsOf(name)) look(FILES, path, line, part);
      for (const [line, comment] of commentsOf(text)) look([...PROSE, ...COMMENTS], path, line, comment);
      continue;
    }
    const bare = MESSAGES.test(path) ? withoutMessages(text) : withoutTexts(text);
    for (const [line, names] of namesOf(bare)) for (const name of new Set(names)) look(NAMES, path, line, name);
    for (const [index, line] of text.split('\n').entries())
      for (const name of declaredIn(line)) look(DECLARED, path, index + 1, name);
    for (const [line, comment] of commentsOf(text)) look([...PROSE, ...COMMENTS], path, line, comment);
  }
  return uses;
}

/** Files that are read: code, style sheets and documents of this project, but not this list itself. */
function projectFiles(): { path: string; text: string }[] {
  const trees =
    '{app,attack,bench,contract,docs,emulator,faults,ops,packages,scripts,server,tests}/**/*.{ts,tsx,mjs,md,css}';
  return fs
    .globSync([trees, '*.{ts,mjs,md}'])
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !/check-words|retired-words|^CHANGELOG|server\/db\/demo\/|docs\/screens/.test(path))
    .map((path) => ({ path, text: fs.readFileSync(path, 'utf8') }));
}

if (import.meta.main) {
  const files = projectFiles();
  const uses = findRetired(files);
  for (const { where, found, instead } of uses) console.log(`${where}: '${found}' is a retired word; use ${instead}`);
  const retired = NAMES.length + DECLARED.length + FILES.length + PROSE.length + COMMENTS.length;
  console.log(`${files.length} files, ${uses.length} uses of ${retired} kinds of retired words`);
  process.exitCode = uses.length === 0 ? 0 : 1;
}

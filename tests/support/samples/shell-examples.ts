// Reads the small part of shell that docs/api.md uses, so that its examples run in a test without curl and jq.

/** One request. */
export interface Example {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** Body as text, or a file as `@name`. */
  body: string | undefined;
  sendsCookies: boolean;
  /** File for the response. */
  file: string | undefined;
}

export interface Shell {
  variables: Map<string, string>;
  files: Map<string, unknown>;
  send: (example: Example) => Promise<unknown>;
}

/** Runs the lines of one block. */
export async function runBlock(block: string, shell: Shell): Promise<void> {
  for (const line of statementsOf(block)) {
    const assignment = /^([A-Z_]+)=(.*)$/s.exec(line);
    if (!assignment) {
      await shell.send(exampleOf(line, shell.variables));
      continue;
    }
    const [, name = '', value = ''] = assignment;
    const command = /^\$\((curl .*?) \| jq -r '([^']+)'\)$/s.exec(value);
    const read = /^\$\(jq -r '([^']+)' (\S+)\)$/.exec(value);
    if (command?.[1] && command[2]) {
      const answer = await shell.send(exampleOf(command[1], shell.variables));
      shell.variables.set(name, pick(answer, command[2]));
    } else if (read?.[1] && read[2]) shell.variables.set(name, pick(shell.files.get(read[2]), read[1]));
    else if (/^[\w:/.]+$/.test(value)) shell.variables.set(name, shell.variables.get(name) ?? value);
    else throw new Error(`not understood: ${line}`);
  }
}

/** Lines, joined where they continue (a backslash, an open quote). */
function statementsOf(block: string): string[] {
  const statements: string[] = [];
  let open = '';
  for (const line of block.split('\n')) {
    open += open ? `\n${line}` : line;
    const quotes = open.replace(/\\"/g, '').match(/'/g)?.length ?? 0;
    if (open.endsWith('\\')) open = `${open.slice(0, -1)} `;
    else if (quotes % 2 === 0) {
      if (open.trim()) statements.push(open.trim());
      open = '';
    }
  }
  return statements;
}

function exampleOf(line: string, variables: Map<string, string>): Example {
  const words = searchTermOf(line, variables);
  if (words.shift() !== 'curl') throw new Error(`not understood: ${line}`);
  const example: Example = {
    method: 'GET',
    url: '',
    headers: {},
    body: undefined,
    sendsCookies: false,
    file: undefined,
  };
  let method: string | undefined;
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-X') method = words.shift();
    else if (word === '-b') example.sendsCookies = words.shift() !== undefined;
    else if (word === '-c') words.shift();
    else if (word === '-H') {
      const [name = '', value = ''] = (words.shift() ?? '').split(/: (.*)/s);
      example.headers[name] = value;
    } else if (word === '-d' || word === '--data-binary') example.body = words.shift();
    else if (word === '>') example.file = words.shift();
    else if (word.startsWith('http')) example.url = word;
    else throw new Error(`not understood: ${word}`);
  }
  example.method = method ?? (example.body === undefined ? 'GET' : 'POST');
  return example;
}

function searchTermOf(line: string, variables: Map<string, string>): string[] {
  const filled = (text: string) =>
    text.replace(/\$([A-Z_]+)/g, (_, name: string) => {
      const value = variables.get(name);
      if (value === undefined) throw new Error(`$${name} is not set`);
      return value;
    });
  return [...line.matchAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, single, double, bare]) =>
    single !== undefined ? single : double !== undefined ? filled(double.replace(/\\(.)/g, '$1')) : filled(bare ?? ''),
  );
}

/** `.items[0].id` of a value. */
function pick(value: unknown, path: string): string {
  const at = path
    .split(/[.[\]]+/)
    .filter(Boolean)
    .reduce<unknown>((inside, key) => (inside as Record<string, unknown> | undefined)?.[key], value);
  if (typeof at !== 'string' && typeof at !== 'number') throw new Error(`${path} is ${JSON.stringify(at)}`);
  return String(at);
}

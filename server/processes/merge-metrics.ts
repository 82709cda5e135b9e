/**
 * Merges metrics of several workers in the format of Prometheus: each sample gets the label `worker`, and HELP, TYPE
 * and UNIT of a metric are written once.
 *
 * @param texts metrics by the number of their worker.
 */
export function mergeMetrics(texts: ReadonlyMap<number, string>): string {
  const families = new Map<string, { about: string[]; samples: string[] }>();
  for (const [worker, text] of texts) {
    let family = { about: [] as string[], samples: [] as string[] };
    for (const line of text.split('\n')) {
      const [, name] = /^# (?:HELP|TYPE|UNIT) (\S+)/.exec(line) ?? [];
      if (name) {
        family = families.get(name) ?? { about: [], samples: [] };
        families.set(name, family);
        if (!family.about.includes(line)) family.about.push(line);
      } else if (line && !line.startsWith('#')) family.samples.push(labelled(line, worker));
    }
  }
  const lines = [...families.values()].flatMap(({ about, samples }) => [...about, ...samples]);
  return lines.length > 0 ? `${lines.join('\n')}\n` : '';
}

/** `name{labels} value` or `name value`; a label's value may contain any character, so only the name is parsed. */
function labelled(line: string, worker: number): string {
  const name = /^[A-Za-z_:][\w:]*/.exec(line)?.[0] ?? '';
  const rest = line.slice(name.length);
  return rest.startsWith('{') && !rest.startsWith('{}')
    ? `${name}{worker="${worker}",${rest.slice(1)}`
    : `${name}{worker="${worker}"}${rest.replace(/^\{\}/, '')}`;
}

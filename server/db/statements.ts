/** One statement of a migration. */
export interface Statement {
  /** Without the comments before it and the semicolon after it. */
  text: string;
  /** Comment lines directly before it, without their dashes. */
  notes: string[];
  /** Its first line, counted from 1. */
  line: number;
}

/** Tokens that may contain a semicolon: comments, strings, quoted identifiers, dollar-quoted bodies. */
const OPAQUE = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1/y;

/** The statements of an SQL text, in order. */
export function statementsOf(sql: string): Statement[] {
  const found: Statement[] = [];
  let notes: string[] = [];
  let text = '';
  let begin = 0;
  const end = () => {
    if (text.trim()) found.push({ text: text.trim(), notes, line: sql.slice(0, begin).split('\n').length });
    text = '';
    notes = [];
  };
  for (let at = 0; at < sql.length; ) {
    OPAQUE.lastIndex = at;
    const [opaque] = OPAQUE.exec(sql) ?? [];
    const piece = opaque ?? sql.charAt(at);
    const comment = piece.startsWith('--') || piece.startsWith('/*');
    if (comment) {
      if (!text.trim()) notes.push(piece.replace(/^--\s?/, ''));
    } else if (piece === ';') end();
    else {
      if (!text.trim() && piece.trim()) begin = at;
      text += piece;
    }
    at += piece.length;
  }
  end();
  return found;
}

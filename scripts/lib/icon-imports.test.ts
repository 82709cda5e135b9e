import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { iconFiles, withIconFiles } from './icon-imports.mjs';

const files = iconFiles(readFileSync('node_modules/lucide-react/dist/esm/lucide-react.mjs', 'utf8'));

it('each icon is imported from its own file, and other imports stay unchanged', () => {
  expect(
    withIconFiles(
      "import { ArrowUp, X as Cross, type LucideIcon } from 'lucide-react';\nimport a from './a.ts';",
      files,
    ),
  ).toBe(
    "import ArrowUp from 'lucide-react/icons/arrow-up'; import Cross from 'lucide-react/icons/x'; import { type LucideIcon } from 'lucide-react';\nimport a from './a.ts';",
  );
  expect(withIconFiles("import {\n  Bell,\n  Check,\n} from 'lucide-react';", files)).toBe(
    "import Bell from 'lucide-react/icons/bell'; import Check from 'lucide-react/icons/check';",
  );
  const types = "import type { LucideIcon } from 'lucide-react';";
  expect(withIconFiles(types, files)).toBe(types);
});

it('an unexpected format of the icon library is an error', () => {
  expect(() => iconFiles('export * from "./icons";')).toThrow('The icons do not exist any more');
});

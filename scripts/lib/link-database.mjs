// Prepares the programs of the built-in PostgreSQL, as its first start would: links of its libraries, which no install script made. The
// account that runs the site may have no right to write beside them.
import { findBinaries } from '#server/db/embedded/binaries.ts';

try {
  findBinaries(undefined);
} catch (error) {
  // A platform without them needs DATABASE_URL, and the start says so as well.
  console.error(`[florka] ${/** @type {Error} */ (error).message}`);
}

import { enterRunFolder } from '../../../scripts/lib/run-folder.mjs';

/** Before the scenarios in the browser: one temporary folder for all of them, removed at the end. */
export default function setup(): () => void {
  return enterRunFolder().remove;
}

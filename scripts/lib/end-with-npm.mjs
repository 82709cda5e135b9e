// Loaded before the server where it has replaced the process of `npm start`: ends it when npm has ended.
import cluster from 'node:cluster';
import { onNpmEnded } from './process.mjs';

// Workers inherit the arguments of Node, and end with their primary.
if (cluster.isPrimary) onNpmEnded(() => process.kill(process.pid, 'SIGTERM'));

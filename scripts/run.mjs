// Runs one of the built programs: node scripts/run.mjs src/topics.js [arguments]
//
// It runs in this very process: signals reach it directly, its exit code is this one's, and nothing is left behind.
import { requireNode } from './require-node.mjs';

requireNode();
import('./run-built.mjs').then(({ runBuilt }) => runBuilt(process.argv[2]));

// npm start: installs and builds if needed, then becomes the service.
import { requireNode } from './require-node.mjs';

requireNode();
import('./run-built.mjs').then(({ runBuilt }) => runBuilt('src/main.js'));

import { optionalText } from '../setting.js';

/** Unset names a bundled folder; see README. */
export const toolSettings = {
  modelsDir: optionalText('MODELS_DIR', {
    doc: 'Folder that holds bundled models; unset uses the one beside the program.',
  }),
} as const;

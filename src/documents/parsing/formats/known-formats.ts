import type { Format } from './format.js';

const plainText: Format = {
  name: 'plain text',
  mediaType: 'text/plain',
  endings: ['txt', 'text', 'log'],
  load: async () => (await import('./read-plain.js')).readPlain,
};

const markdown: Format = {
  name: 'Markdown',
  mediaType: 'text/markdown',
  endings: ['md', 'markdown', 'mdown', 'mkd', 'mkdn'],
  load: async () => (await import('./read-plain.js')).readMarkdown,
};

/** Formats by the names that detection gives them. Adding one is one entry here. */
export const knownFormats = { plainText, markdown } as const satisfies Record<string, Format>;

export type FormatName = keyof typeof knownFormats;

/** What can be read, for messages. */
export const readableNames = Object.values(knownFormats).map(({ name }) => name);

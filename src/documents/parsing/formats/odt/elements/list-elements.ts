import type { ElementReaders } from './element-reader.js';

export const listElements: ElementReaders = {
  'text:list': {
    open: ({ lists }, attributes) => lists.openList(attributes),
    close: ({ lists }) => lists.closeList(),
  },
  'text:list-item': {
    open: ({ lists }, attributes) => lists.openItem(attributes, true),
    close: ({ lists }) => lists.closeItem(),
  },
  'text:list-header': {
    open: ({ lists }, attributes) => lists.openItem(attributes, false),
    close: ({ lists }) => lists.closeItem(),
  },
};

// What is compared: a text, what the limit counts, how much faster this project should be at least, and what LangChain
// gives: strings unless it says documents, which know their lines.
import { chinese, english, solid } from './texts.mjs';

export const cases = [
  { name: 'English, 256 tokens', text: english, by: 'tokens', goal: 6 },
  { name: 'Chinese, 256 tokens', text: chinese, by: 'tokens', goal: 20 },
  { name: 'one solid line, 256 tokens', text: solid, by: 'tokens', goal: 40 },
  { name: 'English, 1,000 characters', text: english, by: 'chars', goal: 1 },
  { name: 'Chinese, 1,000 characters', text: chinese, by: 'chars', goal: 1 },
  { name: 'one solid line, 1,000 characters', text: solid, by: 'chars', goal: 1 },
  { name: 'English, 1,000 characters, documents', text: english, by: 'chars', theirs: 'documents', goal: 1 },
  { name: 'Chinese, 1,000 characters, documents', text: chinese, by: 'chars', theirs: 'documents', goal: 1 },
];

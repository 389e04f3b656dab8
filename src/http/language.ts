import type { Language } from '../domain/coded-value.js';

const spoken = new Set<string>(['en', 'zh'] satisfies Language[]);
const fallback: Language = 'en';

/** The language that suits an Accept-Language header best; English where none does. */
export function languageOf(header: string | undefined): Language {
  if (header === undefined) return fallback;
  let best: { language: Language; weight: number } | undefined;
  for (const part of header.toLowerCase().split(',').slice(0, 20)) {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim());
    const language = range === '*' ? fallback : range.split('-')[0];
    const weight = weightOf(parameters);
    if (language && spoken.has(language) && weight > (best?.weight ?? 0))
      best = { language: language as Language, weight };
  }
  return best?.language ?? fallback;
}

function weightOf(parameters: readonly string[]): number {
  const quality = parameters.find((text) => text.startsWith('q='));
  const weight = quality === undefined ? 1 : Number(quality.slice(2));
  return Number.isFinite(weight) ? weight : 0;
}
